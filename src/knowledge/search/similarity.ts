const STEPS = 10_000;

/** On the one scale that every way of looking shares: from 0 to 1, with four digits. */
export function onScale(similarity: number): number {
  if (!(similarity > 0)) return 0;
  return similarity >= 1 ? 1 : Math.round(similarity * STEPS) / STEPS;
}
