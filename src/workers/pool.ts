import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { heardByKeeper, type ToKeeper, type ToWorker } from './messages.js';

/** The worker processes of one keeper, by number. */
export interface Crew {
  hire(): number;
  tell(id: number, words: ToWorker): void;
  tellAll(words: ToWorker, exceptFor?: number): void;
  size(): number;
  pidOf(id: number): number | undefined;
  killAll(): void;
}

export interface Ended {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface CrewEvents {
  said(id: number, words: ToKeeper): void;
  listening(id: number, port: number): void;
  ended(id: number, how: Ended): void;
}

export function createCrew(events: CrewEvents): Crew {
  const crew = new Map<number, ChildProcess>();
  // Counts for all of them what each lets through.
  new RateLimiterClusterMaster();

  cluster.on('message', ({ id }, message: unknown) => {
    const words = heardByKeeper(message);
    if (words) events.said(id, words);
  });
  cluster.on('listening', ({ id }, { port }) => {
    events.listening(id, port);
  });
  cluster.on('exit', ({ id, process: { pid } }, code: number | null, signal: string | null) => {
    crew.delete(id);
    events.ended(id, { pid, code, signal });
  });

  return {
    hire() {
      const worker = cluster.fork();
      // A word to one that has just ended: that it did is heard elsewhere.
      worker.on('error', () => undefined);
      crew.set(worker.id, worker.process);
      return worker.id;
    },
    tell(id, words) {
      crew.get(id)?.send(words);
    },
    tellAll(words, exceptFor) {
      for (const [id, child] of crew) if (id !== exceptFor) child.send(words);
    },
    size: () => crew.size,
    pidOf: (id) => crew.get(id)?.pid,
    killAll() {
      for (const child of crew.values()) child.kill('SIGKILL');
    },
  };
}
