import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { type Service, startService } from '../../support/service.js';
import { collectionsOf } from '../support/collection-client.js';
import { everythingIn } from '../support/file-client.js';
import { expectAlive, refusalOf } from '../support/refusal.js';

const KILOBYTE = 1024;

describe('documents that are refused', () => {
  let service: Service;
  let of: ReturnType<typeof collectionsOf>;
  let id: string;
  before(async () => {
    service = await startService({ DOCUMENT_LIMIT: '100kb' });
    of = collectionsOf(service, service.adminKey);
    ({ id } = await of.make());
  });
  after(() => service.stop());

  const form = (...fields: readonly (readonly [name: string, value: string | Blob, filename?: string])[]) => {
    const body = new FormData();
    for (const [name, value, filename] of fields)
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, filename ?? 'a.txt');
    return of.send(`/${id}/documents`, { body });
  };
  /** Nothing is left of it: no row, and no file. */
  const expectNothing = async () => {
    const folder = join(service.dataDir, 'documents');
    const { json } = await of.send<{ data: unknown[] }>(`/${id}/documents`);
    expect(json.data).to.deep.equal([]);
    expect(existsSync(folder) ? await everythingIn(folder) : []).to.deep.equal([]);
    await expectAlive(service);
  };

  it('leave nothing when one of them is of a kind that cannot be taken in, and say which can', async () => {
    const answer = await of.upload(id, [
      ['good.md', 'text'],
      ['virus.exe', 'MZ'],
    ]);

    const { message } = refusalOf(answer, 415);
    expect(message).to.contain('virus.exe').and.to.contain('pdf').and.to.contain('docx');
    await expectNothing();
  });

  it('leave nothing when one of them is too large, and say which and how large they may be', async () => {
    const answer = await of.upload(id, [
      ['good.md', 'text'],
      ['large.md', 'x'.repeat(100 * KILOBYTE + 1)],
    ]);

    const { message } = refusalOf(answer, 413);
    expect(message)
      .to.contain('large.md')
      .and.to.contain(String(100 * KILOBYTE))
      .and.to.contain('DOCUMENT_LIMIT');
    await expectNothing();
  });

  it('leave nothing when there are more than twenty', async () => {
    const answer = await of.upload(
      id,
      Array.from({ length: 21 }, (_, i) => [`${String(i)}.txt`, 'x'] as const),
    );

    expect(refusalOf(answer, 400).message).to.contain('20 files');
    await expectNothing();
  });

  it('leave nothing when the form has no file, another field or a file in another field', async () => {
    const file = new Blob(['text']);

    refusalOf(await form(), 400);
    refusalOf(await form(['note', 'x']), 400);
    refusalOf(await form(['file', file], ['note', 'x']), 400);
    refusalOf(await form(['document', file]), 400);

    await expectNothing();
  });

  it('leave nothing when the form is cut short or damaged', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf of it';

    refusalOf(await of.send(`/${id}/documents`, { headers, body: part }), 400);
    refusalOf(
      await of.send(`/${id}/documents`, { headers: { 'content-type': 'multipart/form-data' }, body: part }),
      400,
    );

    await expectNothing();
  });

  for (const [what, body] of [
    ['no address', {}],
    ['no http', { url: 'file:///etc/passwd' }],
    ['what is no address', { url: 'http://' }],
    ['a password in it', { url: 'https://ada:secret@x.example/' }],
    ['an address without end', { url: `https://x.example/${'x'.repeat(3_000)}` }],
    ['another key', { url: 'https://x.example/', filename: 'x' }],
  ] as const) {
    it(`leave nothing when they are to be fetched from ${what}`, async () => {
      refusalOf(await of.send(`/${id}/documents`, { body }), 400);

      await expectNothing();
    });
  }

  it('are told what to send when they come as neither form nor JSON', async () => {
    refusalOf(
      await of.send(`/${id}/documents`, { body: 'text', headers: { 'content-type': 'text/plain' } }),
      415,
    );
  });

  for (const [what, body] of [
    ['no question', {}],
    ['an empty question', { query_text: ' ' }],
    ['a question of 8001 characters', { query_text: 'x'.repeat(8_001) }],
    ['no passages', { query_text: 'x', top_k: 0 }],
    ['101 passages', { query_text: 'x', top_k: 101 }],
    ['a threshold above one', { query_text: 'x', threshold: 1.1 }],
    ['another key', { query_text: 'x', collection: 'y' }],
  ] as const) {
    it(`and so are questions with ${what}`, async () => {
      refusalOf(await of.send(`/${id}/query`, { body }), 400);
    });
  }
});
