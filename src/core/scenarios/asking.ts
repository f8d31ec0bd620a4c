import type { Caller } from '../access/caller.js';
import type { Example } from '../assistants/annotation.js';
import type { ChatMessage } from '../message.js';
import { inEnglish, type Reason } from './reason.js';
import type { Passed, Recording, Spent } from './suite-run.js';

/** A call that a tool got. */
export interface MadeCall {
  readonly tool: string;
  /** Empty where it filled a placeholder. */
  readonly functionName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface CitedDocument {
  readonly title: string;
  readonly cited: boolean;
  /** The knowledge base it is of, where that can be told. */
  readonly collection?: string | undefined;
}

/** All that an expectation looks at. */
export interface Turn {
  readonly answer: string;
  readonly calls: readonly MadeCall[];
  readonly sources: readonly CitedDocument[];
  readonly rounds: number;
  /** Null where no prices are set. */
  readonly cost: number | null;
}

export interface Judgement {
  readonly passed: Passed;
  readonly why: string;
  /** What `why` says in English; absent where a model has said it. */
  readonly reason?: Reason;
}

/** Neither passed nor failed. */
export const undecided = (reason: Reason): Judgement => judgement(null, reason);

export const judgement = (passed: Passed, reason: Reason): Judgement => ({
  ...{ passed, why: inEnglish(reason), reason },
});

/** What a small model is asked about an answer. */
export type JudgeQuestion = {
  readonly asked: string;
  readonly answer: string;
} & (
  | { readonly kind: 'refuses' }
  | { readonly kind: 'judged'; readonly criterion: string }
  | { readonly kind: 'rubric'; readonly rubricId: string; readonly points: number }
);

/** One asking of one scenario: its own conversation, kept nowhere. */
export interface Asking {
  /** Throws when there is no answer. */
  ask(chat: readonly ChatMessage[]): Promise<Turn>;
  /** Undefined where the organisation has no small model. */
  judge(question: JudgeQuestion): Promise<Judgement | undefined>;
  spent(): Spent;
  /** What was recorded, secrets taken out; undefined where nothing was to be. */
  recording(): Recording | undefined;
}

export interface AskingRequest {
  readonly caller: Caller;
  readonly assistantId: number;
  readonly version: number;
  readonly signal: AbortSignal;
  /** The corrected answers it has. */
  readonly examples: readonly Example[];
  readonly cassette: 'live' | 'record' | { readonly replay: Recording };
}

export type BeginAsking = (request: AskingRequest) => Asking;
