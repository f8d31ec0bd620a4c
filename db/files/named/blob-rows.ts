import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { type BlobStore, isStorageAway, type SpooledBytes } from '../../../src/core/blobs.js';
import { now } from '../../query/values.js';

/*
 * Why no name ever refers to bytes that are gone. Each put has a key of its own, made here, which no other put can have:
 * the same bytes sent again are another blob. A row tells what becomes of it and only ever goes from "arriving" to
 * "named" to "doomed", or straight to the end. A name is given in the transaction that turns "arriving" into "named", and
 * taken away in the one that turns "named" into "doomed". Bytes are only deleted of a row that is doomed already, so
 * nobody can name them any more. The row is there before the bytes are, and goes an hour after it was doomed, when a put
 * of a process that fell asleep has long been given up: no bytes are left without one.
 */
const LONG_MS = 3_600_000;
const SOME = 200;

/** The key of bytes that are about to be put. */
export async function registerBlob(
  db: Knex,
  ownerId: number,
  { sha256, size }: Pick<SpooledBytes, 'sha256' | 'size'>,
): Promise<string> {
  const key = `${String(ownerId)}/${sha256}-${randomUUID()}`;
  await db('file_blobs').insert({ key, owner_id: ownerId, size, state: 'arriving', changed_at: now() });
  return key;
}

export async function doomBlobs(db: Knex, keys: readonly string[]): Promise<void> {
  await db('file_blobs').whereIn('key', keys).update({ state: 'doomed', changed_at: now() });
}

/** False when it has a name after all. */
export async function doomUnnamed(db: Knex, key: string): Promise<boolean> {
  const unnamed = db('file_blobs').where({ key, state: 'arriving' });
  return (await unnamed.update({ state: 'doomed', changed_at: now() })) > 0;
}

/** Of those that are doomed. A store that is away leaves them to the next who sweeps. */
export async function deleteDoomed(blobs: BlobStore, keys: readonly string[]): Promise<boolean> {
  try {
    await blobs.delete(keys);
    return true;
  } catch (fault) {
    if (isStorageAway(fault)) return false;
    throw fault;
  }
}

/** What nobody has named for long, and what was doomed long ago. */
export async function sweepBlobs(db: Knex, blobs: BlobStore): Promise<number> {
  const before = new Date(Date.now() - LONG_MS).toISOString();
  await db('file_blobs')
    .where({ state: 'arriving' })
    .where('changed_at', '<', before)
    .update({ state: 'doomed', changed_at: now() });
  // Their names went with the account.
  await db('file_blobs')
    .where({ state: 'named' })
    .whereNotExists(db('users').select('id').whereRaw('users.id = file_blobs.owner_id'))
    .update({ state: 'doomed', changed_at: now() });
  for (let swept = 0; ;) {
    const due = db('file_blobs').where({ state: 'doomed' }).where('changed_at', '<', before);
    const keys = (await due.orderBy('changed_at').limit(SOME).pluck('key')) as string[];
    if (keys.length === 0 || !(await deleteDoomed(blobs, keys))) return swept;
    await db('file_blobs').whereIn('key', keys).delete();
    swept += keys.length;
  }
}
