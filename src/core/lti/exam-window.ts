import type { Caller } from '../access/caller.js';
import type { Timestamp } from '../base/ids.js';
import { examUnderWay } from '../errors.js';

/** A time in which those who learn get no answers in an activity. */
export interface ExamWindow {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** What its teacher says to those who come. */
  readonly message?: string | undefined;
}

/** The one that this moment is in, and when all that follow each other without a gap are over. */
function examAt(
  windows: readonly ExamWindow[],
  at: number,
): { readonly window: ExamWindow; readonly until: Timestamp } | undefined {
  const covering = (moment: number) =>
    windows.find(({ from, to }) => Date.parse(from) <= moment && moment < Date.parse(to));
  const window = covering(at);
  if (!window) return undefined;
  let until = window.to;
  for (let next = covering(Date.parse(until)); next; next = covering(Date.parse(until))) until = next.to;
  return { window, until };
}

/**
 * Before a model is asked something for whoever came to an activity. Those who teach may ask at any time: they try out
 * what their students will meet.
 */
export function mustNotBeInExam(
  activity: { readonly examWindows: readonly ExamWindow[] } | undefined,
  { launch }: Caller,
): void {
  if (!activity || launch?.role === 'instructor') return;
  const exam = examAt(activity.examWindows, Date.now());
  if (exam) throw examUnderWay(exam.until, exam.window.message);
}
