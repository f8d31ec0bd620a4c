import type { ExamWindow } from '../../../src/http/contract/activities.ts';
import { localTime, momentOf } from '../ui/local-time.ts';

/** As the service takes them. */
export const MOST_EXAMS = 20;
export const LONGEST_MESSAGE = 500;

/** One as it is being written, by the clock of whoever writes it. */
export interface ExamDraft {
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

export const NEW_EXAM: ExamDraft = { from: '', to: '', message: '' };

export const examDraftOf = ({ from, to, message = '' }: ExamWindow): ExamDraft => ({
  ...{ from: localTime(from), to: localTime(to), message },
});

export const isWrongExam = ({ from, to }: ExamDraft): boolean => from === '' || to === '' || to <= from;

export const examIn = ({ from, to, message }: ExamDraft): ExamWindow => ({
  from: momentOf(from) ?? '',
  to: momentOf(to) ?? '',
  ...(message.trim() === '' ? {} : { message: message.trim() }),
});

/** The exam that a moment is in, and when all that follow each other without a gap are over. */
export function examAt(
  windows: readonly ExamWindow[],
  at: number,
): { readonly message: string; readonly until: string } | undefined {
  const covering = (moment: number) =>
    windows.find(({ from, to }) => Date.parse(from) <= moment && moment < Date.parse(to));
  const found = covering(at);
  if (!found) return undefined;
  let until = found.to;
  for (let next = covering(Date.parse(until)); next; next = covering(Date.parse(until))) until = next.to;
  return { message: found.message ?? '', until };
}

/** When the next one begins or ends. */
export function nextChange(windows: readonly ExamWindow[], at: number): number | undefined {
  const moments = windows.flatMap(({ from, to }) => [Date.parse(from), Date.parse(to)]);
  const ahead = moments.filter((moment) => moment > at);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
