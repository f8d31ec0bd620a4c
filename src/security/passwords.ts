import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../core/errors.js';
import { entryModule, WITHOUT_FLAGS } from '../paths.js';
import { nobodysHash } from './password-hash.js';
import type { PasswordJob } from './password-worker.js';

/**
 * Hashes and checks passwords on threads of its own: Node's own few threads serve the database, and whoever makes
 * thirty accounts would otherwise have everybody else wait for theirs.
 */
export interface Passwords {
  hash(password: string, asker: Asker): Promise<string>;
  matches(password: string, hash: string, asker: Asker): Promise<boolean>;
  /** No password is right for it. Checked where nobody has that name, so that the answer takes as long either way. */
  readonly nobodysHash: string;
}

export interface Asker {
  /** Those who wait under one name share one turn: a flood of theirs holds up themselves. */
  readonly name: string;
  /** Aborted when the client has left: its check is taken out of the queue. */
  readonly signal?: AbortSignal;
}

const MOST_THREADS = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Each takes about a tenth of a second. */
const LONGEST_WAIT_OF_ONE = 40;
const LONGEST_WAIT = 200;
/** A thread and its memory are let go when nobody has asked for so long. */
const IDLE_MS = 30_000;

interface Waiting {
  readonly job: PasswordJob;
  readonly name: string;
  settle(answer: unknown): void;
  fail(fault: Error): void;
}

/** `cost` is scrypt's N. */
export function createPasswords(cost: number): Passwords {
  const turns = createTurns();
  const idle: Thread[] = [];
  let threads = 0;

  const goOn = () => {
    if (turns.size() === 0 || (idle.length === 0 && threads >= MOST_THREADS)) return;
    const thread = idle.pop() ?? startThread();
    const next = turns.take();
    if (next) thread.work(next);
  };
  const startThread = () => {
    threads += 1;
    const thread = openThread({
      free: () => {
        idle.push(thread);
        goOn();
      },
      // No further check may go to this thread before it has ended.
      leaves: () => {
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
      },
      ended: () => {
        threads -= 1;
        goOn();
      },
    });
    return thread;
  };
  const ask = (job: PasswordJob, { name, signal }: Asker) =>
    new Promise<unknown>((resolve, reject) => {
      signal?.throwIfAborted();
      const waiting = { job, name, settle: resolve, fail: reject };
      turns.add(waiting);
      signal?.addEventListener('abort', () => {
        if (turns.remove(waiting)) reject(signal.reason as Error);
      });
      goOn();
    });

  return {
    hash: async (password, asker) => (await ask({ password, cost }, asker)) as string,
    matches: async (password, hash, asker) => (await ask({ password, hash, cost }, asker)) === true,
    nobodysHash: nobodysHash(cost),
  };
}

/** The queue of password checks: one of each account in turn. */
function createTurns() {
  const lines = new Map<string, Waiting[]>();
  const size = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0);
  const put = (name: string, line: Waiting[]) => {
    lines.delete(name);
    if (line.length > 0) lines.set(name, line);
  };

  return {
    size,
    add(waiting: Waiting) {
      const line = lines.get(waiting.name) ?? [];
      if (line.length >= LONGEST_WAIT_OF_ONE || size() >= LONGEST_WAIT) {
        throw unavailable(
          'Too many passwords are being checked or set at once. Try again in a moment.',
          'busy',
        );
      }
      line.push(waiting);
      lines.set(waiting.name, line);
    },
    take(): Waiting | undefined {
      const [name, line] = lines.entries().next().value ?? ['', []];
      const next = line.shift();
      put(name, line);
      return next;
    },
    remove(waiting: Waiting): boolean {
      const line = lines.get(waiting.name) ?? [];
      const at = line.indexOf(waiting);
      if (at === -1) return false;
      line.splice(at, 1);
      if (line.length === 0) lines.delete(waiting.name);
      return true;
    },
  };
}

interface Thread {
  work(waiting: Waiting): void;
}

function openThread(tell: Readonly<Record<'free' | 'leaves' | 'ended', () => void>>): Thread {
  const worker = new Worker(entryModule('src/security/password-worker.js'), { ...WITHOUT_FLAGS, env: {} });
  let at: Waiting | undefined;
  let leaving: NodeJS.Timeout | undefined;
  worker.on('message', (answer: unknown) => {
    const done = at;
    at = undefined;
    // Only whoever waits for an answer keeps the process.
    worker.unref();
    leaving = setTimeout(() => {
      tell.leaves();
      void worker.terminate();
    }, IDLE_MS).unref();
    done?.settle(answer);
    tell.free();
  });
  // What it fails by is told by its end, which follows.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    at?.fail(unavailable('The password could not be worked on. Try again in a moment.', 'busy'));
    tell.leaves();
    tell.ended();
  });
  return {
    work(waiting) {
      clearTimeout(leaving);
      at = waiting;
      worker.ref();
      worker.postMessage(waiting.job);
    },
  };
}
