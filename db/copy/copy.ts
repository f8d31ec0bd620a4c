import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { badRequest } from '../../src/core/errors.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { NAMES_OF_FILES } from './derived.js';
import {
  type BlobPlace,
  type CopiedFiles,
  copyFiles,
  isSamePlace,
  mustHoldFiles,
  NO_FILES,
} from './files.js';
import { type CopyPair, planCopy } from './plan.js';
import { batchesOf, countRows, type Sum, sumUp } from './read.js';
import { lastNumbers, setLastNumbers } from './sequences.js';
import { anotherCopy, nameOf, openTarget, othersAt, type TargetState, withSource } from './sides.js';
import { tablesIn } from './tables.js';
import { advance, beginCopy, endCopy, markDone, progressOf, sourceOfCopy } from './unfinished.js';
import { writeRows } from './write.js';

export interface CopyJob {
  readonly from: DatabaseTarget;
  readonly to: DatabaseTarget;
  /** Where the bytes of files and documents are, and where they go. */
  readonly blobs: { readonly from: BlobPlace; readonly to: BlobPlace };
  readonly signal: AbortSignal;
  onProgress(progress: { readonly title: string; readonly done: number; readonly total: number }): void;
  warn(sentence: string): void;
}

export interface CopyOutcome {
  readonly tables: readonly (Sum & { readonly name: string })[];
  /** Rows that were not there before. */
  readonly copied: number;
  readonly files: CopiedFiles;
  /** Whether anything is sealed with the key of the installation. */
  readonly sealed: boolean;
}

/** From one database into another, and verified. Killed at any moment and run again, it goes on where it was. */
export async function copyDatabase(job: CopyJob): Promise<CopyOutcome> {
  if (nameOf(job.from) === nameOf(job.to)) throw badRequest('Source and target are the same database.');
  return withSource(job.from, async (source) => {
    const others = await othersAt(job.from, source);
    if (others !== undefined)
      job.warn(`${others}: what is written from now on is not copied. Stop it first.`);
    const isMoved = !isSamePlace(job.blobs.from, job.blobs.to);
    if (isMoved) await mustHoldFiles(job.blobs.from, source);
    const { db: target, state, close } = await openTarget(job.to);
    try {
      const leftOut = isMoved ? NAMES_OF_FILES : [];
      const pairs = planCopy(await tablesIn(source), await tablesIn(target), leftOut);
      const copied = state === 'filled' ? 0 : await fill({ ...job, source, target, pairs }, state);
      if (state === 'filled') await mustHoldAsMany(source, target, pairs);
      const tables = await verify({ ...job, source, target, pairs }, state);
      const files = isMoved ? await copyFiles({ ...job, source, target }) : NO_FILES;
      if (state !== 'filled') await endCopy(target);
      return { tables, copied, files, sealed: tables.some(({ sealed }) => sealed) };
    } finally {
      await close();
    }
  });
}

interface Copying extends CopyJob {
  readonly source: Knex;
  readonly target: Knex;
  readonly pairs: readonly CopyPair[];
}

async function fill(copying: Copying, state: 'empty' | 'unfinished'): Promise<number> {
  const { source, target, pairs } = copying;
  const identity = await identityOf(source);
  if (state === 'empty') await begin(copying, identity);
  else if ((await sourceOfCopy(target)) !== identity)
    throw badRequest(
      'The target is an unfinished copy of another source. Copy into a database that is empty.',
    );
  let copied = 0;
  for (const pair of pairs) copied += await copyTable(copying, pair);
  await setLastNumbers(target, await lastNumbers(source));
  if (isPostgres(target)) await target.raw('ANALYZE');
  return copied;
}

/** What migrations write into a new database is in the source as well. Where there is nothing, no trigger is woken. */
async function begin({ target, pairs }: Copying, identity: string): Promise<void> {
  await target.transaction(async (trx) => {
    for (const { name } of [...pairs].reverse())
      if ((await countRows(trx, name)) > 0) await trx(name).delete();
    await beginCopy(
      trx,
      identity,
      pairs.map(({ name }) => name),
    );
  });
}

