import type { Dashboard, QuestionsOfDay } from '../../../../src/http/contract/activities.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

/** Nobody has asked anything: there is nothing to draw. */
export const isUnused = ({ participants, questions }: Dashboard): boolean =>
  !participants.suppressed && (participants.students ?? 0) === 0 && (questions.total ?? 0) === 0;

/** Days whose figure is held back. */
export const hiddenDays = ({ questions }: Dashboard): number =>
  questions.per_day.filter((day) => day.questions === null).length;

/** How many of the course took part, in percent; undefined where nobody knows how many there are. */
export function shareOf({ students, of }: Dashboard['participants']): number | undefined {
  return students === null || of === null || of <= 0
    ? undefined
    : Math.min(100, Math.round((students / of) * 100));
}

export function busiestOf(days: readonly QuestionsOfDay[]): QuestionsOfDay | undefined {
  return days.reduce<QuestionsOfDay | undefined>((best, day) => {
    return (day.questions ?? 0) > (best?.questions ?? 0) ? day : best;
  }, undefined);
}
