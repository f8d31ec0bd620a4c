import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { type Service } from '../../support/service.js';
import { sharedService } from '../../support/test-service.js';
import { aForm, type FileList, type FileRecord, sendRaw, upload } from '../support/file-client.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import { aPerson, auditOf, type Person } from '../support/users-fixture.js';

describe('files over HTTP', () => {
  let service: Service;
  let owner: Person;
  before(async () => {
    service = (await sharedService()).service;
    owner = await aPerson(service);
  });

  const get = (path: string, key = owner.key) => service.request(`/lamb/v1/files/${path}`, { key });
  const remove = (path: string, key = owner.key) =>
    service.request(`/lamb/v1/files/${path}`, { key, method: 'DELETE' });
  const list = async (query = '', key = owner.key) =>
    (await service.request<FileList>(`/lamb/v1/files${query}`, { key })).json;

  it('come back byte for byte as they were sent', async () => {
    const content = Uint8Array.from(randomBytes(300_000));
    const path = `${uniqueName('folder')}/a b/üñí %41.bin`;

    const made = await upload(service, path, content, { key: owner.key });
    const response = await fetch(
      `${service.url}/lamb/v1/files/${path.split('/').map(encodeURIComponent).join('/')}`,
      {
        headers: { authorization: `Bearer ${owner.key}` },
      },
    );

    expect(made.status).to.equal(201);
    expect(made.json).to.deep.include({ path, size: 300_000, type: 'application/octet-stream' });
    expect(sha(new Uint8Array(await response.arrayBuffer()))).to.equal(sha(content));
    expect(response.headers.get('content-length')).to.equal('300000');
  });

  it('are sent as something to be saved, which no browser runs', async () => {
    const name = 'naïve "x".html';
    await upload(service, name, '<script>alert(1)</script>', { key: owner.key });

    const { headers, status } = await get(encodeURIComponent(name));
    const head = await service.request(`/lamb/v1/files/${encodeURIComponent(name)}`, {
      key: owner.key,
      method: 'HEAD',
    });

    expect(status).to.equal(200);
    expect(Object.fromEntries(headers)).to.deep.include({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="na?ve \\"x\\".html"; filename*=UTF-8''na%C3%AFve%20%22x%22.html`,
    });
    expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([200, '', '25']);
  });

  it('are called like the file itself when no path is given, in UTF-8 and without its folders', async () => {
    const body = aForm('x', undefined, 'C:/Documents/Prüfung 1.MD');

    const { json } = await service.request<FileRecord>('/lamb/v1/files', { key: owner.key, body });

    expect(json).to.include({ path: 'Prüfung 1.MD', type: 'text/markdown' });
  });

  it('are listed by path, page by page, by folder and by part of the path', async () => {
    const { key } = await aPerson(service);
    for (const path of ['b.md', 'a/2.md', 'a/1.txt', 'c']) await upload(service, path, 'x', { key });

    const first = await list('?limit=3', key);
    const second = await list(`?limit=3&cursor=${first.next_cursor!}`, key);

    expect(first.data.map(({ path }) => path)).to.deep.equal(['a/1.txt', 'a/2.md', 'b.md']);
    expect(first.data[0]).to.have.all.keys('path', 'size', 'type', 'updated_at');
    expect([second.data.map(({ path }) => path), second.next_cursor]).to.deep.equal([['c'], null]);
    expect((await list('?folder=a', key)).data).to.have.length(2);
    expect((await list('?q=.MD', key)).data.map(({ path }) => path)).to.deep.equal(['a/2.md', 'b.md']);
    refusalOf(await service.request('/lamb/v1/files?cursor=Li4vLi4', { key }), 400);
    refusalOf(await service.request('/lamb/v1/files?folder=../1', { key }), 400);
  });

  it('are listed a folder at a time, with the folders in it and how much they hold', async () => {
    const { key } = await aPerson(service);
    for (const path of ['a/1', 'a/b/2', 'a/b/c/3', 'a.md', 'd/4', 'z'])
      await upload(service, path, 'x', { key });
    const shown = async (query: string) =>
      (await list(`?shallow=true${query}`, key)).data.map(({ path, type }) => [path, type === 'folder']);

    const first = await list('?shallow=true&limit=2', key);
    const rest = await shown(`&limit=2&cursor=${first.next_cursor!}`);

    expect(first.data[0]).to.include({ path: 'a.md', size: 1 });
    expect(first.data[1]).to.deep.equal({ path: 'a', type: 'folder', files: 3 });
    expect(rest).to.deep.equal([
      ['d', true],
      ['z', false],
    ]);
    expect(await shown('&folder=a')).to.deep.equal([
      ['a/1', false],
      ['a/b', true],
    ]);
    expect(await shown('&q=3')).to.deep.equal([['a/b/c/3', false]]);
    expect(await shown('&folder=nowhere')).to.deep.equal([]);
    refusalOf(await service.request('/lamb/v1/files?shallow=true&folder=../1', { key }), 400);
  });

  it('are replaced by a second upload, and gone after they are deleted', async () => {
    const path = `${uniqueName('f')}.txt`;
    await upload(service, path, 'first', { key: owner.key });
    await upload(service, path, 'second', { key: owner.key });

    const { text } = await get(path);
    const statuses = [await remove(path), await remove(path), await get(path)].map(({ status }) => status);

    expect(text).to.equal('second');
    expect(statuses).to.deep.equal([204, 404, 404]);
  });

  it('belong to one person each: to everybody else, administrators included, they are not there', async () => {
    const path = `${uniqueName('mine')}.txt`;
    await upload(service, path, 'private', { key: owner.key });
    const colleague = await aPerson(service, { organizationId: owner.organizationId, role: 'org_admin' });

    for (const key of [colleague.key, service.adminKey]) {
      const missing = refusalOf(await get('no-such-file.txt', key), 404).message;
      expect(refusalOf(await get(path, key), 404).message.replace(path, 'no-such-file.txt')).to.equal(
        missing,
      );
      refusalOf(await remove(path, key), 404);
      expect(JSON.stringify(await list('', key))).not.to.contain(path);
    }
    expect((await get(path)).text).to.equal('private');
  });

  it('cannot be stored by students, which is audited', async () => {
    const student = await aPerson(service, { role: 'student' });

    refusalOf(await upload(service, 'a.txt', 'x', { key: student.key }), 403);

    expect(await auditOf(service, student)).to.have.length(1);
  });

  const tricks = [
    '../../bellwether.db',
    '..%2f..%2fbellwether.db',
    '%2e%2e/%2e%2e/bellwether.db',
    '%2e%2e%2f%2e%2e%2fbellwether.db',
    '%252e%252e%252fbellwether.db',
    '..%5c..%5cbellwether.db',
    '..\\..\\bellwether.db',
    './bellwether.db',
    '%2Fetc%2Fpasswd',
    '//etc/passwd',
    'file:///etc/passwd',
    'C:%5Cx',
    'C:/x',
    'a%00.txt',
    'a%0a.txt',
    '%ff%fe',
    '%zz',
    'x'.repeat(5_000),
    '%F0%9F%98%80'.repeat(64),
    '.incoming',
    '../.locks/1',
    '1/../../bellwether.db',
  ];
  it('cannot be named by tricks in the address, to read or to delete', async () => {
    for (const trick of tricks) {
      for (const method of ['GET', 'DELETE', 'HEAD']) {
        const { status, text } = await sendRaw(service, method, `/lamb/v1/files/${trick}`);
        expect(status, `${method} ${trick}`).to.be.oneOf([400, 404]);
        expect(text).not.to.match(/SQLite format|root:/);
      }
    }
    await expectAlive(service);
    expect((await service.request('/readyz', { key: null })).status).to.equal(200);
  });

  it('are one file whether a slash in the address is encoded or not', async () => {
    await upload(service, 'folder/x.txt', 'same', { key: owner.key });

    expect((await get('folder%2Fx.txt')).text).to.equal('same');
    expect((await get('folder/x.txt')).text).to.equal('same');
  });
});

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
