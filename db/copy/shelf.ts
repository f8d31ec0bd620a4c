import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { OpenBytes, SpooledBytes } from '../../src/core/blobs.js';

/** A file of somebody, or a state that it had before it was changed. */
export interface FileName {
  readonly ownerId: number;
  readonly path: string;
  /** When it was written; of a backup, when it was set aside. */
  readonly at: string;
  readonly isBackup: boolean;
}

/** The private files of all people. */
export interface Shelf {
  list(): AsyncIterable<FileName & { open(): Promise<OpenBytes | undefined> }>;
  digestOf(file: FileName): Promise<string | undefined>;
  keep(file: FileName, bytes: SpooledBytes): Promise<void>;
}

export async function digestOf(open: OpenBytes | undefined): Promise<string | undefined> {
  if (!open) return undefined;
  const hash = createHash('sha256');
  await pipeline(open.bytes(), hash);
  return hash.digest('hex');
}
