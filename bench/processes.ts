import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Processes of their own, kept to cores of their own where the machine lets us. */

export const PROJECT_ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What asks and what answers for the model share a core; what is measured has the other to itself. */
export const LOAD_CORE = 0;
export const CONTENDER_CORE = 1;

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** From the moment it was spawned until it said where it listens. */
  readonly startedInMs: number;
  readonly child: ChildProcess;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The core it is kept to, or cores as `taskset` writes them (`0,1`); any unless given. */
  readonly core?: number | string;
  /** All it sees of the environment, beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Which Node it runs on; this one unless given. */
  readonly node?: string;
  /** A channel for messages: `child.send` and `message` work. */
  readonly hasChannel?: boolean;
}

/** Whether processes can be kept to a core here: it takes two cores and `taskset`. */
export const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', String(CONTENDER_CORE), 'true']).status === 0;

/** Keeps this very process off the core of what is measured. */
export const pinSelf = (core: number): void => {
  pin(process.pid, core);
};

/** Keeps a running process, and whatever it starts from now on, to a core. */
export function pin(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)]);
}

/** Starts a Node program and waits for the line `{"url": …}` on its standard output, which is read to the end. */
export async function startNode(args: readonly string[], options: StartOptions = {}): Promise<Running> {
  const started = performance.now();
  const child = spawnNode(args, options);
  const url = await firstUrl(child);
  if (url === undefined || child.pid === undefined) {
    throw new Error(`${args.join(' ')} ended before it listened.`);
  }
  return {
    url,
    pid: child.pid,
    startedInMs: performance.now() - started,
    child,
    stop: () => stopChild(child),
  };
}

/** Starts a Node program, in TypeScript or not. It ends with us. */
export function spawnNode(
  args: readonly string[],
  { core, env = {}, node: program = process.execPath, hasChannel = false }: StartOptions,
): ChildProcess {
  const isTypeScript = args[0]?.endsWith('.ts') ?? false;
  const node = [program, ...(isTypeScript ? ['--import', 'tsx'] : []), ...args];
  const [command = '', ...rest] =
    core !== undefined && canPin ? ['taskset', '-c', String(core), ...node] : node;
  const child = spawn(command, rest, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit', ...(hasChannel ? (['ipc'] as const) : [])],
  });
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function firstUrl({ stdout }: ChildProcess): Promise<string | undefined> {
  if (!stdout) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const url = urlIn(line);
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
  }
  return undefined;
}

function urlIn(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  const { url } = JSON.parse(line) as { readonly url?: unknown };
  return typeof url === 'string' ? url : undefined;
}
