import { createHash, randomUUID } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDocumentFiles } from '../../../db/knowledge/document-files.js';
import { AppError } from '../../../src/core/errors.js';
import type { DocumentFiles } from '../../../src/core/knowledge/stores.js';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
const fault = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the originals of documents', () => {
  let parent: string;
  let folder: string;
  let files: DocumentFiles;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'bellwether-documents-'));
    folder = join(parent, 'made', 'on-demand');
    files = createDocumentFiles(folder);
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));
  const everything = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);

  it('are kept byte for byte, with their size and hash, for this account alone', async () => {
    const { id, ...facts } = await files.receive(chunks('first ', 'second'), { maxBytes: 12 });

    expect(facts).to.deep.equal({
      bytes: 12,
      sha256: createHash('sha256').update('first second').digest('hex'),
    });
    expect(await readFile(files.pathOf(id), 'utf8')).to.equal('first second');
    expect((await stat(files.pathOf(id))).mode & 0o777).to.equal(0o600);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect(await everything()).to.deep.equal([id]);
  });

  it('that are too large are refused as soon as that shows, and leave nothing', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked++;
        yield await Promise.resolve(new Uint8Array(1024 * 1024));
      }
    }

    const refused = await fault(files.receive(endless(), { maxBytes: 2.5 * 1024 * 1024 }));

    expect(refused).to.be.instanceOf(AppError).with.property('status', 413);
    expect((refused as AppError).message).to.equal('The file is larger than 2.5 MB.');
    expect(asked).to.equal(3);
    expect(await everything()).to.deep.equal([]);
  });

  it('that break off leave nothing, and whoever sent them hears why', async () => {
    async function* broken() {
      yield await Promise.resolve(Buffer.from('half'));
      throw new Error('The line is dead.');
    }

    const outcome = await fault(files.receive(broken(), { maxBytes: 100 }));

    expect(outcome).to.be.instanceOf(Error).with.property('message', 'The line is dead.');
    expect(await everything()).to.deep.equal([]);
  });

  it('are replaced whole, or stay as they were', async () => {
    const { id } = await files.receive(chunks('before'), { maxBytes: 10 });

    await fault(files.receive(chunks('far too large'), { maxBytes: 10, id }));
    const kept = await readFile(files.pathOf(id), 'utf8');
    const replaced = await files.receive(chunks('after'), { maxBytes: 10, id });

    expect(kept).to.equal('before');
    expect(replaced).to.include({ id, bytes: 5 });
    expect(await readFile(files.pathOf(id), 'utf8')).to.equal('after');
    expect(await everything()).to.deep.equal([id]);
  });

  it('are deleted, however often that is asked', async () => {
    const { id } = await files.receive(chunks('gone'), { maxBytes: 10 });

    await files.delete([id, randomUUID()]);
    await files.delete([id]);

    expect(await fault(access(files.pathOf(id)))).to.have.property('code', 'ENOENT');
  });

  it('are reached by ids of documents alone, so that no path leads out of their folder', async () => {
    const tricks = [
      '',
      '.',
      '..',
      '../x',
      'incoming',
      `../${randomUUID()}`,
      `${randomUUID()}/x`,
      `${randomUUID()}\n`,
    ];
    for (const id of tricks) {
      const outcomes = [
        await fault(Promise.resolve().then(() => files.pathOf(id))),
        await fault(files.receive(chunks('x'), { maxBytes: 10, id })),
        await fault(files.delete([id])),
      ];

      for (const outcome of outcomes) expect(outcome, id).to.have.property('status', 404);
    }
    expect(await readdir(parent)).to.deep.equal([]);
  });
});
