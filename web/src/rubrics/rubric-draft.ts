import type { RubricContent } from './rubrics-api.ts';

export const SCORING_TYPES = ['points', 'percentage', 'holistic', 'single-point', 'checklist'] as const;

type Keys = Readonly<Record<string, unknown>>;

/** Numbers are null while their field is empty. `rest` is what we do not know, and keep. */
export interface LevelDraft {
  key: string;
  label: string;
  score: number | null;
  description: string;
  rest: Keys;
}

export interface CriterionDraft {
  key: string;
  name: string;
  description: string;
  weight: number | null;
  levels: LevelDraft[];
  rest: Keys;
}

/** A rubric in the making. Changed in place: fields are bound to it. */
export interface RubricDraft {
  title: string;
  description: string;
  subject: string;
  gradeLevel: string;
  isPublic: boolean;
  scoringType: string;
  maxScore: number | null;
  criteria: CriterionDraft[];
  rest: Keys;
  aboutRest: Keys;
}

/** Unlike any other on the page, and in LAMB's files good enough as an id. */
export const newKey = (): string => Math.random().toString(36).slice(2, 12);

export const newLevel = (label: string, score: number | null, description = ''): LevelDraft => {
  const key = newKey();
  return { key, label, score, description, rest: { id: `level-${key}` } };
};

export const newCriterion = (
  facts: Partial<CriterionDraft> & Pick<CriterionDraft, 'levels'>,
): CriterionDraft => {
  const key = newKey();
  return { key, name: '', description: '', weight: 0, rest: { id: `criterion-${key}` }, ...facts };
};

/** Takes whatever is stored: what is not as it should be comes up empty, to be filled in. */
export function draftOf({
  title,
  description = '',
  is_public = false,
  rubric_data,
}: RubricContent): RubricDraft {
  const { criteria, scoringType, maxScore, metadata, ...rest } = keysOf(rubric_data);
  const { subject, gradeLevel, ...aboutRest } = keysOf(metadata);
  return {
    title,
    description,
    subject: textOf(subject),
    gradeLevel: textOf(gradeLevel),
    isPublic: is_public,
    scoringType: textOf(scoringType) || 'points',
    maxScore: numberOf(maxScore),
    criteria: listOf(criteria).map(criterionOf),
    rest,
    aboutRest,
  };
}

/** As it is sent. The title and the description are also inside, where LAMB looks for them. */
export function contentOf(draft: RubricDraft): Required<RubricContent> {
  const title = draft.title.trim();
  const description = draft.description.trim();
  const about = { ...draft.aboutRest, subject: draft.subject.trim(), gradeLevel: draft.gradeLevel.trim() };
  const hasAbout = about.subject !== '' || about.gradeLevel !== '' || Object.keys(draft.aboutRest).length > 0;
  return {
    title,
    description,
    is_public: draft.isPublic,
    rubric_data: {
      ...draft.rest,
      title,
      description,
      ...(hasAbout ? { metadata: about } : {}),
      criteria: draft.criteria.map(sentCriterion),
      scoringType: draft.scoringType,
      maxScore: draft.maxScore,
    },
  };
}

export const isRubricDraft = (value: unknown): value is RubricDraft => {
  const { criteria, title, rest } = keysOf(value);
  return typeof title === 'string' && typeof rest === 'object' && Array.isArray(criteria);
};

function criterionOf(value: unknown): CriterionDraft {
  const { name, description, weight, levels, ...rest } = keysOf(value);
  return {
    key: newKey(),
    name: textOf(name),
    description: textOf(description),
    weight: numberOf(weight),
    levels: listOf(levels).map(levelOf),
    rest,
  };
}

function levelOf(value: unknown): LevelDraft {
  const { label, score, description, ...rest } = keysOf(value);
  return {
    key: newKey(),
    label: textOf(label),
    score: numberOf(score),
    description: textOf(description),
    rest,
  };
}

function sentCriterion({ name, description, weight, levels, rest }: CriterionDraft, i: number): object {
  const order = typeof rest.order === 'number' ? { order: i } : {};
  return {
    ...rest,
    ...order,
    name: name.trim(),
    description,
    weight,
    levels: levels.map(({ label, score, description: says, rest: others }) => ({
      ...others,
      label: label.trim(),
      score,
      description: says,
    })),
  };
}

const keysOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
