import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDataDir, removeDataDir, type Service, startServiceProcess } from '../../support/service.js';
import { aForm } from '../support/file-client.js';
import { refusalOf } from '../support/refusal.js';

const FULL_DISK = new URL('../../support/full-disk.mjs', import.meta.url).href;

describe('a disk that is full', () => {
  let dataDir: string;
  let service: Service;
  before(async () => {
    dataDir = await makeDataDir();
    const env = { NODE_OPTIONS: `--import=${FULL_DISK}`, FULL_DISK: join(dataDir, 'full') };
    service = await startServiceProcess(env, { dataDir });
  });
  after(async () => {
    await service.stop();
    await removeDataDir(dataDir);
  });
  beforeEach(() => writeFile(join(dataDir, 'full'), ''));
  afterEach(() => rm(join(dataDir, 'full'), { force: true }));

  const within = (folder: string) => readdir(join(dataDir, folder)).catch(() => []);
  const upload = async (path: string, bytes: number) =>
    service.request(path, { method: 'POST', body: aForm('a'.repeat(bytes), undefined, 'notes.txt') });

  for (const bytes of [10, 3_000_000]) {
    it(`is named as the reason why a file of ${String(bytes)} bytes is not stored, and nothing is left of it`, async () => {
      const refusal = refusalOf(await upload('/lamb/v1/files', bytes), 503);

      expect(refusal.code).to.equal('storage_unavailable');
      expect(refusal.message).to.match(/disk .*is full/);
      expect(refusal.message).not.to.match(/ENOSPC|damaged|\//);
      expect(await within('files/.incoming')).to.deep.equal([]);
    });

    it(`is named as the reason why a document of ${String(bytes)} bytes is not taken, and nothing is left of it`, async () => {
      const made = await service.request<{ id: string }>('/lamb/v1/collections', {
        body: { name: `c ${String(bytes)}` },
      });
      const documents = `/lamb/v1/collections/${made.json.id}/documents`;

      const refusal = refusalOf(await upload(documents, bytes), 503);

      expect(refusal.code).to.equal('storage_unavailable');
      expect(refusal.message).to.match(/disk .*is full/);
      expect(await within('documents/incoming')).to.deep.equal([]);
      expect((await service.request<{ data: unknown[] }>(documents)).json.data).to.deep.equal([]);
    });
  }

  it('takes files again when there is room', async () => {
    await upload('/lamb/v1/files', 10);
    await rm(join(dataDir, 'full'));

    expect((await upload('/lamb/v1/files', 10)).status).to.equal(201);
  });
});
