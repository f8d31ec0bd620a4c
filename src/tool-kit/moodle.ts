import { z } from 'zod';
import { courseKeptBack, type MoodleCourse, type MoodleRecords } from '../core/clients/moodle.js';
import { notConfigured } from '../core/errors.js';
import type { ToolContext } from '../core/runs/run-context.js';

/** What the tools that read Moodle share. */

/** Bound to the person behind the request: see `moodleUser`. */
export const MoodleUserId = z.number().int().positive();

export const CourseId = z
  .number()
  .int()
  .positive()
  .optional()
  .describe("The id of one of the person's own courses; all of them when left out");

export async function openMoodle(userId: number, { moodle, signal }: ToolContext): Promise<MoodleRecords> {
  if (!moodle) throw notConfigured('Moodle');
  return await moodle.recordsOf(userId, signal);
}

const NOTHING_SHOWN =
  'Moodle shows no courses of this person to this service. There may be none, or Moodle may keep them back.';

/** What was found in these courses, and what Moodle kept back: an empty list is never told as a fact. */
export async function tellCourses(
  records: MoodleRecords,
  shown: readonly MoodleCourse[],
  text: () => string,
): Promise<string> {
  const keptBack = await records.keptBack(shown);
  const found = shown.length > 0 ? [text()] : [];
  if (keptBack) return [...found, courseKeptBack(keptBack)].join('\n\n');
  return found[0] ?? NOTHING_SHOWN;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Such as `Friday 2027-01-15 22:59 UTC`: models are bad at finding the weekday of a date. */
export function momentText(seconds: number): string {
  const moment = new Date(seconds * 1000);
  const [date = '', time = ''] = moment.toISOString().split('T');
  return `${DAYS[moment.getUTCDay()] ?? ''} ${date} ${time.slice(0, 5)} UTC`;
}

/** A text below the line it belongs to. */
export function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
