import type { Timestamp } from '../base/ids.js';
import type { Span } from '../lti/activity-insight.js';
import type { TranscriptPolicy } from '../lti/activity.js';
import type { Content } from '../message.js';
import type { CitedSource } from '../runs/event.js';
import type { Rating } from '../runs/stores.js';

/** What was asked of an assistant and kept, before anybody has looked at who may see what of it. */

export interface AskedQuestion {
  readonly runId: string;
  readonly userId: number;
  /** Null outside of activities. */
  readonly activityId: number | null;
  /** Of an activity: whether it is a student's. */
  readonly isLearner: boolean;
  /** Of an activity: what was promised when the conversation began. */
  readonly begunUnder: TranscriptPolicy | null;
  /** Of an activity: whether whoever asked agrees to be named. */
  readonly agrees: boolean;
  /** By somebody without an account, who came by a link. */
  readonly isVisitor: boolean;
  readonly question: Content;
  /** Undefined where there was none. */
  readonly answer: KeptAnswer | undefined;
  readonly at: Timestamp;
}

export interface KeptAnswer {
  readonly text: string;
  readonly isIncomplete: boolean;
  readonly sources: readonly CitedSource[];
}

/** What somebody thinks of an answer. The question is undefined where it is not kept any more. */
export interface RatedAnswer {
  readonly runId: string;
  readonly rating: Rating;
  readonly comment: string | null;
  readonly at: Timestamp;
  readonly asked: AskedQuestion | undefined;
}

export interface AssistantInsightStore {
  /** The newest first. */
  questions(assistantId: number, span: Span, most: number): Promise<readonly AskedQuestion[]>;
  /**
   * What people have said of answers in that time: those that were no help first, then the newest. What is said in an
   * activity is among it when so many of its students have spoken.
   */
  rated(
    assistantId: number,
    span: Span,
    bounds: { readonly fewestStudents: number; readonly most: number },
  ): Promise<readonly RatedAnswer[]>;
}
