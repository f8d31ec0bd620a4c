import type { Activity, TranscriptPolicy, UsableAssistant } from '../../../src/http/contract/activities.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { ActivityChange } from './activity.ts';
import { type ExamDraft, examDraftOf, examIn, isWrongExam } from './exam-windows.ts';

/** An assistant as far as a choice shows it. */
export interface Chosen {
  readonly id: number;
  readonly name: string;
  readonly evaluates?: boolean;
  /** The newest; undefined where it is not known, as of one that whoever looks may not use. */
  readonly version?: number | undefined;
}

/** What an instructor is about to say of an activity. */
export interface SetupDraft {
  readonly chosen: readonly Chosen[];
  /** Undefined follows the newest. As it is typed. */
  readonly pinned: string | undefined;
  readonly policy: TranscriptPolicy;
  readonly days: string;
  readonly areStepsVisible: boolean;
  readonly exams: readonly ExamDraft[];
  readonly evaluator: number | undefined;
}

export const draftOf = (activity: Activity): SetupDraft => ({
  chosen: activity.assistants,
  pinned: activity.pinned_version === null ? undefined : String(activity.pinned_version),
  policy: activity.transcript_policy,
  days: String(activity.retention_days),
  areStepsVisible: activity.steps_visible,
  exams: activity.exam_windows.map(examDraftOf),
  evaluator: activity.evaluation?.assistant_id,
});

/** With exactly these assistants. What no longer goes with them goes. */
export function withChosen(draft: SetupDraft, chosen: readonly Chosen[]): SetupDraft {
  const isSame = chosen.length === 1 && chosen[0]?.id === draft.chosen[0]?.id;
  const isStillThere = chosen.some(({ id, evaluates }) => id === draft.evaluator && evaluates);
  return {
    ...draft,
    chosen,
    pinned: isSame ? draft.pinned : undefined,
    evaluator: isStillThere ? draft.evaluator : undefined,
  };
}

export type SetupProblem = 'assistants' | 'days' | 'exams' | 'pinned';

const wholeIn = (text: string, most: number): number | undefined => {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
};

const MOST_DAYS = 3650;

export function problemsIn({ chosen, days, exams, pinned }: SetupDraft): readonly SetupProblem[] {
  const problems: SetupProblem[] = [];
  if (chosen.length === 0) problems.push('assistants');
  if (pinned !== undefined && wholeIn(pinned, Number.MAX_SAFE_INTEGER) === undefined) problems.push('pinned');
  if (wholeIn(days, MOST_DAYS) === undefined) problems.push('days');
  if (exams.some(isWrongExam)) problems.push('exams');
  return problems;
}

/** All of it: what was suggested or assumed is confirmed by saving. */
export const changeIn = (draft: SetupDraft): ActivityChange => ({
  assistant_ids: draft.chosen.map(({ id }) => id),
  pinned_version: draft.pinned === undefined || draft.chosen.length !== 1 ? null : Number(draft.pinned),
  transcript_policy: draft.policy,
  retention_days: Number(draft.days),
  steps_visible: draft.areStepsVisible,
  exam_windows: draft.exams.map(examIn),
  evaluation: draft.evaluator === undefined ? null : { assistant_id: draft.evaluator },
});

/** Whether saving would change anything. */
export const isUnsaved = (draft: SetupDraft, activity: Activity): boolean =>
  JSON.stringify(changeIn(draft)) !== JSON.stringify(changeIn(draftOf(activity)));

/** How many pages are read in one go: nobody has more assistants than that to choose from. */
const MOST_PAGES = 10;

/** Where the assistants that somebody may use are read from, page by page. */
export interface AssistantsSource {
  assistants(query: AssistantQuery, signal?: AbortSignal): Promise<Page<UsableAssistant>>;
}

export interface AssistantQuery {
  readonly q?: string;
  readonly cursor: string | undefined;
  readonly limit?: number;
}

type ReadPage = (cursor: string | undefined) => Promise<Page<UsableAssistant>>;

/** The next page that has something on it: what somebody may not use is left out after a page was made. */
export async function firstWithRows(
  read: ReadPage,
  cursor: string | undefined,
): Promise<Page<UsableAssistant>> {
  let page = await read(cursor);
  for (let more = 1; more < MOST_PAGES && page.data.length === 0 && page.next_cursor !== null; more += 1)
    page = await read(page.next_cursor);
  return page;
}

/** Those among the assistants that somebody may use, in the order in which they are asked for. */
export async function usableAmong(
  ids: readonly number[],
  read: ReadPage,
): Promise<readonly UsableAssistant[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<number, UsableAssistant>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && found.size < wanted.length; page += 1) {
    const { data, next_cursor } = await read(cursor);
    for (const assistant of data) if (wanted.includes(assistant.id)) found.set(assistant.id, assistant);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return wanted.flatMap((id) => found.get(id) ?? []);
}
