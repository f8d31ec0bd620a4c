import { z } from 'zod';
import { safeLabel } from '../core/base/text.js';
import { invalidConfiguration, notFound } from '../core/errors.js';
import { faultsInWords, readRubric, type Rubric, type StoredRubric } from '../core/rubrics/rubric.js';
import type { Source } from '../core/runs/event.js';
import type { ToolServices } from '../core/runs/run-context.js';
import type { Subject } from '../core/tool.js';

/** What the tools that work with a rubric share. */

/** Text; older configurations have numbers. */
export const RubricId = z
  .union([z.string().trim().min(1).max(200), z.number()], 'must be the id of a rubric: a text or a number')
  .transform(String)
  .describe('The rubric, by its id')
  .meta({ 'x-resource': 'rubric' });

const LONGEST_FAULTS = 500;

/** Never undefined: whether there is such a rubric for this assistant is for the gate to say. */
export async function rubricSubject(
  id: string,
  ctx: ToolServices,
  describe: (title: string) => string,
): Promise<Subject> {
  const rubric = await ctx.rubrics.get(id);
  if (!rubric) return { name: 'rubric' };
  const name = safeLabel(rubric.title);
  return { name, description: describe(name) };
}

/** More than any rubric has. */
const WHOLE = 1_000_000;

export function rubricSource({ id, title }: StoredRubric, ctx: ToolServices): Source {
  return { title, url: ctx.linkTo({ kind: 'rubric', id, maxChars: WHOLE }), type: 'rubric', id };
}

export async function openRubric(
  id: string,
  ctx: ToolServices,
): Promise<{ readonly stored: StoredRubric; readonly rubric: Rubric }> {
  const stored = await ctx.rubrics.get(id);
  if (!stored) throw notFound('The rubric');
  const reading = readRubric(stored.data);
  if (reading.ok) return { stored, rubric: reading.rubric };
  const faults = faultsInWords(reading.faults).slice(0, LONGEST_FAULTS);
  throw invalidConfiguration(`The rubric cannot be used until it is mended: ${faults}`);
}
