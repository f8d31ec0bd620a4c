import type { Knex } from 'knex';
import type { FileFacts } from '../../../src/core/files.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { isLockedByOthers, orAccountGone } from '../../query/refusals.js';
import { now } from '../../query/values.js';
import { filesBusy, tookTooLong } from '../owner-lock.js';
import { folded, isTaken, isTwin } from '../paths.js';
import { overQuota } from '../store.js';
import { doomBlobs } from './blob-rows.js';

export interface NameRow {
  readonly path: string;
  readonly size: number;
  readonly updated_at: string;
  readonly blob: string;
}

export interface Naming {
  readonly names: readonly string[];
  readonly blob: string;
  readonly size: number;
  /** The bytes that must be there still, and are kept as a backup; whatever is there when absent. */
  readonly instead?: string | undefined;
  /** Throws when nothing must be written any more; asked right before that. */
  readonly mayWrite?: () => void;
}

export interface OwnerOptions {
  readonly quotaBytes: number;
  /** So long somebody waits for others who change the same owner's files. */
  readonly waitMs: number;
}

/** Of each file so many are kept, and never more than so many were. */
const BACKUPS_KEPT = 5;
const MOST_BACKUPS = 100;
/** Any fixed number will do, as long as nothing else in the database locks on it beside a second one. */
const FILES_LOCK = 0x46494c45;
/** What comes right after a slash: a range up to it holds all that lies below a folder. */
const AFTER_SLASH = '0';

/** The names of one owner's files. Each change is one transaction, and they come one after the other. */
export function createNames(db: Knex, ownerId: number, { quotaBytes, waitMs }: OwnerOptions) {
  const own = (trx: Knex) => trx('files').where({ owner_id: ownerId });
  const find = (trx: Knex, path: string) => own(trx).where({ path }).first<NameRow | undefined>();

  const inTurn = async <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
    try {
      return await db.transaction(async (trx) => {
        if (isPostgres(db)) {
          await trx.raw(`SET LOCAL lock_timeout = ${String(waitMs)}`);
          await trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [FILES_LOCK, ownerId]);
        }
        return await work(trx);
      });
    } catch (fault) {
      if (isLockedByOthers(fault)) throw filesBusy();
      return orAccountGone(fault);
    }
  };

  const mustFit = async (trx: Knex, added: number) => {
    if (quotaBytes === 0 || added <= 0) return;
    const { used } = await own(trx).sum({ used: 'size' }).first<{ used: number | null }>();
    if (Number(used) + added > quotaBytes) throw overQuota(quotaBytes);
  };

  /** All that lies below a folder. */
  const below = (path: string, column: 'path' | 'folded') => (query: Knex.QueryBuilder) =>
    void query.where(column, '>=', `${path}/`).where(column, '<', path + AFTER_SLASH);
  /** What bears this name, as a file or as a folder. */
  const bearing = (path: string, column: 'path' | 'folded') => (query: Knex.QueryBuilder) =>
    void query.where(column, path).orWhere(below(path, column));

  const refuseTwins = async (trx: Knex, names: readonly string[]) => {
    for (const [at, name] of names.entries()) {
      const way = names.slice(0, at + 1);
      const twin = await own(trx)
        .where(bearing(foldedPath(way), 'folded'))
        .whereNot(bearing(way.join('/'), 'path'))
        .first<NameRow | undefined>();
      if (twin) throw isTwin(name, twin.path.split('/')[at] ?? '');
    }
  };

  const refuseClashes = async (trx: Knex, names: readonly string[]) => {
    const folders = names.slice(0, -1);
    const ways = folders.map((_, at) => folders.slice(0, at + 1).join('/'));
    if (await own(trx).whereIn('path', ways).first('path')) throw isTaken(folders);
    if (
      await own(trx)
        .where(below(names.join('/'), 'path'))
        .first('path')
    )
      throw isTaken(names.slice(-1));
  };

  const mustBeFree = async (trx: Knex, { names, size }: Pick<Naming, 'names' | 'size'>) => {
    const before = await find(trx, names.join('/'));
    await mustFit(trx, size - (before?.size ?? 0));
    await refuseTwins(trx, names);
    await refuseClashes(trx, names);
  };

  const taken = (trx: Knex, table: 'files' | 'file_backups', path: string) =>
    rawRows<{ readonly blob: string }>(
      trx,
      `DELETE FROM ${table} WHERE owner_id = ? AND path = ? RETURNING blob`,
      [ownerId, path],
    );

  /** The oldest of too many, whose bytes go. */
  const keepBackup = async (trx: Knex, path: string, blob: string): Promise<readonly string[]> => {
    const backups = () => trx('file_backups').where({ owner_id: ownerId, path });
    await trx('file_backups').insert({ owner_id: ownerId, path, blob, created_at: now() });
    const old = (await backups()
      .orderBy('id', 'desc')
      .offset(BACKUPS_KEPT)
      .limit(MOST_BACKUPS)
      .pluck('blob')) as string[];
    await backups().whereIn('blob', old).delete();
    return old;
  };

  return {
    find: (path: string) => find(db, path),

    below: async (folder: readonly string[]): Promise<readonly NameRow[]> =>
      await own(db)
        .where(folder.length === 0 ? {} : below(folder.join('/'), 'path'))
        .select<NameRow[]>(),

    /** Refuses what could not be named anyway, before its bytes are sent anywhere. */
    mustBeFree: (wanted: Pick<Naming, 'names' | 'size'>) => mustBeFree(db, wanted),

    /** Undefined when other bytes are there by now than those that were to be replaced. */
    name: ({ names, blob, size, instead, mayWrite }: Naming) =>
      inTurn(async (trx): Promise<{ facts: FileFacts; doomed: readonly string[] } | undefined> => {
        const path = names.join('/');
        // A write before any read, so that SQLite lets no other writer in between.
        const isOurs = await trx('file_blobs')
          .where({ key: blob, state: 'arriving' })
          .update({ changed_at: now() });
        if (isOurs === 0) throw tookTooLong();
        const before = await find(trx, path);
        if (instead !== undefined && before?.blob !== instead) return undefined;
        await mustBeFree(trx, { names, size });
        mayWrite?.();
        const row = { blob, size, updated_at: now() };
        await trx('file_blobs').where({ key: blob }).update({ state: 'named' });
        if (before) await own(trx).where({ path }).update(row);
        else await trx('files').insert({ owner_id: ownerId, path, folded: foldedPath(names), ...row });
        const doomed =
          instead === undefined ? (before ? [before.blob] : []) : await keepBackup(trx, path, instead);
        await doomBlobs(trx, doomed);
        return { facts: { path, size, updatedAt: row.updated_at }, doomed };
      }),

    /** Undefined when no file bears it; else what is not needed any more, backups included. */
    unname: (path: string) =>
      inTurn(async (trx): Promise<readonly string[] | undefined> => {
        const [gone] = await taken(trx, 'files', path);
        if (!gone) return undefined;
        const backups = await taken(trx, 'file_backups', path);
        const doomed = [gone, ...backups].map(({ blob }) => blob);
        await doomBlobs(trx, doomed);
        return doomed;
      }),
  };
}

export type Names = ReturnType<typeof createNames>;

export function foldedPath(names: readonly string[]): string {
  return names.map(folded).join('/');
}
