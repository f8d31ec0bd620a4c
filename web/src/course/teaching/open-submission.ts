import type { Submission } from '../../../../src/http/contract/submissions.ts';
import { draftOf, isChanged, type GradeDraft } from './grade-draft.ts';

/** A submission that somebody is grading, as it was last read. */
export interface OpenSubmission {
  readonly submission: Submission;
  readonly draft: GradeDraft;
  /** It changed elsewhere while something was being typed here. */
  readonly isOvertaken: boolean;
}

export const openSubmission = (submission: Submission): OpenSubmission => ({
  ...{ submission, draft: draftOf(submission), isOvertaken: false },
});

/** The same after it was read again: what was typed and not saved stays. */
export function refreshed(
  { submission, draft, isOvertaken }: OpenSubmission,
  fresh: Submission,
): OpenSubmission {
  if (!isChanged(submission, draft)) return openSubmission(fresh);
  const isNewer = fresh.version !== submission.version || fresh.status !== submission.status;
  return { submission: fresh, draft, isOvertaken: isOvertaken || isNewer };
}

/** The same after a draft of it was saved: what was typed since then is still to be saved. */
export const savedAs = ({ draft }: OpenSubmission, sent: GradeDraft, fresh: Submission): OpenSubmission =>
  draft === sent ? openSubmission(fresh) : { submission: fresh, draft, isOvertaken: false };

/** Something was refused because it has changed: that is said even where nothing had been typed. */
export const markOvertaken = (open: OpenSubmission): OpenSubmission => ({ ...open, isOvertaken: true });
