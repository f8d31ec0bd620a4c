import type { Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import type { BlobStore, S3Place } from '../../src/core/blobs.js';
import { openAsItIs } from '../open.js';
import { openBlobs } from './open.js';

export interface StoredBytes {
  readonly count: number;
  /** How much lies there that nobody names; the service takes it away by itself. */
  readonly orphans: number;
  /** In words, each with whose bytes they are. */
  readonly lost: readonly string[];
}

/** Few enough for the parameters a statement may have. */
const KEYS_AT_ONCE = 500;

/** Holds all that the database names against what a bucket lists, of which it keeps one page at a time. */
export async function lostBytes(
  target: DatabaseTarget,
  place: S3Place,
): Promise<Readonly<Record<'documents' | 'attachments' | 'files', StoredBytes>>> {
  const open = openBlobs(place);
  const nowhere = { folder: '', incoming: '' };
  const db = await openAsItIs(target);
  try {
    return {
      documents: await compare(open('documents', nowhere), documentsIn(db)),
      attachments: await compare(open('attachments', nowhere), attachmentsIn(db)),
      files: await compare(open('files', nowhere), filesIn(db)),
    };
  } finally {
    await db.destroy();
  }
}

interface Named {
  readonly key: string;
  /** Undefined where the same key may have other bytes by now. */
  readonly size?: number;
}

interface Names {
  all(): Promise<readonly Named[]>;
  /** Of these keys those that are named still, in words. */
  inWords(keys: readonly string[]): Promise<readonly string[]>;
}

async function compare(blobs: BlobStore, names: Names): Promise<StoredBytes> {
  const named = await names.all();
  const missing = new Map(named.map(({ key, size }) => [key, size]));
  const known = new Set(missing.keys());
  let orphans = 0;
  for await (const { key, size } of blobs.list()) {
    if (!known.has(key)) orphans += 1;
    const wanted = missing.get(key) ?? size;
    if (wanted === size) missing.delete(key);
  }
  const keys = [...missing.keys()];
  const lost: string[] = [];
  // What was deleted while the bucket was listed is not lost.
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE)
    lost.push(...(await names.inWords(keys.slice(at, at + KEYS_AT_ONCE))));
  return { count: named.length, orphans, lost };
}

const documentsIn = (db: Knex): Names => ({
  async all() {
    const ids = await db('documents').pluck<string[]>('id');
    return ids.map((key) => ({ key }));
  },
  async inWords(keys) {
    const ids = await db('documents').whereIn('id', keys).orderBy('id').pluck<string[]>('id');
    return ids.map((id) => `The original of document ${id} is not in the bucket.`);
  },
});

/** What could not be read is kept nowhere. */
const attachmentsIn = (db: Knex): Names => ({
  async all() {
    const ids = await db('attachments').whereNot('status', 'failed').pluck<string[]>('id');
    return ids.map((key) => ({ key }));
  },
  async inWords(keys) {
    const ids = await db('attachments')
      .whereIn('id', keys)
      .whereNot('status', 'failed')
      .orderBy('id')
      .pluck<string[]>('id');
    return ids.map((id) => `The bytes of attachment ${id} are not in the bucket.`);
  },
});

/** A key is written once, so its bytes are as many as they were then. */
const filesIn = (db: Knex): Names => ({
  async all() {
    const rows = await db('file_blobs')
      .where('state', 'named')
      .select<{ key: string; size: number | string }[]>('key', 'size');
    return rows.map(({ key, size }) => ({ key, size: Number(size) }));
  },
  async inWords(keys) {
    const rows = await db('file_blobs')
      .leftJoin('files', 'files.blob', 'key')
      .whereIn('key', keys)
      .where('state', 'named')
      .orderBy('key')
      .select<{ key: string; owner: number; path: string | null }[]>({
        ...{ key: 'key', owner: 'file_blobs.owner_id', path: 'files.path' },
      });
    return rows.map(
      ({ key, owner, path }) =>
        `${path === null ? 'A file before it was changed' : `"${path}"`} of user ${String(owner)} is not in the bucket as it was stored, at files/${key}.`,
    );
  },
});
