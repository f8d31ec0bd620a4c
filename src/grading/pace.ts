const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How patient the background is. */
export interface Pace {
  /** For how long work is left to whoever took it on and has fallen silent. */
  readonly leaseMs: number;
  /** So often it looks for what others have left. */
  readonly lookMs: number;
  /** How many works one process does at the same time, of each kind. */
  readonly hands: number;
  /** Before the second try, the third, and so on; from then on the last. */
  readonly evaluationWaitsMs: readonly number[];
  readonly mostEvaluations: number;
  readonly postingWaitsMs: readonly number[];
  /** So long after the approval a grade is not tried any more by itself. */
  readonly postingForMs: number;
}

export const USUAL_PACE: Pace = {
  leaseMs: 10 * SECOND,
  lookMs: 30 * SECOND,
  hands: 4,
  evaluationWaitsMs: [5 * SECOND, 30 * SECOND],
  mostEvaluations: 3,
  postingWaitsMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR],
  postingForMs: 72 * HOUR,
};

/** How long to wait after so many tries. */
export function waitAfter(attempts: number, waitsMs: readonly number[]): number {
  return waitsMs[Math.min(attempts, waitsMs.length) - 1] ?? 0;
}
