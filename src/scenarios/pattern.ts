import { askThread } from './thread.js';

export interface PatternMatch {
  /** What was found, cut to a bound; null for nothing. */
  readonly found: readonly (string | null)[];
}

/** What a pattern finds in each of these texts; undefined when that took too long. */
export type FindPattern = (pattern: string, texts: readonly string[]) => Promise<PatternMatch | undefined>;

const WITHIN_MS = 1_000;

export const findPattern: FindPattern = (source, texts) =>
  askThread('src/scenarios/pattern-worker.js', { source, flags: flagsOf(source), texts }, WITHIN_MS);

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
