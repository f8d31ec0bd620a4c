import { Worker } from 'node:worker_threads';
import { entryModule } from '../paths.js';

export interface PatternMatch {
  /** What was found, cut to a bound; null for nothing. */
  readonly found: readonly (string | null)[];
}

/** What a pattern finds in each of these texts; undefined when that took too long. */
export type FindPattern = (pattern: string, texts: readonly string[]) => Promise<PatternMatch | undefined>;

/** A pattern that somebody wrote may take for ever: it runs on a thread of its own, which is ended then. */
const WITHIN_MS = 1_000;

export function createPatternFinder(withinMs = WITHIN_MS): FindPattern {
  return (pattern, texts) =>
    new Promise((resolve) => {
      const worker = new Worker(entryModule('src/scenarios/pattern-worker.js'), {
        workerData: { source: pattern, flags: flagsOf(pattern), texts },
      });
      const end = (match: PatternMatch | undefined) => {
        clearTimeout(timer);
        resolve(match);
        void worker.terminate();
      };
      // It counts from when the thread is there: a busy machine must not decide.
      let timer: NodeJS.Timeout | undefined;
      worker.once('online', () => {
        timer = setTimeout(() => {
          end(undefined);
        }, withinMs);
      });
      worker.once('message', end);
      worker.once('error', () => {
        end(undefined);
      });
    });
}

/** Undefined for what cannot be compiled. */
export function flagsOf(pattern: string): string | undefined {
  return ['iu', 'i'].find((flags) => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return false;
    }
  });
}
