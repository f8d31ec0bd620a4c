import { LARGE } from './large-database.js';
import type { Sizes } from './large-rows.js';

/** How long and how often. The quick figures are for finding one's way; only the full ones are published. */
export interface Settings {
  /** Whether contenders take part that nobody is measured by. */
  readonly hasExtras: boolean;
  readonly rounds: number;
  readonly roundMs: number;
  /** A contender is asked for so long, at most so many times over, until its figure falls no more. */
  readonly warmUp: { readonly ms: number; readonly most: number };
  /** At once, in every closed loop. */
  readonly concurrency: number;
  /** Many rounds: a chunk is some system calls, and these cost now more, now less. */
  readonly paced: {
    readonly streams: number;
    readonly leadMs: number;
    readonly words: number;
    readonly rounds: number;
  };
  /** Questions for a median of first tokens in a round: without tools, and with. */
  readonly chatPairs: number;
  readonly toolPairs: number;
  readonly starts: number;
  readonly openStreams: { readonly streams: number; readonly times: number; readonly holdMs: number };
  /** What the large database holds. */
  readonly database: Sizes;
}

export const FULL: Settings = {
  hasExtras: true,
  rounds: 5,
  roundMs: 1000,
  warmUp: { ms: 1000, most: 12 },
  concurrency: 16,
  paced: { streams: 30, leadMs: 600, words: 100, rounds: 9 },
  chatPairs: 100,
  toolPairs: 12,
  starts: 5,
  openStreams: { streams: 500, times: 2, holdMs: 1500 },
  database: LARGE,
};

export const QUICK: Settings = {
  hasExtras: false,
  rounds: 1,
  roundMs: 400,
  warmUp: { ms: 400, most: 3 },
  concurrency: 8,
  paced: { streams: 30, leadMs: 200, words: 45, rounds: 1 },
  chatPairs: 40,
  toolPairs: 6,
  starts: 1,
  openStreams: { streams: 100, times: 1, holdMs: 300 },
  database: { ...LARGE, assistants: 1_000, conversations: 5_000, runs: 10_000, ledgerRows: 50_000 },
};
