import type { GradedCriterion, GradedRubric, Levels } from '../../../../src/http/contract/submissions.ts';

/**
 * What the chosen levels come to: the rule of the service, so that a teacher sees it before saving. Undefined while a
 * criterion has no level.
 */
export function totalOf(
  { criteria }: Pick<GradedRubric, 'criteria'>,
  levels: Levels,
  maximum: number,
): number | undefined {
  const points = criteria.map((criterion) => pointsOf(criterion, levels));
  if (criteria.length === 0 || points.includes(undefined)) return undefined;
  const [first] = criteria;
  const best = Math.max(0, ...(first?.levels ?? []).map((level) => level.points));
  const sum = criteria.reduce((soFar, { weight }, i) => soFar + ((points[i] ?? 0) * weight) / 100, 0);
  const total = best > 0 ? toHundredths(sum * (maximum / best)) : 0;
  return toHundredths(Math.min(Math.max(total, 0), maximum));
}

function pointsOf({ id, levels }: GradedCriterion, chosen: Levels): number | undefined {
  return levels.find((level) => level.id === chosen[id])?.points;
}

/** Rounds half away from what binary fractions make of it: 1.005 is 1.01. */
const toHundredths = (value: number): number => Math.round(Number((value * 100).toPrecision(12))) / 100;
