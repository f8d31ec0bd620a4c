import type { AskedQuestion } from '../core/assistants/insight.js';
import type { Activity } from '../core/lti/activity.js';
import type { ActivityInsightStore, Readable, StudentDay } from '../core/lti/activity-insight.js';
import { shownDays } from './k-anonymity.js';
import { readingOf } from './transcripts.js';

/** What somebody who may change an assistant learns of what others have asked it. */
export interface SeenQuestions {
  /** What may be counted, and of which words that many use may be told. */
  readonly counted: readonly AskedQuestion[];
  /** Whether the words of one may be shown as they were written. */
  isQuotable(asked: AskedQuestion): boolean;
  /** Whether there is more, which may not even be counted. */
  readonly isSuppressed: boolean;
}

export interface QuestionReader {
  readonly userId: number;
  /** Every day of the period, in order. */
  readonly days: readonly string[];
  /** The activities that are theirs to look after, of those that the questions are of. */
  readonly ownActivities: readonly Activity[];
  readonly activityOf: (id: number) => Activity | undefined;
}

/**
 * Everybody's own conversations are for them alone, and a visitor's are kept for the visit: others read none of it. Of
 * an activity that which its transcript policy lets a teacher read is quoted to those whose activity it is; and it is
 * counted, as on the dashboard, in days and weeks of five students at least.
 */
export async function seenQuestions(
  asked: readonly AskedQuestion[],
  { userId, days, ownActivities, activityOf }: QuestionReader,
  insight: Pick<ActivityInsightStore, 'hasSpeakers'>,
): Promise<SeenQuestions> {
  const readable = new Map<number, Readable>();
  for (const activity of ownActivities)
    readable.set(activity.id, (await readingOf(activity, insight)).readable);
  const isOwn = (one: AskedQuestion) => one.userId === userId;
  const others = asked.filter((one) => !isOwn(one) && !one.isVisitor);
  const inActivities = new Map<number, AskedQuestion[]>();
  for (const one of others) {
    if (one.activityId !== null && one.isLearner && one.begunUnder !== 'none')
      inActivities.set(one.activityId, [...(inActivities.get(one.activityId) ?? []), one]);
  }
  const shown = new Set<AskedQuestion>();
  for (const [id, here] of inActivities) {
    const activity = activityOf(id);
    if (!activity || activity.transcriptPolicy === 'none') continue;
    const { counted } = shownDays(studentDays(here), { days, policy: activity.transcriptPolicy });
    for (const one of here) if (counted.has(dayOf(one))) shown.add(one);
  }
  const counted = asked.filter(
    (one) => isOwn(one) || shown.has(one) || (one.activityId === null && !one.isVisitor),
  );
  return {
    counted,
    isQuotable: (one) => isOwn(one) || isReadable(one, readable.get(one.activityId ?? 0)),
    isSuppressed: counted.length < asked.filter((one) => isOwn(one) || !isTeaching(one)).length,
  };
}

/** What teachers try out in their own course is neither counted nor missed. */
const isTeaching = ({ activityId, isLearner }: AskedQuestion) => activityId !== null && !isLearner;

function isReadable(
  { begunUnder, agrees, isLearner }: AskedQuestion,
  readable: Readable | undefined,
): boolean {
  if (!readable || !isLearner || begunUnder === null || !readable.begunUnder.includes(begunUnder))
    return false;
  return begunUnder !== 'named' || !readable.onlyAgreed || agrees;
}

const dayOf = ({ at }: AskedQuestion) => at.slice(0, 10);

function studentDays(asked: readonly AskedQuestion[]): readonly StudentDay[] {
  return asked.map((one) => ({
    ...{ day: dayOf(one), userId: one.userId, questions: 1, unanswered: 0, sourceless: 0 },
    named: one.begunUnder === 'named' && one.agrees,
  }));
}
