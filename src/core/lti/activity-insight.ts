import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { StoredMessage } from '../runs/conversation.js';
import type { UsageSlice } from '../runs/usage.js';
import type { TranscriptPolicy } from './activity.js';

/** What was said and used in an activity, as far as somebody else may come to see it. Only of learners. */

/** From one moment on, up to another and not at it. */
export interface Span {
  readonly since: Timestamp;
  readonly before: Timestamp;
}

/** What one student asked on one day of UTC. */
export interface StudentDay {
  readonly day: string;
  readonly userId: number;
  readonly questions: number;
  /** Without an answer, or with one that was cut off. */
  readonly unanswered: number;
  /** Answered without a source, by an assistant that looks things up. */
  readonly sourceless: number;
  /** Whether all of it was said under `named`, by somebody who agrees to that still. */
  readonly named: boolean;
}

export interface ToolDay {
  readonly day: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
}

/** Which conversations are meant: by the policy under which they began. */
export interface Readable {
  readonly activityId: number;
  readonly begunUnder: readonly TranscriptPolicy[];
  /** Of those begun under `named` only what is of people who agree to that still. */
  readonly onlyAgreed: boolean;
}

export interface WeakAnswer {
  readonly conversationId: string;
  readonly question: StoredMessage['content'];
  readonly why: 'unanswered' | 'sourceless';
  readonly at: Timestamp;
}

/** A conversation and what its speaker is called; who it is, is not in it. */
export interface Transcript {
  readonly id: string;
  readonly title: string;
  readonly assistantId: number;
  readonly begunUnder: TranscriptPolicy;
  readonly number: number;
  /** Sealed. */
  readonly name: string | null;
  /** How many. */
  readonly messages: number;
  readonly startedAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** `retrieving` are the assistants that look things up. */
export interface WeakAnswerFilter extends Span {
  readonly activityId: number;
  readonly retrieving: readonly number[];
}

export interface ActivityInsightStore {
  studentDays(filter: WeakAnswerFilter): Promise<readonly StudentDay[]>;
  toolDays(activityId: number, span: Span): Promise<readonly ToolDay[]>;
  /** By day. Of those who are forgotten by now, too; not of instructors. */
  usageDays(activityId: number, span: Span): Promise<readonly UsageSlice[]>;
  /** The newest first. */
  weakAnswers(filter: WeakAnswerFilter, of: Readable, most: number): Promise<readonly WeakAnswer[]>;
  /** Whether so many students, or more, have said something: in such conversations, or in any. */
  hasSpeakers(atLeast: number, of: Readable): Promise<boolean>;
  /** Last used first. */
  transcripts(of: Readable, page: PageRequest): Promise<Page<Transcript>>;
  transcript(of: Readable, id: string): Promise<Transcript | undefined>;
  messagesOf(transcript: Transcript): Promise<readonly StoredMessage[]>;
}
