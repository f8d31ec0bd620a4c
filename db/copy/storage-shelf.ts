import type { Knex } from 'knex';
import type { BlobStore } from '../../src/core/blobs.js';
import { registerBlob } from '../files/named/blob-rows.js';
import { foldedPath } from '../files/named/names.js';
import { now } from '../query/values.js';
import { digestOf, type FileName, type Shelf } from './shelf.js';

interface Row {
  readonly id: number;
  readonly owner_id: number;
  readonly path: string;
  readonly blob: string;
  readonly at: string;
}

const AT_ONCE = 500;

/** Private files whose names are in the database and whose bytes are in object storage. */
export function createStorageShelf(db: Knex, blobs: BlobStore): Shelf {
  const find = ({ ownerId, path, at, isBackup }: FileName) =>
    db(isBackup ? 'file_backups' : 'files')
      .where({ owner_id: ownerId, path, ...(isBackup ? { created_at: at } : {}) })
      .first<Row | undefined>('blob');

  async function* files(): AsyncGenerator<Row> {
    for (let after: Row | undefined; ;) {
      const rows: Row[] = await db('files')
        .whereRaw('(owner_id, path) > (?, ?)', [after?.owner_id ?? 0, after?.path ?? ''])
        .orderBy(['owner_id', 'path'])
        .limit(AT_ONCE)
        .select('owner_id', 'path', 'blob', 'updated_at as at');
      yield* rows;
      after = rows.at(-1);
      if (!after) return;
    }
  }

  async function* backups(): AsyncGenerator<Row> {
    for (let after = 0; ;) {
      const rows: Row[] = await db('file_backups')
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .select('id', 'owner_id', 'path', 'blob', 'created_at as at');
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  const fileOf = ({ owner_id, path, at, blob }: Row, isBackup: boolean) => ({
    ...{ ownerId: owner_id, path, at, isBackup },
    open: () => blobs.open(blob),
  });

  return {
    async *list() {
      for await (const row of files()) yield fileOf(row, false);
      for await (const row of backups()) yield fileOf(row, true);
    },

    async digestOf(file) {
      const row = await find(file);
      return row && digestOf(await blobs.open(row.blob));
    },

    /** In the order in which the service does it: registered, put, named. */
    async keep({ ownerId, path, at, isBackup }, bytes) {
      const blob = await registerBlob(db, ownerId, bytes);
      await blobs.put(blob, bytes, { isNew: true });
      await db.transaction(async (trx) => {
        await trx('file_blobs').where({ key: blob }).update({ state: 'named', changed_at: now() });
        const row = { owner_id: ownerId, path, blob };
        if (isBackup) await trx('file_backups').insert({ ...row, created_at: at });
        else
          await trx('files').insert({
            ...{ ...row, folded: foldedPath(path.split('/')), size: bytes.size, updated_at: at },
          });
      });
    },
  };
}
