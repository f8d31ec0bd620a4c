import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { openDb } from '../open.js';

/** Lets `work` write to the database as it is, and keeps nothing of it. */
export async function rehearse<T>(target: DatabaseTarget, work: (db: Knex) => Promise<T>): Promise<T> {
  return target.kind === 'sqlite' ? onACopy(target.file, work) : inVain(target, work);
}

/** Not in a transaction of the real file: that would keep a running service from writing all the while. */
async function onACopy<T>(file: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-rehearsal-'));
  try {
    const copy = join(folder, 'copy.db');
    if (existsSync(file)) await copyDatabase(file, copy);
    return await withDb({ kind: 'sqlite', file: copy }, work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inVain<T>(target: DatabaseTarget, work: (db: Knex) => Promise<T>): Promise<T> {
  return withDb(target, async (db) => {
    const trx = await db.transaction();
    try {
      return await work(trx);
    } finally {
      await trx.rollback();
    }
  });
}

async function copyDatabase(file: string, copy: string): Promise<void> {
  const db = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  try {
    await db.raw('VACUUM INTO ?', [copy]);
  } finally {
    await db.destroy();
  }
}

export async function withDb<T>(target: DatabaseTarget, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = await openDb(target);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
