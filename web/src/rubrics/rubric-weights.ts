/** Hundredths are what a teacher enters by hand: three times 33.33 counts as 100. */
const ABOUT_RIGHT = 0.1;
const WHOLE = 100;

type Weighted = { weight: number | null };

export function sumOf(weighted: readonly Weighted[]): number {
  const sum = weighted.reduce((soFar, { weight }) => soFar + (weight ?? 0), 0);
  return Math.round(sum * 100) / 100;
}

export const addsUp = (weighted: readonly Weighted[]): boolean =>
  Math.abs(sumOf(weighted) - WHOLE) <= ABOUT_RIGHT;

/** What is left for a criterion that is added. */
export const remaining = (weighted: readonly Weighted[]): number => Math.max(0, WHOLE - sumOf(weighted));

/** Whole numbers that make 100 and stand to each other as the weights do; all alike where there are none. */
export function balanced(weighted: readonly Weighted[]): number[] {
  const given = weighted.map(({ weight }) => Math.max(0, weight ?? 0));
  const sum = given.reduce((soFar, weight) => soFar + weight, 0);
  const exact = given.map((weight) => (sum > 0 ? (weight * WHOLE) / sum : WHOLE / given.length));
  const whole = exact.map(Math.floor);
  const missing = WHOLE - whole.reduce((soFar, weight) => soFar + weight, 0);
  // What is missing goes to those that lost most by being cut; of two that are as good as the same, to the larger.
  const byLoss = exact.map((weight, i) => ({ i, loss: weight - Math.floor(weight), was: given[i] ?? 0 }));
  byLoss.sort((a, b) => b.loss - a.loss || b.was - a.was || a.i - b.i);
  const raised = new Set(byLoss.slice(0, missing).map(({ i }) => i));
  return whole.map((weight, i) => (raised.has(i) ? weight + 1 : weight));
}
