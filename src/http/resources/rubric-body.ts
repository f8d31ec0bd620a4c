import { z } from 'zod';
import { faultOfSize } from '../../core/base/json-size.js';
import { readRubric, type RubricContent, type StoredRubric } from '../../core/rubrics/rubric.js';
import { warningsOf } from '../../core/rubrics/score.js';

const LIMITS = { bytes: 500_000, values: 20_000, depth: 32 };

type Data = RubricContent['data'];

/** Checked, and kept whole, whatever its keys are called. */
const RubricData = z.unknown().transform((given, ctx): Data => {
  const fault = (message: string, path: readonly (string | number)[] = []) => {
    ctx.addIssue({ code: 'custom', message, path: [...path] });
  };
  const oversize = faultOfSize(given, LIMITS);
  if (given === undefined) fault('is missing');
  else if (oversize) fault(oversize.message);
  else {
    const reading = readRubric(given);
    if (!reading.ok) for (const { path, message } of reading.faults) fault(message, path);
  }
  return given as Data;
});

export const RubricBody = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(500),
  description: z.string().max(10_000).optional(),
  rubric_data: RubricData,
  is_public: z.boolean().optional(),
});

/** `updated_at` of the record the changes were made to: refused when it has been changed since. */
export const RubricChange = RubricBody.extend({ updated_at: z.string().max(50).optional() });

const NOTHING = { description: '', isPublic: false } as const;

/** What a body leaves out the rubric itself may say; else it stays as it was. */
export function rubricContent(
  { title, description, rubric_data, is_public }: z.output<typeof RubricBody>,
  before: Pick<RubricContent, 'description' | 'isPublic'> = NOTHING,
): RubricContent {
  const { description: inner } = rubric_data;
  return {
    title,
    description: description ?? (typeof inner === 'string' ? inner.slice(0, 10_000) : before.description),
    data: rubric_data,
    isPublic: is_public ?? before.isPublic,
  };
}

export function showRubric(rubric: StoredRubric, mayEdit: boolean) {
  const reading = readRubric(rubric.data);
  return {
    id: rubric.id,
    title: rubric.title,
    description: rubric.description,
    owner: rubric.owner,
    organization_id: rubric.organizationId,
    is_public: rubric.isPublic,
    rubric_data: rubric.data,
    warnings: reading.ok
      ? warningsOf(reading.rubric)
      : reading.faults.map(({ path, message }) => `${path.join('.')}: ${message}`),
    may_edit: mayEdit,
    created_at: rubric.createdAt,
    updated_at: rubric.updatedAt,
  };
}
