import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { type BlobStore, type OpenBytes, type S3Place, storageAway } from '../../src/core/blobs.js';
import { notFound } from '../../src/core/errors.js';
import { spool } from './spool.js';

export interface S3Times {
  readonly connectMs: number;
  /** Until it has answered; what is sent along has time besides. */
  readonly answerMs: number;
  /** So long nothing may come in the middle of what is read. */
  readonly silenceMs: number;
}

const S3_TIMES: S3Times = { connectMs: 3_000, answerMs: 10_000, silenceMs: 15_000 };

/** Slower than that, nobody waits for an upload. */
const LEAST_BYTES_A_MS = 100;
const ATTEMPTS = 3;
const PAUSE_MS = 100;
const IN_USE_MS = 600_000;
/** So many are deleted at the same time. One by one, since not every server takes a list in the form that AWS wants. */
const AT_ONCE = 16;
/** Of what the bytes are, beside them; a copy keeps it. */
const HASH = 'sha256';

type Sdk = typeof import('@aws-sdk/client-s3');
/** Aborting ends the request, also one that has been answered. */
type Send<T> = (client: S3Client, sdk: Sdk, request: AbortController) => Promise<T>;
type Ask = <T>(send: Send<T>, bytes?: number) => Promise<T>;

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** How to ask a bucket; the client for it is loaded with the first question. */
export function s3Asker({ endpoint, region, credentials }: S3Place, times: S3Times = S3_TIMES): Ask {
  const load = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // The client writes into what it is given, and a configuration is frozen.
      ...(credentials ? { credentials: { ...credentials } } : {}),
      // Tried again here: the client tries nothing twice that it has to read from a stream.
      maxAttempts: 1,
      logger: SILENT,
      // Ours are sent and compared by ourselves: others than Amazon do not know the newest ones.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: times.connectMs, socketTimeout: times.silenceMs },
    });
    return { sdk, client };
  };
  let loaded: ReturnType<typeof load> | undefined;

  return async (send, bytes = 0) => {
    const { client, sdk } = await (loaded ??= load());
    for (let attempt = 1; ; attempt++) {
      try {
        return await within(times.answerMs + bytes / LEAST_BYTES_A_MS, (request) =>
          send(client, sdk, request),
        );
      } catch (fault) {
        if (attempt === ATTEMPTS || !mayPass(fault)) throw fault;
        await pause(attempt * PAUSE_MS);
      }
    }
  };
}

/** Not by `AbortSignal.timeout`: what is read afterwards has all the time it needs. */
async function within<T>(ms: number, work: (request: AbortController) => Promise<T>): Promise<T> {
  const request = new AbortController();
  const timer = setTimeout(() => {
    request.abort();
  }, ms);
  try {
    return await work(request);
  } finally {
    clearTimeout(timer);
  }
}

