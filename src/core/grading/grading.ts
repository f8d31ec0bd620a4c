import { z } from 'zod';
import type { Rubric, StoredRubric } from '../rubrics/rubric.js';
import type { Judgement } from '../rubrics/evaluation.js';
import { criterionKey, levelKey } from '../rubrics/evaluation.js';
import { toHundredths, totalOf } from '../rubrics/score.js';

const LONGEST_DESCRIPTION = 1_000;

const LevelShape = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** As the rubric says: what it makes of the total depends on the weight. */
  points: z.number(),
});
const CriterionShape = z.object({
  id: z.string(),
  title: z.string(),
  weight: z.number(),
  levels: z.array(LevelShape),
});
const RubricShape = z.object({
  id: z.string(),
  title: z.string(),
  maximum: z.number(),
  criteria: z.array(CriterionShape),
});

/** A rubric as a work was judged by it: what becomes of the rubric afterwards changes no grade. */
export type GradingRubric = Readonly<z.output<typeof RubricShape>>;

/** By criterion, which of its levels. */
export type Levels = Readonly<Record<string, string>>;

/** What an evaluation brings, for programs to read. */
export const RubricEvaluation = z.object({
  rubric: RubricShape,
  criteria: z.array(z.object({ id: z.string(), level: z.string(), reason: z.string() })),
});
export type RubricEvaluation = Readonly<z.output<typeof RubricEvaluation>>;

/** What an evaluation comes to. Nothing follows from it unless a person says so. */
export interface Proposal {
  readonly levels: Levels;
  readonly total: number;
  readonly maximum: number;
  readonly comment: string;
  readonly criteria: RubricEvaluation['criteria'];
}

/** What a person makes of it. */
export interface Grade {
  readonly levels: Levels;
  readonly score: number;
  readonly maximum: number;
  readonly comment: string;
}

export function gradingRubricOf(
  { id, title }: Pick<StoredRubric, 'id' | 'title'>,
  rubric: Rubric,
): GradingRubric {
  const criteria = rubric.criteria.map(({ name, weight, levels }, i) => ({
    ...{ id: criterionKey(i), title: name, weight },
    levels: levels.map(({ label, description, score }, at) => ({
      ...{ id: levelKey(at), title: label, points: score },
      description: description.slice(0, LONGEST_DESCRIPTION),
    })),
  }));
  return { id, title, maximum: rubric.maxScore, criteria };
}

export function rubricEvaluation(
  stored: Pick<StoredRubric, 'id' | 'title'>,
  rubric: Rubric,
  judgements: readonly Judgement[],
): RubricEvaluation {
  const criteria = rubric.criteria.map(({ levels }, i) => {
    const { level, reason } = judgements[i] as Judgement;
    return { id: criterionKey(i), level: levelKey(levels.indexOf(level)), reason };
  });
  return { rubric: gradingRubricOf(stored, rubric), criteria };
}

export function proposalOf({ rubric, criteria }: RubricEvaluation): Proposal {
  const levels = Object.fromEntries(criteria.map(({ id, level }) => [id, level]));
  const comment = criteria
    .flatMap(({ id, level, reason }) => {
      const criterion = rubric.criteria.find((each) => each.id === id);
      const chosen = criterion?.levels.find((each) => each.id === level);
      return criterion && chosen ? [`${criterion.title} (${chosen.title}): ${reason}`] : [];
    })
    .join('\n');
  return { levels, total: scoreOf(rubric, levels), maximum: rubric.maximum, comment, criteria };
}

/** What the levels come to by the weights. A grade book knows nothing below zero, nor above the maximum. */
export function scoreOf({ criteria, maximum }: GradingRubric, levels: Levels): number {
  const asRubric = criteria.map(({ weight, levels: all }) => ({
    weight,
    levels: all.map(({ points }) => ({ score: points })),
  }));
  const chosen = criteria.map(({ id, levels: all }) => ({
    score: all.find((level) => level.id === levels[id])?.points ?? 0,
  }));
  const total = totalOf({ criteria: asRubric, maxScore: maximum }, chosen);
  return toHundredths(Math.min(Math.max(total, 0), maximum));
}

/** What of these is no level of the rubric, or undefined. */
export function unknownLevel({ criteria }: GradingRubric, levels: Levels): string | undefined {
  return Object.keys(levels).find((id) => {
    const criterion = criteria.find((each) => each.id === id);
    return !criterion?.levels.some((level) => level.id === levels[id]);
  });
}
