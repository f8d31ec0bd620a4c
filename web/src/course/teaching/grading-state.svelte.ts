import type { Submission } from '../../../../src/http/contract/submissions.ts';
import { isAborted, isFault } from '../../api/fault.ts';
import type { SubmissionsApi } from '../submissions/submissions-api.ts';
import { changeOf, draftOf, isChanged, type GradeDraft } from './grade-draft.ts';
import { openSubmission, markOvertaken, savedAs, refreshed, type OpenSubmission } from './open-submission.ts';

/** What came of something that was sent. Of a conflict the grading state itself tells. */
export type Outcome = 'done' | 'conflict';

export type GradingState = ReturnType<typeof createGradingState>;

/** One submission while it is graded: as it is, what is being made of it, and what is sent. */
export function createGradingState(submissions: SubmissionsApi, id: Submission['id']) {
  let held = $state.raw<OpenSubmission>();
  let fault = $state.raw<unknown>();
  let latest = 0;
  const isDirty = $derived(held !== undefined && isChanged(held.submission, held.draft));

  const take = (fresh: Submission) => {
    latest += 1;
    held = held ? refreshed(held, fresh) : openSubmission(fresh);
  };
  /** As the service has it now: nothing of it is a draft any more. */
  const settle = (fresh: Submission) => {
    latest += 1;
    held = openSubmission(fresh);
  };

  async function load(): Promise<void> {
    const turn = ++latest;
    try {
      const fresh = await submissions.get(id);
      if (turn !== latest) return;
      take(fresh);
      fault = undefined;
    } catch (thrown) {
      if (turn === latest && !isAborted(thrown)) fault = thrown;
    }
  }

  /** Others may have been faster: then it is read again, and what was typed stays. */
  async function sent(work: () => Promise<unknown>): Promise<Outcome> {
    try {
      await work();
      return 'done';
    } catch (thrown) {
      if (!isFault(thrown) || thrown.status !== 409) throw thrown;
      await load();
      if (held) held = markOvertaken(held);
      return 'conflict';
    }
  }

  const decided = (work: () => Promise<Submission>) =>
    sent(async () => {
      settle(await work());
    });

  const shown = (): OpenSubmission => {
    if (!held) throw new Error('Nothing has been loaded.');
    return held;
  };

  /** The submission with what was typed saved, where something was. */
  async function saved(): Promise<Submission> {
    const { submission, draft } = shown();
    if (!isChanged(submission, draft)) return submission;
    const fresh = await submissions.change(submission, changeOf(draft));
    latest += 1;
    held = savedAs(shown(), draft, fresh);
    return fresh;
  }

  return {
    get submission() {
      return held?.submission;
    },
    get draft() {
      return held?.draft;
    },
    get isOvertaken() {
      return held?.isOvertaken ?? false;
    },
    get isDirty() {
      return isDirty;
    },
    get fault() {
      return fault;
    },
    load,
    edit(change: Partial<GradeDraft>) {
      if (held) held = { ...held, draft: { ...held.draft, ...change } };
    },
    takeTheirs() {
      if (held) held = { ...held, draft: draftOf(held.submission), isOvertaken: false };
    },
    save: () => sent(saved),
    approve: () => decided(async () => submissions.approve(await saved())),
    reject: (comment: string) => decided(() => submissions.reject(shown().submission, comment)),
    evaluate: () => decided(() => submissions.evaluate(shown().submission)),
    post: () => decided(() => submissions.post(shown().submission)),
  };
}
