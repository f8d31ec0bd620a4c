import type { runs as english } from '../en/runs.ts';

export const runs: typeof english = {};
