import type { Timestamp } from '../base/ids.js';

/** `later`: whoever is chatting hears of a question when this part of the run is over, and answers with another request. */
export type MayAsk = boolean | 'later';

/** Nobody said anything in time: `expired`. The tool is not set up any more as it was when they were asked: `changed`. */
export type ApprovalAnswer = 'approved' | 'refused' | 'expired' | 'changed';

/** A call that waits for a person to say yes or no. */
export interface PendingApproval {
  readonly expiresAt: string;
  /** Rejects when the run ends first. */
  readonly answer: Promise<ApprovalAnswer>;
}

/** A call that somebody is asked about. */
export interface ApprovalQuestion {
  readonly callId: string;
  readonly tool: string;
  readonly label: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Changes with what its author has set for the tool. */
  readonly setUp: string;
}

/** Asks whoever is chatting whether a call may be made. `later`: they say it with another request, and the run stops until then. */
export type AskApproval = (question: ApprovalQuestion) => Promise<PendingApproval | ApprovalAnswer | 'later'>;

/** A call of ours that waits for a yes or no, which comes with another request; its id is ours as well. */
export interface OpenQuestion extends Omit<ApprovalQuestion, 'callId'> {
  readonly id: string;
  readonly expiresAt: Timestamp;
}

/** What somebody said to such a question. */
export interface QuestionAnswer {
  readonly id: string;
  readonly approved: boolean;
}
