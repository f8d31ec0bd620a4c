import type { z } from 'zod';
import { type AppError, badRequest, type FieldFault } from '../../core/errors.js';
import { fieldFault, IN_PLAIN_WORDS } from '../../core/field-faults.js';

const MOST_FAULTS = 20;
const LONGEST_FAULT = 300;

/** What is wrong with a body before it is parsed. */
export class RefusedBody extends Error {
  constructor(readonly refusal: AppError) {
    super(refusal.message);
  }
}

/** A value from outside, read by its schema. Every fault is named at once. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what = 'The body',
): z.output<Schema> {
  if (value === undefined)
    throw badRequest(`${what} is missing. Send JSON with "Content-Type: application/json".`);
  const parsed = schema.safeParse(value, IN_PLAIN_WORDS);
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error);
  const message = `${what} has faults: ${faults.join('; ')}`;
  throw badRequest(message, parsed.error.issues[0]?.path.join('.'), fieldFaultsOf(parsed.error));
}

/** Field by field, for forms. */
export function fieldFaultsOf(error: z.ZodError): FieldFault[] {
  return error.issues.flatMap((issue) => explain(issue)).slice(0, MOST_FAULTS);
}

/** `where: what is wrong`, one for each fault. */
export function faultsOf(error: z.ZodError): string[] {
  const faults = error.issues
    .flatMap((issue) => explain(issue))
    .map(({ path, message }) => cut(`${path === '' ? 'body' : path}: ${message}`));
  const shown = faults.slice(0, MOST_FAULTS);
  return faults.length > MOST_FAULTS ? [...shown, `and ${String(faults.length - MOST_FAULTS)} more`] : shown;
}

/** Of the branches of a union, the one that came closest, with the fewest faults, says best what is wrong. */
function explain(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const depth = (branch: readonly z.core.$ZodIssue[]) =>
      Math.max(...branch.slice(0, MOST_FAULTS).map((inner) => inner.path.length));
    const [closest] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
    return (closest ?? []).slice(0, MOST_FAULTS).flatMap((inner) => explain(inner, path));
  }
  const fault = fieldFault(path.map(String).join('.'), issue);
  return [{ ...fault, path: cut(fault.path), message: cut(fault.message) }];
}

const cut = (text: string): string =>
  text.length <= LONGEST_FAULT ? text : `${text.slice(0, LONGEST_FAULT)}…`;
