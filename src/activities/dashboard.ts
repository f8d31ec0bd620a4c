import type { Activity } from '../core/lti/activity.js';
import type {
  ActivityInsightStore,
  Span,
  StudentDay,
  ToolDay,
  WeakAnswer,
} from '../core/lti/activity-insight.js';
import type { UsageSlice } from '../core/runs/usage.js';
import { type ShownDays, shownDays, studentsOf } from './k-anonymity.js';
import { isGroup, readingOf } from './transcripts.js';

/** What an instructor sees of an activity. Null is what a small group keeps to itself. */
export interface Dashboard {
  readonly isSmallGroup: boolean;
  readonly students: number | null;
  /** Whether there is more than is counted. */
  readonly isSuppressed: boolean;
  readonly questions: number | null;
  readonly perDay: readonly { readonly day: string; readonly questions: number | null }[];
  /** Most used first. */
  readonly tools: readonly Omit<ToolDay, 'day'>[];
  readonly unanswered: number | null;
  readonly sourceless: number | null;
  readonly examples: readonly WeakAnswer[];
  /** Null where it would tell what a few have used. */
  readonly used: readonly UsageSlice[] | null;
}

export interface AskedDashboard extends Span {
  /** Every day of it, in order; the last one is today. */
  readonly days: readonly string[];
  /** Its assistants that look things up. */
  readonly retrieving: readonly number[];
}

const MOST_EXAMPLES = 10;

/** Added up when somebody looks, one question after the other: few connections read, and searches wait for them too. */
export async function readDashboard(
  activity: Activity,
  asked: AskedDashboard,
  insight: ActivityInsightStore,
): Promise<Dashboard> {
  const { id, transcriptPolicy: policy } = activity;
  const filter = { ...asked, activityId: id };
  const isSmallGroup = policy !== 'named' && !(await isGroup(id, insight));
  const studentDays = await insight.studentDays(filter);
  const visible = shownDays(studentDays, { days: asked.days, policy });
  const isCounted = ({ day }: { readonly day: string }) => visible.counted.has(day);
  const counted = studentDays.filter(isCounted);
  const sums = {
    students: studentsOf(counted),
    questions: sumOf(counted, 'questions'),
    unanswered: sumOf(counted, 'unanswered'),
    sourceless: sumOf(counted, 'sourceless'),
  };
  const { readable } = await readingOf(activity, insight);
  return {
    ...{ isSmallGroup, ...(isSmallGroup ? WITHHELD : sums) },
    isSuppressed: counted.length < studentDays.length,
    perDay: perDay(studentDays, asked.days, isSmallGroup ? NOTHING_SHOWN : visible),
    tools: isSmallGroup ? [] : mostUsed((await insight.toolDays(id, asked)).filter(isCounted)),
    examples:
      readable.begunUnder.length === 0 ? [] : await insight.weakAnswers(filter, readable, MOST_EXAMPLES),
    used: isSmallGroup
      ? null
      : (await insight.usageDays(id, asked)).filter(({ key }) => visible.counted.has(key)),
  };
}

const WITHHELD = { students: null, questions: null, unanswered: null, sourceless: null };
const NOTHING_SHOWN: ShownDays = { counted: new Set(), shown: new Set() };

function perDay(asked: readonly StudentDay[], days: readonly string[], { shown }: ShownDays) {
  return days.map((day) => {
    const here = asked.filter((each) => each.day === day);
    return { day, questions: shown.has(day) ? sumOf(here, 'questions') : null };
  });
}

function mostUsed(tools: readonly ToolDay[]): Dashboard['tools'] {
  const sums = new Map<string, { calls: number; failed: number }>();
  for (const { tool, calls, failed } of tools) {
    const sum = sums.get(tool) ?? { calls: 0, failed: 0 };
    sums.set(tool, { calls: sum.calls + calls, failed: sum.failed + failed });
  }
  return [...sums]
    .map(([tool, sum]) => ({ tool, ...sum }))
    .sort((one, other) => other.calls - one.calls || (one.tool < other.tool ? -1 : 1));
}

function sumOf(days: readonly StudentDay[], figure: 'questions' | 'unanswered' | 'sourceless'): number {
  return days.reduce((sum, day) => sum + day[figure], 0);
}
