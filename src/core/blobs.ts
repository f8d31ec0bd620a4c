import type { Readable } from 'node:stream';
import type { Timestamp } from './base/ids.js';
import { AppError, unavailable } from './errors.js';

/** Bytes in a file of this machine, on their way to where all processes find them. */
export interface SpooledBytes {
  readonly file: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export interface BlobFacts {
  readonly key: string;
  readonly size: number;
  readonly updatedAt: Timestamp;
}

/** Opened to be read. Either `bytes` is called, which closes it at its end, or `close`. */
export interface OpenBytes {
  readonly size: number;
  bytes(): Readable;
  close(): Promise<void>;
}

/**
 * Bytes under keys, in a folder or in a bucket. What is put is there whole or not at all. A store that cannot be reached is
 * a refusal with 503 and the code `storage_unavailable`.
 */
export interface BlobStore {
  /** Replaces what is there, in one moment, unless the key `isNew`: then nothing is ever replaced. */
  put(key: string, bytes: SpooledBytes, options?: { readonly isNew?: boolean }): Promise<void>;
  /** Undefined when there is none. Of more than `maxBytes` only so many are read. */
  open(key: string, options?: { readonly maxBytes?: number }): Promise<OpenBytes | undefined>;
  /** Lends the bytes as a file of this machine, for as long as the work takes. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Puts the bytes of one key in the place of another's, in one moment. */
  move(from: string, to: string): Promise<void>;
  /** Those that are not there are no fault. */
  delete(keys: readonly string[]): Promise<void>;
  list(): AsyncIterable<BlobFacts>;
}

const AWAY = 'storage_unavailable';

/** What people are told, whatever keeps us from the store; the reason is for the log and for doctor. */
export function storageAway(cause: unknown): AppError {
  return unavailable('The storage of files cannot be reached. Try again in a moment.', AWAY, cause);
}

/** Whether what failed may work later, with nothing wrong about the bytes themselves. */
export function isStorageAway(fault: unknown): boolean {
  return fault instanceof AppError && fault.code === AWAY;
}

/** What the usual variables of AWS say, for every place in object storage. */
export interface S3Access {
  readonly region: string | undefined;
  /** Without, the AWS client looks for them where it always does. */
  readonly credentials: S3Credentials | undefined;
}

/** A place in object storage, as `BLOBS_URL` names it. */
export interface S3Place extends S3Access {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Of a store that is not Amazon's. */
  readonly endpoint: string | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** What needs no encoding in an address, so that every server takes it for the same key. */
const PREFIX = /^(?:[\w-][\w.-]*(?:\/|$))*$/;
const PARAMETERS = new Set(['endpoint', 'region']);

/** What is wrong with such a URL, to follow its name; undefined when nothing is. */
export function blobsUrlFault(written: string): string | undefined {
  const form = 's3://bucket/prefix?endpoint=…&region=…';
  if (!/^s3:\/\//.test(written) || !URL.canParse(written)) return `must be empty or ${form}`;
  const url = new URL(written);
  if (url.username !== '' || url.password !== '')
    return 'must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  if (!BUCKET.test(url.hostname)) return `must name a bucket: ${form}`;
  if (!PREFIX.test(prefixOf(url)))
    return 'must have a prefix of letters, digits, ".", "_", "-" and "/" alone';
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `must have no parameters but endpoint and region, not "${unknown}"`;
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !isHttp(endpoint))
    return 'must have an endpoint that is an http:// or https:// URL';
  return undefined;
}

/** The place that a URL without a fault names. */
export function s3PlaceIn(written: string, access: Partial<S3Access>): S3Place {
  const url = new URL(written);
  const prefix = prefixOf(url);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  // A server of one's own has no regions, and takes any name for one.
  const region = url.searchParams.get('region') ?? access.region ?? (endpoint && 'us-east-1');
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    credentials: access.credentials,
  };
}

function prefixOf({ pathname }: URL): string {
  return pathname.replace(/^\/|\/$/g, '');
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
