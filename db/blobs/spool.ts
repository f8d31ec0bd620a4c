import { createHash } from 'node:crypto';
import type { SpooledBytes } from '../../src/core/blobs.js';
import { tooLarge } from '../../src/core/errors.js';
import { writeIncoming } from '../files/incoming.js';

export interface Spooled extends SpooledBytes {
  /** However often it is called, and also when the file is elsewhere by now. */
  discard(): Promise<void>;
}

/** Writes what arrives to a file without a name, and finds out what it is on the way. */
export async function spool(
  folder: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { maxBytes = Infinity, isTidy = false }: { readonly maxBytes?: number; readonly isTidy?: boolean } = {},
): Promise<Spooled> {
  const hash = createHash('sha256');
  const { file, size, discard } = await writeIncoming(folder, metered(bytes, maxBytes, hash), { isTidy });
  return { file, size, sha256: hash.digest('hex'), discard };
}

/** The bytes as they come, as long as they are not too many. */
async function* metered(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
  hash: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(`The file is larger than ${inWords(maxBytes)}.`);
    hash.update(chunk);
    yield chunk;
  }
}

function inWords(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${String(Math.floor(megabytes * 10) / 10)} MB` : `${String(bytes)} bytes`;
}