/** Who was there first, and since when: facts that no later use changes. */
async function identityOf(source: Knex): Promise<string> {
  const first = (table: string) =>
    rawRows(source, `SELECT id, created_at FROM ${table} ORDER BY id LIMIT 1`, []);
  const facts = [await first('organizations'), await first('users')];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

async function copyTable({ source, target, signal, onProgress }: Copying, pair: CopyPair): Promise<number> {
  const before = await progressOf(target, pair.name);
  if (before.isDone) return 0;
  const total = await countRows(source, pair.name);
  const title = `copying ${pair.name}`;
  let [copied, done] = [0, await countRows(target, pair.name)];
  let { position } = before;
  for await (const { rows, last } of batchesOf(source, pair.source, position)) {
    signal.throwIfAborted();
    const from = position;
    await target
      .transaction(async (trx) => {
        if (!(await advance(trx, pair.name, { from, to: last }))) throw anotherCopy();
        await writeRows(trx, pair.target, rows);
      })
      .catch(inTable(pair.name));
    position = last;
    copied += rows.length;
    done += rows.length;
    onProgress({ title, done, total });
  }
  await markDone(target, pair.name);
  return copied;
}

/** Foreign keys are looked at with every batch, on both engines. */
const FOREIGN_KEY = new Set(['23503', 'SQLITE_CONSTRAINT']);
/** Whatever a value of the source is, the target has no room for it. */
const UNFIT = /^22/;

function inTable(table: string): (fault: unknown) => never {
  return (fault) => {
    const { code = '', message } = fault as { readonly code?: string; readonly message: string };
    if (FOREIGN_KEY.has(code))
      throw badRequest(
        `Rows of ${table} refer to rows that the source does not have. "npm run doctor" at the source names them.`,
      );
    if (UNFIT.test(code)) throw badRequest(`A row of ${table} does not fit into the target (${message}).`);
    throw fault;
  };
}

/** Said at once: to read all of a large database only to refuse it would take long. */
async function mustHoldAsMany(source: Knex, target: Knex, pairs: readonly CopyPair[]): Promise<void> {
  for (const { name } of pairs) {
    const [there, here] = [await countRows(source, name), await countRows(target, name)];
    if (there !== here)
      throw otherData(`${name} (${String(there)} rows in the source, ${String(here)} in the target)`);
  }
}

const otherData = (differing: string) =>
  badRequest(
    `The target holds other data than the source: ${differing}. Nothing was changed in it. ` +
      'Copy into a database that is empty, or a file that is not there.',
  );

/** The source may have changed between two runs, behind where the first had come to. */
const changedMeanwhile = (differing: string) =>
  badRequest(
    `The copy differs from its source: ${differing}. The source was changed while it was being copied. ` +
      'Stop what writes to it, then copy into a database that is empty, or a file that is not there.',
  );

async function verify(
  { source, target, pairs, signal, onProgress }: Copying,
  state: TargetState,
): Promise<CopyOutcome['tables']> {
  const sums: (Sum & { readonly name: string })[] = [];
  const differing: string[] = [];
  for (const { name, ...pair } of pairs) {
    const total = await countRows(source, name);
    let done = 0;
    const [there, here] = await Promise.all([
      sumUp(source, pair.source, (rows) => {
        signal.throwIfAborted();
        onProgress({ title: `verifying ${name}`, done: (done += rows), total });
      }),
      sumUp(target, pair.target),
    ]);
    if (there.rows !== here.rows || there.digest !== here.digest) differing.push(name);
    sums.push({ name, ...there });
  }
  if (differing.length > 0) throw (state === 'filled' ? otherData : changedMeanwhile)(differing.join(', '));
  return sums;
}
