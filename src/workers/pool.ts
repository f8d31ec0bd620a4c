import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { readBySupervisor, type ToSupervisor, type ToWorker } from './messages.js';

/** The worker processes of one keeper, by number. */
export interface WorkerPool {
  fork(): number;
  tell(id: number, words: ToWorker): void;
  broadcast(words: ToWorker, exceptFor?: number): void;
  size(): number;
  pidOf(id: number): number | undefined;
  kill(): void;
}

export interface Ended {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WorkerPoolEvents {
  said(id: number, words: ToSupervisor): void;
  listening(id: number, port: number): void;
  ended(id: number, how: Ended): void;
}

export function createWorkerPool(events: WorkerPoolEvents): WorkerPool {
  const pool = new Map<number, ChildProcess>();
  // Counts for all of them what each lets through.
  new RateLimiterClusterMaster();

  cluster.on('message', ({ id }, message: unknown) => {
    const words = readBySupervisor(message);
    if (words) events.said(id, words);
  });
  cluster.on('listening', ({ id }, { port }) => {
    events.listening(id, port);
  });
  cluster.on('exit', ({ id, process: { pid } }, code: number | null, signal: string | null) => {
    pool.delete(id);
    events.ended(id, { pid, code, signal });
  });

  return {
    fork() {
      const worker = cluster.fork();
      // A word to one that has just ended: that it did is heard elsewhere.
      worker.on('error', () => undefined);
      pool.set(worker.id, worker.process);
      return worker.id;
    },
    tell(id, words) {
      pool.get(id)?.send(words);
    },
    broadcast(words, exceptFor) {
      for (const [id, child] of pool) if (id !== exceptFor) child.send(words);
    },
    size: () => pool.size,
    pidOf: (id) => pool.get(id)?.pid,
    kill() {
      for (const child of pool.values()) child.kill('SIGKILL');
    },
  };
}
