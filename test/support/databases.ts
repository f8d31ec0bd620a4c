import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import knex, { type Knex } from 'knex';
import { openDb } from '../../db/open.js';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { atTheEnd } from './at-the-end.js';
import { startPostgres } from './runner/postgres-server.js';

type CleanUp = () => Promise<unknown>;

interface Engine {
  /** Where there is nothing yet. */
  fresh(cleanUp: CleanUp[]): Promise<DatabaseTarget>;
  /** Migrated and empty. To migrate each would take far longer. */
  migrated(cleanUp: CleanUp[]): Promise<DatabaseTarget>;
  /** The same, opened. */
  open(cleanUp: CleanUp[]): Promise<Knex>;
}

const ENGINES: Readonly<Record<'SQLite' | 'PostgreSQL', Engine>> = {
  SQLite: { fresh: freshSqlite, migrated: migratedSqlite, open: openSqlite },
  PostgreSQL: { fresh: freshPostgres, migrated: migratedPostgres, open: openPostgres },
};

/**
 * Runs a suite on SQLite and on PostgreSQL. Each call of `open`, in `beforeEach` or in a test, gives an empty and
 * migrated database, whose tables a test leaves as they are; each call of `target` an address of one that nothing has opened
 * yet, and of `migrated` of one that a service finds as it would leave it. All end with the test, or with the suite when they are to
 * last: tests that only look share one in `before`.
 */
export function describeOnEachEngine(title: string, define: Define, lifetime: Lifetime = 'test'): void {
  for (const engine of Object.keys(ENGINES) as (keyof typeof ENGINES)[])
    describeOn(engine, title, define, lifetime);
}

/** For what only several machines do, which share a database that is a server. */
export function describeOnPostgres(title: string, define: Define, lifetime: Lifetime = 'test'): void {
  describeOn('PostgreSQL', title, define, lifetime);
}

type Define = (
  open: () => Promise<Knex>,
  target: () => Promise<DatabaseTarget>,
  migrated: () => Promise<DatabaseTarget>,
) => void;
type Lifetime = 'test' | 'suite';

function describeOn(engine: keyof typeof ENGINES, title: string, define: Define, lifetime: Lifetime): void {
  describe(`${title} (${engine})`, () => {
    const { fresh, migrated, open } = ENGINES[engine];
    const cleanUp: CleanUp[] = [];

    define(
      () => open(cleanUp),
      () => fresh(cleanUp),
      () => migrated(cleanUp),
    );

    // After the suite's own hooks, which may still need it.
    (lifetime === 'test' ? afterEach : after)(async () => {
      for (const undo of cleanUp.splice(0).reverse()) await undo();
    });
  });
}

/** An address on a PostgreSQL server that nothing has opened yet. */
export const freshPostgresTarget = (): Promise<DatabaseTarget> => freshPostgres();

async function freshSqlite(cleanUp: CleanUp[]): Promise<DatabaseTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-sqlite-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  return { kind: 'sqlite', file: join(folder, 'made', 'on', 'demand', 'test.db') };
}

// Made by the first test that needs it, for all of them.
let sqliteTemplate: Promise<string> | undefined;

async function migratedSqlite(cleanUp: CleanUp[]): Promise<DatabaseTarget> {
  const template = await (sqliteTemplate ??= makeSqliteTemplate());
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-sqlite-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'test.db');
  await copyFile(template, file);
  return { kind: 'sqlite', file };
}

async function openSqlite(cleanUp: CleanUp[]): Promise<Knex> {
  const db = await openDb(await migratedSqlite(cleanUp));
  cleanUp.push(() => db.destroy());
  return db;
}

async function makeSqliteTemplate(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'bellwether-sqlite-')), 'template.db');
  // Closing it also brings everything into the one file that is copied.
  await (await openDb({ kind: 'sqlite', file })).destroy();
  atTheEnd(() => rm(dirname(file), { recursive: true, force: true }));
  return file;
}

async function freshPostgres(): Promise<DatabaseTarget> {
  return createPostgres(await theServer());
}

// Those that no test has at the moment. To empty one takes a small part of the time that a new one takes.
const emptied: Knex[] = [];

async function openPostgres(cleanUp: CleanUp[]): Promise<Knex> {
  const db = emptied.pop() ?? (await newPostgres());
  cleanUp.push(async () => {
    db.removeAllListeners('query');
    await db.raw(EMPTY);
    emptied.push(db);
  });
  return db;
}

async function migratedPostgres(): Promise<DatabaseTarget> {
  const server = await theServer();
  return createPostgres(server, await server.template());
}

async function newPostgres(): Promise<Knex> {
  const db = await openDb(await migratedPostgres());
  atTheEnd(() => db.destroy());
  return db;
}

/** As migrations leave it: the counters of changes are the only row they write besides knex's own. */
const EMPTY = `
  DO $$
  DECLARE name text;
  BEGIN
    -- Without triggers, and so without foreign keys.
    SET LOCAL session_replication_role = replica;
    -- Most tables have never had a row.
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT LIKE 'knex_%' AND pg_relation_size(oid) > 0
    LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    INSERT INTO generations DEFAULT VALUES;
    PERFORM setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = 'public' AND sequencename NOT LIKE 'knex_%' AND last_value IS NOT NULL;
  END $$`;

async function createPostgres({ admin, url }: Server, template?: string): Promise<DatabaseTarget> {
  const name = `test_${randomUUID()}`;
  if (template === undefined) await admin.raw('CREATE DATABASE ??', [name]);
  else await admin.raw('CREATE DATABASE ?? TEMPLATE ??', [name, template]);
  return { kind: 'postgres', url: databaseIn(url, name) };
}

const databaseIn = (url: string, name: string) => new URL(`/${name}`, url).href;

interface Server {
  readonly url: string;
  readonly admin: Knex;
  /** The name of a database that has been migrated. */
  template(): Promise<string>;
}

// Of the whole run where there is one, or else this process's own, from the first suite that needs it.
let server: Promise<Server> | undefined;

function theServer(): Promise<Server> {
  return (server ??= connect());
}

async function connect(): Promise<Server> {
  const url = process.env['TEST_POSTGRES'] ?? (await startOwn());
  const admin = knex({ client: 'pg', connection: url });
  atTheEnd(() => admin.destroy());
  let template: Promise<string> | undefined;
  return { url, admin, template: () => (template ??= makePostgresTemplate(admin, url)) };
}

async function startOwn(): Promise<string> {
  const { url, remove } = await startPostgres('forgetful');
  atTheEnd(remove);
  return url;
}

async function makePostgresTemplate(admin: Knex, url: string): Promise<string> {
  const name = `template_${randomUUID()}`;
  await admin.raw('CREATE DATABASE ??', [name]);
  // Copied only while nobody is connected to it.
  await (await openDb({ kind: 'postgres', url: databaseIn(url, name) })).destroy();
  return name;
}
