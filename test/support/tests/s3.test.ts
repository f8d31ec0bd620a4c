import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { S3_BUCKET, S3_CREDENTIALS } from '../fakes/s3.js';
import { type FakeS3, type S3Process, startFakeS3, startS3Process } from '../s3-server.js';

const clientAt = (endpoint: string, credentials = S3_CREDENTIALS) =>
  new S3Client({ endpoint, credentials, forcePathStyle: true, region: 'eu-central-1', maxAttempts: 1 });
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'allowed',
    (error: unknown) => (error as Error).name,
  );
const sum = (text: string) => createHash('sha256').update(text).digest('base64');

describe('the fake S3', function () {
  this.timeout(60_000);

  let fake: FakeS3;
  let s3: S3Client;
  before(async () => {
    fake = await startFakeS3();
    s3 = clientAt(fake.url);
  });
  beforeEach(() => {
    fake.state.objects.clear();
    fake.state.faults = [];
  });
  after(async () => {
    s3.destroy();
    await fake.stop();
  });
  const put = (Key: string, Body: string | Readable, more: object = {}) =>
    s3.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key, Body, ...more }));
  const text = async (Key: string, more: object = {}) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: S3_BUCKET, Key, ...more }));
    return await (Body as { transformToString(): Promise<string> }).transformToString();
  };

  it('keeps what a client of AWS puts, whole, in chunks and under odd names, and gives it back', async () => {
    const head = async (Key: string) =>
      (await s3.send(new HeadObjectCommand({ Bucket: S3_BUCKET, Key }))).ContentLength;
    await put('a/whole', 'one', { ChecksumSHA256: sum('one') });
    await put('a/chunked', Readable.from([Buffer.from('tw'), Buffer.from('o')]), {
      ContentLength: 3,
      ChecksumAlgorithm: 'SHA256',
    });
    await put('a/odd + é=&', 'three');

    expect([await text('a/whole'), await text('a/chunked'), await text('a/odd + é=&')]).to.deep.equal([
      'one',
      'two',
      'three',
    ]);
    expect(await text('a/whole', { Range: 'bytes=1-' })).to.equal('ne');
    expect(await head('a/chunked')).to.equal(3);
    expect(await refusal(text('a/missing'))).to.equal('NoSuchKey');
  });

  it('refuses a wrong key, a wrong checksum, another bucket and a second put on the condition that it is new', async () => {
    const thief = clientAt(fake.url, { ...S3_CREDENTIALS, secretAccessKey: 'another' });
    await put('once', 'first', { IfNoneMatch: '*' });

    expect(await refusal(put('once', 'second', { IfNoneMatch: '*' }))).to.equal('PreconditionFailed');
    expect(await refusal(put('sum', 'bytes', { ChecksumSHA256: sum('others') }))).to.contain('Mismatch');
    expect(await refusal(put('else', 'bytes', { Bucket: 'elsewhere' }))).to.equal('NoSuchBucket');
    expect(await refusal(thief.send(new GetObjectCommand({ Bucket: S3_BUCKET, Key: 'once' })))).to.equal(
      'SignatureDoesNotMatch',
    );
    expect(await text('once')).to.equal('first');
  });

  it('lists by prefix page by page, and deletes one and many', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await put(key, 'x');
    const page = (more: object) =>
      s3.send(new ListObjectsV2Command({ Bucket: S3_BUCKET, Prefix: 'a/', MaxKeys: 2, ...more }));

    const first = await page({});
    const second = await page({ ContinuationToken: first.NextContinuationToken });
    await s3.send(new DeleteObjectCommand({ Bucket: S3_BUCKET, Key: 'a/1' }));
    const Objects = [{ Key: 'a/2' }, { Key: 'a/3' }];
    await s3.send(new DeleteObjectsCommand({ Bucket: S3_BUCKET, Delete: { Objects } }));

    expect([first, second].map(({ Contents = [] }) => Contents.map(({ Key }) => Key))).to.deep.equal([
      ['a/1', 'a/2'],
      ['a/3'],
    ]);
    expect([...fake.state.objects.keys()]).to.deep.equal(['b/1']);
  });

  it('fails as it is told, and notes it', async () => {
    await put('x', 'some text');
    fake.state.faults = [
      { kind: 'unavailable', times: 1 },
      { kind: 'denied', times: 1 },
      { kind: 'refuse', times: 1 },
      { kind: 'cut', times: 1 },
    ];

    const refusals = [];
    for (let i = 0; i < 5; i++) refusals.push(await refusal(text('x')));

    expect(refusals.slice(0, 2)).to.deep.equal(['SlowDown', 'AccessDenied']);
    expect(refusals.slice(2, 4)).not.to.include('allowed');
    expect(refusals[4]).to.equal('allowed');
    const outcomes = (await fake.ledger('x')).map(({ outcome }) => outcome);
    expect(outcomes.slice(-5)).to.deep.equal(['SlowDown', 'AccessDenied', 'refuse', 'cut', 'GET']);
  });

  it('runs in a process of its own', async () => {
    const own: S3Process = await startS3Process();
    const client = clientAt(own.url);
    const write = () =>
      refusal(client.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key: 'k', Body: 'v' })));
    try {
      await own.faults([{ kind: 'unavailable' }]);
      const refused = await write();
      await own.faults([]);

      expect([refused, await write(), await own.keys()]).to.deep.equal(['SlowDown', 'allowed', ['k']]);
      expect((await own.ledger()).map(({ outcome }) => outcome)).to.include.members(['SlowDown', 'PUT']);
    } finally {
      client.destroy();
      await own.stop();
    }
  });
});
