import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Service, startService } from '../../support/service.js';
import { aForm, everythingIn, type FileList, upload } from '../support/file-client.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const LIMIT = 600 * 1024;
const FILES = '/lamb/v1/files';

describe('an upload', () => {
  let service: Service;
  let person: Person;
  before(async () => {
    service = await startService({ BODY_LIMIT: '600kb', FILES_QUOTA_MB: '1', RATE_LIMIT: '0' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    person = await aPerson(service);
  });

  const send = (body: object | string | undefined, headers = {}) =>
    service.request(FILES, { key: person.key, method: 'POST', body, headers });
  const incoming = () => readdir(join(service.dataDir, 'files', '.incoming')).catch(() => []);
  const stored = async () =>
    (await service.request<FileList>(FILES, { key: person.key })).json.data.map(({ path }) => path);
  const expectNothingLeft = async () => {
    expect(await incoming()).to.deep.equal([]);
    expect(await stored()).to.deep.equal([]);
  };

  it('may be as large as the limit and not a byte larger', async () => {
    const fits = await upload(service, 'fits', new Uint8Array(LIMIT), { key: person.key });
    const tooLarge = await upload(service, 'large', new Uint8Array(LIMIT + 1), { key: person.key });

    expect(fits.status).to.equal(201);
    expect(refusalOf(tooLarge, 413).message).to.contain(String(LIMIT)).and.contain('BODY_LIMIT');
    expect(await stored()).to.deep.equal(['fits']);
    expect(await incoming()).to.deep.equal([]);
  });

  it('that is far too large, or does not say how large it is, leaves nothing behind', async () => {
    const announced = await upload(service, 'a', new Uint8Array(LIMIT * 4), { key: person.key });
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const unannounced = await fetch(service.url + FILES, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.key}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: new Blob([head, new Uint8Array(LIMIT * 4), '\r\n--b--']).stream(),
      duplex: 'half',
    });

    refusalOf(announced, 413);
    expect(unannounced.status).to.equal(413);
    await expectNothingLeft();
  });

  it('beyond the quota of its owner is refused, and told why', async () => {
    for (const path of ['a', 'b'])
      await upload(service, path, new Uint8Array(500 * 1024), { key: person.key });

    const third = await upload(service, 'c', new Uint8Array(500 * 1024), { key: person.key });
    const other = await upload(service, 'c', new Uint8Array(500 * 1024), {
      key: (await aPerson(service)).key,
    });

    expect(refusalOf(third, 413).message).to.contain('1 MB');
    expect(other.status).to.equal(201);
    expect(await stored()).to.deep.equal(['a', 'b']);
    expect(await incoming()).to.deep.equal([]);
  });

  it('must be a form', async () => {
    const form = 'multipart/form-data';
    refusalOf(await send({ path: 'a' }), 415);
    refusalOf(await send('text', { 'content-type': 'text/plain' }), 415);
    refusalOf(await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415);
    refusalOf(await send(undefined), 415);
    refusalOf(await send('no boundary', { 'content-type': form }), 400);
    refusalOf(await send('garbage', { 'content-type': `${form}; boundary=b` }), 400);
    refusalOf(await send('--b\r\n\r\n\r\n--b--', { 'content-type': `${form}; boundary=b` }), 400);
    await expectNothingLeft();
  });

  it('is one file in the field "file", with a path at most', async () => {
    const two = aForm('x', 'a');
    two.append('file', new Blob(['y']), 'second');
    const elsewhere = new FormData();
    elsewhere.set('upload', new Blob(['x']), 'a');
    const withMore = aForm('x', 'a');
    withMore.set('owner', '1');
    const twice = aForm('x', 'a');
    twice.append('path', 'b');
    const nested = aForm('x');
    nested.set('path[__proto__][x]', 'a');
    const without = new FormData();
    without.set('path', 'a');

    for (const body of [two, elsewhere, withMore, twice, nested, without]) refusalOf(await send(body), 400);

    await expectNothingLeft();
  });

  it('cannot be put outside by the path it brings, nor by its own name', async () => {
    const before = await everythingIn(service.dataDir);
    const paths = [
      '../x',
      '/x',
      '..\\x',
      'a/../../x',
      '',
      'a\0b',
      'a\nb',
      'x'.repeat(5_000),
      'C:\\x',
      '.',
      'a//b',
      'a/',
    ];

    for (const path of paths)
      expect(refusalOf(await send(aForm('x', path)), 400).param, path).to.equal('path');
    refusalOf(await send(aForm('x', undefined, '..')), 400);

    await expectNothingLeft();
    const isNews = (file: string) => !before.includes(file) && !/bellwether\.db/.test(file);
    expect((await everythingIn(service.dataDir)).filter(isNews)).to.deep.equal([]);
  });

  it('beside a file whose name differs only in case is a conflict', async () => {
    await upload(service, 'Notes.md', 'x', { key: person.key });

    refusalOf(await upload(service, 'notes.md', 'y', { key: person.key }), 409);
    refusalOf(await upload(service, 'Notes.md/x', 'y', { key: person.key }), 409);

    expect(await stored()).to.deep.equal(['Notes.md']);
  });

  it('that is broken off in the middle leaves nothing behind', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST ${FILES} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${person.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 500000',
    ];
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="half"\r\n\r\n';
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'x'.repeat(200_000)}`);
    await until(async () => (await incoming()).length === 1);

    socket.destroy();

    await until(async () => (await incoming()).length === 0);
    await expectNothingLeft();
    await expectAlive(service);
  });
});

/** What it waits for either comes, or the test runs out of time. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
