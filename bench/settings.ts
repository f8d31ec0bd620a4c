/** How long and how often. The quick figures are for finding one's way; only the full ones are published. */
export interface Settings {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** At once, in every closed loop. */
  readonly concurrency: number;
  readonly paced: { readonly streams: number; readonly leadMs: number; readonly words: number };
  /** Questions for a median of first tokens: without tools, and with. */
  readonly chatPairs: number;
  readonly toolPairs: number;
  readonly starts: number;
  readonly openStreams: { readonly streams: number; readonly times: number; readonly holdMs: number };
}

export const FULL: Settings = {
  rounds: 3,
  roundMs: 3000,
  warmUpMs: 3000,
  concurrency: 16,
  paced: { streams: 30, leadMs: 600, words: 200 },
  chatPairs: 300,
  toolPairs: 60,
  starts: 5,
  openStreams: { streams: 500, times: 3, holdMs: 3000 },
};

export const QUICK: Settings = {
  rounds: 1,
  roundMs: 500,
  warmUpMs: 400,
  concurrency: 16,
  paced: { streams: 30, leadMs: 200, words: 50 },
  chatPairs: 50,
  toolPairs: 8,
  starts: 1,
  openStreams: { streams: 200, times: 1, holdMs: 300 },
};
