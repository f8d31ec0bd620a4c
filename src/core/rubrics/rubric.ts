import { z } from 'zod';

/** A rubric as its author keeps it: what `data` holds stays as it is, known keys and unknown ones alike. */
export interface RubricContent {
  readonly title: string;
  readonly description: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether everybody in the organisation may read and use it. */
  readonly isPublic: boolean;
}

export interface StoredRubric extends RubricContent {
  readonly id: string;
  readonly organizationId: number;
  readonly ownerId: number;
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const SCORING_TYPES = ['points', 'percentage', 'holistic', 'single-point', 'checklist'] as const;

export interface Level {
  readonly score: number;
  readonly label: string;
  readonly description: string;
}

export interface Criterion {
  readonly name: string;
  readonly description: string;
  /** In percent. */
  readonly weight: number;
  /** At least two, in the author's order. */
  readonly levels: readonly Level[];
}

/** What `data` says, read into types. */
export interface Rubric {
  readonly description: string;
  readonly subject: string;
  readonly gradeLevel: string;
  readonly criteria: readonly Criterion[];
  readonly scoringType: (typeof SCORING_TYPES)[number];
  readonly maxScore: number;
}

export interface RubricFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type RubricReading =
  | { readonly ok: true; readonly rubric: Rubric }
  | { readonly ok: false; readonly faults: readonly RubricFault[] };

const MOST_CRITERIA = 50;
const MOST_LEVELS = 20;
const LONGEST_NAME = 500;
const LONGEST_TEXT = 20_000;
const LARGEST_NUMBER = 1_000_000;

const orMissing = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is missing' : message),
});
const name = z
  .string(orMissing('must be a text'))
  .trim()
  .min(1, 'must not be empty')
  .max(LONGEST_NAME, `must have at most ${String(LONGEST_NAME)} characters`);
/** Left out, or null, says nothing. */
const text = z
  .string('must be a text')
  .max(LONGEST_TEXT, `must have at most ${String(LONGEST_TEXT)} characters`)
  .nullish()
  .transform((given) => given ?? '');
const number = z
  .number(orMissing('must be a number'))
  .min(-LARGEST_NUMBER, `must not be below -${String(LARGEST_NUMBER)}`)
  .max(LARGEST_NUMBER, `must not be above ${String(LARGEST_NUMBER)}`);

const LevelShape = z.object({ score: number, label: name, description: text }, 'must be an object');

const CriterionShape = z.object(
  {
    name,
    description: text,
    weight: number.min(0, 'must be 0 or more'),
    levels: z
      .array(LevelShape, orMissing('must be a list'))
      .min(2, 'must hold at least two levels')
      .max(MOST_LEVELS, `must hold at most ${String(MOST_LEVELS)} levels`),
  },
  'must be an object',
);

const Shape = z.object(
  {
    description: text,
    metadata: z.object({ subject: text, gradeLevel: text }, 'must be an object').nullish(),
    criteria: z
      .array(CriterionShape, orMissing('must be a list'))
      .min(1, 'must hold at least one criterion')
      .max(MOST_CRITERIA, `must hold at most ${String(MOST_CRITERIA)} criteria`),
    scoringType: z.enum(SCORING_TYPES, orMissing(`must be one of ${SCORING_TYPES.join(', ')}`)),
    maxScore: number.positive('must be above 0'),
  },
  'must be an object',
);

/** Reads LAMB's shape of a rubric. All that is wrong with it is told at once; keys it does not know are passed over. */
export function readRubric(data: unknown): RubricReading {
  const parsed = Shape.safeParse(data);
  const faults = [...(parsed.error?.issues.map(asFault) ?? []), ...faultsAcross(data)];
  if (!parsed.success || faults.length > 0) return { ok: false, faults };

  const { metadata, ...rest } = parsed.data;
  const about = { subject: metadata?.subject ?? '', gradeLevel: metadata?.gradeLevel ?? '' };
  return { ok: true, rubric: { ...rest, ...about } };
}

/** `criteria.0.weight: must be a number; …` */
export function faultsInWords(faults: readonly RubricFault[]): string {
  return faults.map(({ path, message }) => `${path.join('.') || 'rubric_data'}: ${message}`).join('; ');
}

function asFault({ path, message }: z.core.$ZodIssue): RubricFault {
  return { path: path.map((key) => (typeof key === 'number' ? key : String(key))), message };
}

/** What shows only when parts are compared; also told while single parts have faults, so it reads nothing on trust. */
function faultsAcross(data: unknown): RubricFault[] {
  const criteria = listIn(data, 'criteria');
  const twice = criteria.flatMap((criterion, i) => {
    const ids = listIn(criterion, 'levels').map((level) => valueIn(level, 'id'));
    const repeated = ids.find((id, at) => typeof id === 'string' && ids.indexOf(id) !== at);
    if (repeated === undefined) return [];
    return [{ path: ['criteria', i, 'levels'], message: `names the id ${JSON.stringify(repeated)} twice` }];
  });
  const scores = listIn(criteria[0], 'levels').map((level) => valueIn(level, 'score'));
  // The scale of the whole is measured by the first criterion's best level.
  const isScale = scores.some((score) => typeof score !== 'number' || score > 0);
  const message = 'the best level of the first criterion must have a score above 0';
  return scores.length === 0 || isScale ? twice : [...twice, { path: ['criteria', 0, 'levels'], message }];
}

function valueIn(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[key];
}

function listIn(holder: unknown, key: string): readonly unknown[] {
  const value = valueIn(holder, key);
  return Array.isArray(value) ? value : [];
}
