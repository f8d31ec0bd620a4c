import type { KeptMessage } from '../../chat/shapes.ts';
import type { Page } from '../../api/shapes.ts';

export const TRANSCRIPT_POLICIES = ['none', 'pseudonymous', 'named'] as const;
export type TranscriptPolicy = (typeof TRANSCRIPT_POLICIES)[number];

/** As much of an activity as is taught with. */
export interface TaughtActivity {
  readonly id: number;
  readonly transcript_policy: TranscriptPolicy;
  readonly assistants: readonly { readonly id: number; readonly name: string }[];
  readonly evaluation: { readonly assistant_id: number } | null;
}

/** As much of a launch as is taught with. */
export interface TaughtSession {
  readonly platform: { readonly name: string };
  readonly grading: { readonly available: boolean; readonly reason: string | null };
}

export interface QuestionsOfDay {
  readonly day: string;
  /** Null where too few asked for a figure to be shown. */
  readonly questions: number | null;
}

export interface AttentionExample {
  readonly conversation_id: string | null;
  readonly question: string;
  readonly why: 'unanswered' | 'sourceless';
  readonly at: string;
}

export interface Dashboard {
  readonly period: { readonly from: string; readonly to: string };
  readonly participants: {
    /** Null where so few took part that it is not told. */
    readonly students: number | null;
    readonly of: number | null;
    /** There is more than is counted. */
    readonly suppressed: boolean;
  };
  readonly questions: { readonly total: number | null; readonly per_day: readonly QuestionsOfDay[] };
  readonly tools: readonly ToolUse[];
  readonly attention: {
    readonly unanswered: number | null;
    readonly sourceless: number | null;
    readonly examples: readonly AttentionExample[];
  };
  readonly cost: {
    readonly amount: number | null;
    readonly currency: string | null;
    readonly prompt_tokens: number | null;
    readonly completion_tokens: number | null;
  };
  readonly transcript_policy: TranscriptPolicy;
  readonly small_group: boolean;
}

export interface ToolUse {
  readonly tool: string;
  readonly title: string;
  readonly calls: number;
  readonly failed: number;
}

/** Somebody by name, or as a number. */
export interface Speaker {
  readonly label: string;
  readonly number?: number | null;
}

export interface TranscriptRow {
  readonly id: string;
  readonly title: string;
  readonly who: Speaker;
  readonly assistant_id: number;
  readonly messages: number;
  readonly started_at: string;
  readonly updated_at: string;
}

export interface TranscriptPage extends Page<TranscriptRow> {
  readonly shown: boolean;
  readonly reason: 'policy_none' | 'too_few' | null;
}

export interface Transcript extends Omit<TranscriptRow, 'messages'> {
  readonly messages: readonly Pick<KeptMessage, 'role' | 'content' | 'sources'>[];
}