/** Blobs in a bucket, below a prefix. `incoming` is where those lie that are read by their path. */
export function createS3Blobs(
  { bucket: Bucket, prefix }: Pick<S3Place, 'bucket' | 'prefix'>,
  ask: Ask,
  incoming: string,
): BlobStore {
  const at = (key: string) => ({ Bucket, Key: prefix + key });

  const open = async (key: string, maxBytes?: number): Promise<OpenBytes | undefined> => {
    const Range = maxBytes === undefined ? undefined : `bytes=0-${String(maxBytes - 1)}`;
    const found = await ask((client, sdk, { signal: abortSignal }) =>
      client.send(new sdk.GetObjectCommand({ ...at(key), Range }), { abortSignal }),
    ).catch(unlessMissing);
    return found && opened(found, Range === undefined);
  };
  const remove = (key: string) =>
    ask((client, sdk, { signal: abortSignal }) =>
      client.send(new sdk.DeleteObjectCommand(at(key)), { abortSignal }),
    ).catch(unlessMissing);

  return {
    async put(key, { file, size, sha256 }, { isNew = false } = {}) {
      const condition = isNew ? { IfNoneMatch: '*' } : {};
      const content = {
        ContentLength: size,
        ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        Metadata: { [HASH]: sha256 },
      };
      await ask(async (client, sdk, request) => {
        const Body = createReadStream(file);
        const command = new sdk.PutObjectCommand({ ...at(key), ...condition, ...content, Body });
        try {
          await client.send(command, { abortSignal: request.signal });
        } catch (fault) {
          // Whoever answers before all has been sent would be waited for by the connection.
          request.abort();
          Body.destroy();
          // A new key is ours alone: what is there came by a try of which we did not hear the answer.
          if (!isNew || codeOf(fault) !== 'PreconditionFailed') throw fault;
        }
      }, size).catch(away);
    },

    open: (key, { maxBytes } = {}) => open(key, maxBytes),

    async withFile(key, work) {
      const blob = await open(key);
      if (!blob) throw notFound('The file');
      const { file, discard } = await spool(incoming, blob.bytes());
      // Whoever tidies up takes what has not been touched for an hour, and to recognise a book may take longer.
      const inUse = setInterval(() => void utimes(file, new Date(), new Date()).catch(nothing), IN_USE_MS);
      try {
        return await work(file);
      } finally {
        clearInterval(inUse);
        await discard();
      }
    },

    async move(from, to) {
      const CopySource = `${Bucket}/${prefix}${from}`;
      await ask((client, sdk, { signal: abortSignal }) =>
        client.send(new sdk.CopyObjectCommand({ ...at(to), CopySource }), { abortSignal }),
      ).catch(away);
      await remove(from);
    },

    async delete(keys) {
      for (let from = 0; from < keys.length; from += AT_ONCE) {
        await Promise.all(keys.slice(from, from + AT_ONCE).map(remove));
      }
    },

    async *list() {
      for (let ContinuationToken: string | undefined; ;) {
        const wanted = { Bucket, Prefix: prefix, ContinuationToken };
        const page = await ask((client, sdk, { signal: abortSignal }) =>
          client.send(new sdk.ListObjectsV2Command(wanted), { abortSignal }),
        ).catch(away);
        for (const { Key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
          yield {
            key: Key.slice(prefix.length),
            size,
            updatedAt: (LastModified ?? new Date()).toISOString(),
          };
        }
        ContinuationToken = page.NextContinuationToken;
        if (ContinuationToken === undefined) return;
      }
    },
  };
}

function opened({ Body, ContentLength, Metadata }: GetObjectCommandOutput, isWhole: boolean): OpenBytes {
  const body = Body as Readable;
  // Nobody may be listening yet when the line breaks; whoever reads then hears of it.
  body.on('error', () => undefined);
  return {
    size: ContentLength ?? 0,
    bytes: () => checked(body, isWhole ? Metadata?.[HASH] : undefined),
    close: () => {
      body.destroy();
      return Promise.resolve();
    },
  };
}

/** The bytes as they come. What breaks off, and what is not what was stored, ends as a fault. */
function checked(body: Readable, wanted: string | undefined): Readable {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      const isOther = wanted !== undefined && hash.digest('hex') !== wanted;
      done(isOther ? storageAway(new Error('The bytes that came are not those that were stored.')) : null);
    },
  });
  const broken = (fault?: unknown) => through.destroy(storageAway(fault));
  body.once('error', broken);
  // Node says nothing else of a connection that was closed too early.
  body.once('close', () => {
    if (!body.readableEnded) broken(new Error('The answer broke off.'));
  });
  through.once('close', () => body.destroy());
  return body.pipe(through);
}

/** What the client of AWS throws. */
interface Failure extends Error {
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether the same question may be answered the next moment. */
function mayPass(fault: unknown): boolean {
  const { name, $metadata: { httpStatusCode: status = 0 } = {} } = fault as Failure;
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return !isRefusal && name !== 'AbortError' && name !== 'CredentialsProviderError';
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);

/** The code of S3, or the name of what failed on the way to it. */
function codeOf(fault: unknown): string {
  const { Code, name } = fault as Failure;
  return Code ?? name;
}

function unlessMissing(fault: unknown): undefined {
  if (MISSING.has(codeOf(fault))) return undefined;
  return away(fault);
}

function away(fault: unknown): never {
  throw storageAway(fault);
}
