import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { openBlobs } from '../../../db/blobs/open.js';
import { spool } from '../../../db/blobs/spool.js';
import { type BlobStore, s3PlaceIn } from '../../../src/core/blobs.js';
import { S3_CREDENTIALS } from '../../support/fakes/s3.js';
import { type FakeS3, startFakeS3 } from '../../support/s3-server.js';

const times = { connectMs: 500, answerMs: 500, silenceMs: 500 };

describe('blobs in a bucket', () => {
  let s3: FakeS3;
  let incoming: string;
  let blobs: BlobStore;
  before(async () => {
    s3 = await startFakeS3();
    incoming = await mkdtemp(join(tmpdir(), 'bellwether-blobs-'));
    const place = s3PlaceIn(s3.blobsUrl('b'), { credentials: S3_CREDENTIALS });
    blobs = openBlobs(place, times)('documents', { folder: incoming, incoming });
  });
  afterEach(() => {
    s3.state.faults = [];
  });
  after(async () => {
    await s3.stop();
    await rm(incoming, { recursive: true, force: true });
  });
  const put = async (key: string, text: string, options = {}) => {
    const arrived = await spool(incoming, Buffer.from(text));
    await blobs.put(key, arrived, options).finally(arrived.discard);
  };
  const text = async (key: string) => {
    const open = await blobs.open(key);
    return open && (await buffer(open.bytes())).toString();
  };
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (fault: unknown) => (fault as { code?: string }).code,
    );

  it('are given up on when the server says nothing, at once or in the middle', async () => {
    await put('a', 'some text');
    const startedAt = performance.now();

    s3.state.faults = [{ kind: 'hang' }];
    const silent = [await codeOf(put('b', 'x')), await codeOf(text('a')), await codeOf(blobs.delete(['a']))];
    s3.state.faults = [{ kind: 'stall' }];
    const stalled = await codeOf(text('a'));

    expect([...silent, stalled]).to.deep.equal(Array(4).fill('storage_unavailable'));
    expect(performance.now() - startedAt).to.be.lessThan(10_000);
  });

  it('keep no connection to a server that refuses them before it has them', async () => {
    const hasty = createServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(hasty, 'listening');
    const closed = once(hasty, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const { port } = hasty.address() as AddressInfo;
    const endpoint = encodeURIComponent(`http://127.0.0.1:${String(port)}`);
    const place = s3PlaceIn(`s3://school?endpoint=${endpoint}`, { credentials: S3_CREDENTIALS });
    const patient = openBlobs(place, { connectMs: 60_000, answerMs: 60_000, silenceMs: 60_000 });
    const arrived = await spool(incoming, Buffer.alloc(1_000_000));

    const code = await codeOf(patient('documents', { folder: incoming, incoming }).put('a', arrived));
    await closed;

    expect(code).to.equal('storage_unavailable');
    await arrived.discard();
    hasty.close();
  });

  it('are tried again a few times, so that a fault that passes is nobody’s concern', async () => {
    s3.state.faults = [{ kind: 'unavailable', times: 2 }];
    await put('c', 'text');
    s3.state.faults = [{ kind: 'refuse', times: 2 }];

    expect(await text('c')).to.equal('text');
  });

  it('are replaced, unless the key is new: then nothing ever is', async () => {
    await put('d', 'first');
    await put('d', 'second');
    await put('d', 'third', { isNew: true });

    expect(await text('d')).to.equal('second');
  });

  it('are listed however many there are', async () => {
    const modified = new Date();
    for (let n = 0; n < 1_500; n++)
      s3.state.objects.set(`b/documents/many/${String(n)}`, { bytes: Buffer.of(1), modified });

    const keys = [];
    for await (const { key } of blobs.list()) if (key.startsWith('many/')) keys.push(key);

    expect(new Set(keys).size).to.equal(1_500);
  });
});
