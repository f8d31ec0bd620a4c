import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { openDb } from '../db/open.js';
import { addUpSome } from '../db/stores/usage-sums.js';
import type { DatabaseTarget } from '../src/core/base/database-target.js';
import * as rows from './large-rows.js';
import type { Places, Sizes } from './large-rows.js';

export const LARGE: Sizes = {
  organizations: 20,
  users: 2_000,
  apiKeys: 5_000,
  assistants: 10_000,
  shares: 20_000,
  rubrics: 5_000,
  promptTemplates: 5_000,
  collections: 5_000,
  documents: 20_000,
  conversations: 100_000,
  runs: 200_000,
  ledgerRows: 1_000_000,
  versions: 500,
  messages: 200,
};

/** The same shape, with hardly more than the largest pages: what lists cost when nothing but the page costs. */
export const SMALL: Sizes = {
  organizations: 3,
  users: 250,
  apiKeys: 1_250,
  assistants: 1_250,
  shares: 500,
  rubrics: 1_250,
  promptTemplates: 1_250,
  collections: 1_250,
  documents: 1_250,
  conversations: 1_250,
  runs: 1_250,
  ledgerRows: 1_250,
  versions: 250,
  messages: 200,
};

export interface LargeDatabase {
  /** API keys of people in it. */
  readonly keys: { readonly orgAdmin: string; readonly busy: string; readonly quiet: string };
  readonly busyId: number;
  readonly busyEmail: string;
  /** The busy one's: changed often and shared with everybody. */
  readonly assistantId: number;
  /** The busy one's. */
  readonly longConversation: string;
}

type Tell = (line: string) => void;

/**
 * Fills a database to the size of a large installation, migrating it first if need be. `place` is a data folder, a
 * database file or a postgres:// address of a superuser; nothing else may be using it.
 */
export async function makeLarge(
  place: string,
  sizes: Sizes = LARGE,
  tell: Tell = tellOnStderr,
): Promise<LargeDatabase> {
  const target = targetAt(place);
  const db = await openDb(target);
  try {
    const places = await (target.kind === 'sqlite' ? fillSqlite : fillPostgres)(db, sizes, tell);
    await addUp(db, tell);
    return {
      keys: await giveKeys(db, places),
      busyId: places.busy,
      busyEmail: 'person-1@large.example',
      assistantId: places.assistant,
      longConversation: rows.LONG_CONVERSATION,
    };
  } finally {
    await db.destroy();
  }
}

function targetAt(place: string): DatabaseTarget {
  if (/^postgres(ql)?:/.test(place)) return { kind: 'postgres', url: place };
  return { kind: 'sqlite', file: place.endsWith('.db') ? place : join(place, 'bellwether.db') };
}

/** One connection, on which a crash may cost everything: it would be filled anew. */
async function fillSqlite(db: Knex, sizes: Sizes, tell: Tell): Promise<Places> {
  for (const pragma of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -200000'])
    await db.raw(`PRAGMA ${pragma}`);
  return fillAll(db, sizes, tell);
}

async function fillPostgres(db: Knex, sizes: Sizes, tell: Tell): Promise<Places> {
  const places = await db.transaction(async (trx) => {
    // Without looking each key up: a million rows would take minutes.
    await trx.raw('SET LOCAL session_replication_role = replica');
    return fillAll(trx, sizes, tell);
  });
  // What autovacuum does in time by itself; nothing does it in SQLite.
  await db.raw('ANALYZE');
  return places;
}

async function fillAll(db: Knex, sizes: Sizes, tell: Tell): Promise<Places> {
  const places = await fillPeople(db, sizes, tell);
  await fillRest(db, sizes, places, tell);
  return places;
}

/** A ledger that grew from day to day is in the sums of its days. Else the service would be at it while it is measured. */
async function addUp(db: Knex, tell: Tell): Promise<void> {
  const began = Date.now();
  // Nobody waits for it here.
  while (await addUpSome(db, 20_000));
  await tellOf(db, 'usage_days', began, tell);
}

async function fillPeople(db: Knex, sizes: Sizes, tell: Tell): Promise<Places> {
  const organization = await fill(db, 'organizations', rows.organizations(sizes), tell);
  const user = await fill(db, 'users', rows.users(sizes, { organization }), tell);
  const people = { organization, user, busy: user + 1, quiet: user + sizes.users - 1, assistant: 0 };
  await fill(db, 'api_keys', rows.apiKeys(sizes, people), tell);
  const assistant = await fill(db, 'assistants', rows.assistants(sizes, people), tell);
  return { ...people, assistant };
}

async function fillRest(db: Knex, sizes: Sizes, places: Places, tell: Tell): Promise<void> {
  const statements = {
    assistant_versions: [rows.firstVersions(sizes, places), rows.laterVersions(sizes, places)],
    assistant_shares: [rows.shares(sizes, places)],
    rubrics: [rows.rubrics(sizes, places)],
    prompt_templates: [rows.promptTemplates(sizes, places)],
    collections: [rows.collections(sizes, places)],
    documents: [rows.documents(sizes)],
    conversations: [rows.conversations(sizes, places)],
    messages: [rows.messages(sizes), rows.longConversation(sizes)],
    runs: [rows.runs(sizes, places)],
    run_steps: [rows.runSteps(sizes)],
    usage_ledger: [rows.ledger(sizes, places)],
  };
  for (const [table, parts] of Object.entries(statements)) {
    const began = Date.now();
    for (const part of parts) await run(db, part);
    await tellOf(db, table, began, tell);
  }
}

/** The first id that was given. */
async function fill(db: Knex, table: string, statement: string, tell: Tell): Promise<number> {
  const began = Date.now();
  const [before] = (await db(table).max('id as id')) as [{ id: number | null }];
  await run(db, statement);
  await tellOf(db, table, began, tell);
  const [first] = (await db(table)
    .where('id', '>', before.id ?? 0)
    .min('id as id')) as [{ id: number }];
  return first.id;
}

/** Without knex's own placeholders: JSON has question marks and colons of its own. */
async function run(db: Knex, statement: string): Promise<void> {
  await db.raw(statement.replaceAll('?', '\\?'));
}

async function tellOf(db: Knex, table: string, began: number, tell: Tell): Promise<void> {
  const [{ rows }] = (await db(table).count('* as rows')) as [{ rows: number }];
  tell(`${table}: ${String(rows)} rows (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

async function giveKeys(db: Knex, { user, busy, quiet }: Places): Promise<LargeDatabase['keys']> {
  const keys = { orgAdmin: keyOf('orgadmin'), busy: keyOf('busy'), quiet: keyOf('quiet') };
  const keepers = { orgAdmin: user, busy, quiet };
  for (const name of ['orgAdmin', 'busy', 'quiet'] as const) {
    const hash = createHash('sha256').update(keys[name]).digest('hex');
    const facts = { name: 'Bench', prefix: 'bw_larg', created_at: new Date().toISOString() };
    await db('api_keys').insert({ user_id: keepers[name], hash, ...facts });
  }
  return keys;
}

const keyOf = (name: string) => `bw_large_${name.padEnd(32, '0')}`;

function tellOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
