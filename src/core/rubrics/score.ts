import type { Rubric } from './rubric.js';

/** Hundredths are what a teacher enters by hand: three times 33.33 counts as 100. */
const WEIGHTS_ARE_ABOUT_RIGHT = 0.1;

/** All of a rubric that a score depends on. */
export interface Scale {
  readonly criteria: readonly { readonly weight: number; readonly levels: readonly Scored[] }[];
  readonly maxScore: number;
}

interface Scored {
  readonly score: number;
}

/** What turns weighted level scores into points: the highest score over the first criterion's best level. */
export function factorOf({ criteria, maxScore }: Scale): number {
  const [first] = criteria;
  const best = first ? (bestFirst(first)[0]?.score ?? 0) : 0;
  return best > 0 ? maxScore / best : 0;
}

/** `Σ (level_score × weight% / 100) × f`, the levels in the order of the criteria, to two decimals. */
export function totalOf(rubric: Scale, levels: readonly Scored[]): number {
  const sum = rubric.criteria.reduce((soFar, { weight }, i) => {
    return soFar + ((levels[i]?.score ?? 0) * weight) / 100;
  }, 0);
  return toHundredths(sum * factorOf(rubric));
}

export function bestFirst<L extends Scored>({ levels }: { readonly levels: readonly L[] }): readonly L[] {
  return [...levels].sort((a, b) => b.score - a.score);
}

/** What works, but hardly as its author meant it. */
export function warningsOf(rubric: Rubric): string[] {
  const warnings: string[] = [];
  const weights = rubric.criteria.reduce((sum, { weight }) => sum + weight, 0);
  if (Math.abs(weights - 100) > WEIGHTS_ARE_ABOUT_RIGHT) {
    warnings.push(`The weights add up to ${String(toHundredths(weights))}, not to 100.`);
  }
  const bestLevels = rubric.criteria.flatMap((criterion) => bestFirst(criterion).slice(0, 1));
  const best = totalOf(rubric, bestLevels);
  if (Math.abs(best - rubric.maxScore) > (rubric.maxScore * WEIGHTS_ARE_ABOUT_RIGHT) / 100) {
    warnings.push(
      `The best possible score is ${String(best)}, while maxScore is ${String(rubric.maxScore)}.`,
    );
  }
  for (const { name, levels } of rubric.criteria) {
    if (new Set(levels.map(({ score }) => score)).size < levels.length) {
      warnings.push(`Two levels of "${name.slice(0, 80)}" have the same score.`);
    }
  }
  return warnings;
}

/** Rounds half away from what binary fractions make of it: 1.005 is 1.01. */
export function toHundredths(value: number): number {
  return Math.round(Number((value * 100).toPrecision(12))) / 100;
}
