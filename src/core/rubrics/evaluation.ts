import { z } from 'zod';
import { parseStrictJson } from '../base/json.js';
import { withoutFence } from '../base/text.js';
import { type JsonSchema, toJsonSchema } from '../json-schema.js';
import { table } from './markdown.js';
import type { Level, Rubric } from './rubric.js';
import { totalOf } from './score.js';

export interface Judgement {
  readonly level: Level;
  readonly reason: string;
}

/** One judgement for each criterion, in their order. */
export type EvaluationReading =
  | { readonly ok: true; readonly judgements: readonly Judgement[] }
  | { readonly ok: false; readonly faults: readonly string[] };

const LONGEST_REASON = 1_000;
const MOST_FAULTS = 10;
const LONGEST_FAULT = 200;

/** Names of our own: the author's may be long, the same twice, or not what providers take as a key. */
export const criterionKey = (i: number) => `criterion_${String(i + 1)}`;
export const levelKey = (i: number) => `level_${String(i + 1)}`;

/** The form a model's judgement must have: exactly these criteria, and of each one of its levels. */
export function evaluationSchema(rubric: Rubric): JsonSchema {
  const { $schema: _dialect, ...schema } = toJsonSchema(shapeOf(rubric));
  return schema;
}

/** The rubric under the names the form uses. */
export function choicesOf({ criteria }: Rubric): object {
  return Object.fromEntries(
    criteria.map(({ name, description, levels }, i) => [
      criterionKey(i),
      {
        name,
        description,
        levels: Object.fromEntries(
          levels.map(({ label, description: says }, at) => [levelKey(at), { label, description: says }]),
        ),
      },
    ]),
  );
}

export function readEvaluation(answer: string, rubric: Rubric): EvaluationReading {
  const json = parseStrictJson(withoutFence(answer));
  if (!json.ok) return { ok: false, faults: [`the answer ${json.reason}`] };
  const parsed = shapeOf(rubric).safeParse(json.value);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.slice(0, MOST_FAULTS).map(inWords) };
  }
  const judgements = rubric.criteria.map(({ levels }, i) => {
    const { level, reason } = parsed.data[criterionKey(i)] as Picked;
    const chosen = levels.find((_, at) => levelKey(at) === level) as Level;
    return { level: chosen, reason: reason.trim().slice(0, LONGEST_REASON) };
  });
  return { ok: true, judgements };
}

/** The judgements and what they come to, by the weights. */
export function evaluationMarkdown(title: string, rubric: Rubric, judgements: readonly Judgement[]): string {
  const rows = rubric.criteria.map(({ name, weight }, i) => {
    const { level, reason } = judgements[i] as Judgement;
    return [name, `${String(weight)}%`, level.label, String(level.score), reason];
  });
  const total = totalOf(
    rubric,
    judgements.map(({ level }) => level),
  );
  return [
    `Evaluation with the rubric "${title.replace(/\s+/g, ' ').trim()}"`,
    table(['Criterion', 'Weight', 'Level', 'Score', 'Reason'], rows),
    `**Total: ${String(total)} of ${String(rubric.maxScore)}** (computed by the weights; report it unchanged)`,
  ].join('\n\n');
}

interface Picked {
  readonly reason: string;
  readonly level: string;
}

function shapeOf({ criteria }: Rubric) {
  // The reason comes first: a level chosen after it is chosen for it.
  const picked = criteria.map(({ levels }, i) => [
    criterionKey(i),
    z.strictObject({ reason: z.string(), level: z.enum(levels.map((_, at) => levelKey(at))) }),
  ]);
  return z.strictObject(Object.fromEntries(picked) as Record<string, z.ZodType<Picked>>);
}

function inWords({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.') || 'the answer'}: ${message}`.slice(0, LONGEST_FAULT);
}
