import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createOutput, type Output } from './output.js';

export const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child extends Output {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Sends the signal and waits for the end; a process that does not end in time is killed, and that fails. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

export interface ChildOptions {
  /** The address, if this line of stdout announces it. */
  readonly urlIn?: (line: string) => string | undefined;
  readonly nodeArguments?: readonly string[];
  readonly readyTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
}

type Spawned = ChildProcessByStdio<Writable, Readable, Readable>;

// Whatever ends the test run, no child outlives it; and no child that was never stopped keeps the run going.
const running = new Set<Spawned>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs a script of the project under Node with this environment only, and waits until it tells its address. */
export async function startChild(
  script: string,
  env: Readonly<Record<string, string>> = {},
  options: ChildOptions = {},
): Promise<Child> {
  const { urlIn = urlInReadyLine, nodeArguments = [], readyTimeoutMs = 15_000 } = options;
  // Stdin stays open: its end tells a fake that the test run is over.
  const child = spawn(process.execPath, [...nodeArguments, script], {
    cwd: PROJECT_ROOT,
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  unref(child);
  const exited = exitOf(child).finally(() => running.delete(child));
  const { output, lines, waitForLine } = recorded(script, child);

  const url = await waitForLine(urlIn, readyTimeoutMs).catch(async () => {
    child.kill('SIGKILL');
    const { code, signal } = await exited;
    const end = String(code ?? signal);
    throw new Error(`${script} was not ready, and ended with ${end}. Its output:\n${output()}`);
  });
  return {
    url,
    pid: child.pid ?? 0,
    exited,
    output,
    lines,
    waitForLine,
    async stop(signal = 'SIGTERM') {
      const exit = await endWith(child, signal, exited, options.stopTimeoutMs ?? 15_000);
      if (!exit) throw new Error(`${script} did not end after ${signal}. Its output:\n${output()}`);
      return exit;
    },
  };
}

function unref(child: Spawned): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket).unref();
}

/** PATH and HOME, so that nothing set for the test run leaks into the child. */
function inherited(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

function recorded(script: string, child: Spawned): Output {
  const output = createOutput(script);
  child.stdout.setEncoding('utf8').on('data', output.add);
  child.stderr.setEncoding('utf8').on('data', output.addAside);
  child.once('close', output.end);
  return output;
}

async function exitOf(child: Spawned): Promise<Exit> {
  // `close`, not `exit`: only then has all output been read.
  const [code, signal] = (await once(child, 'close')) as [Exit['code'], Exit['signal']];
  return { code, signal };
}

/** Null when the process had to be killed because it did not heed the signal. */
async function endWith(
  child: Spawned,
  signal: NodeJS.Signals,
  exited: Promise<Exit>,
  timeoutMs: number,
): Promise<Exit | null> {
  const waiting = new AbortController();
  const late = delay(timeoutMs, null, { signal: waiting.signal }).catch(() => null);
  child.kill(signal);
  const exit = await Promise.race([exited, late]);
  waiting.abort();
  if (!exit) child.kill('SIGKILL');
  return exit;
}

function urlInReadyLine(line: string): string | undefined {
  const { url } = (line.startsWith('{') ? JSON.parse(line) : {}) as { url?: string };
  return url;
}
