import type { KeptMessage } from '../chat/shapes.ts';
import type { Page } from '../api/shapes.ts';

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
    readonly students: number;
    readonly of: number | null;
    readonly suppressed: boolean;
  };
  readonly questions: { readonly total: number; readonly per_day: readonly QuestionsOfDay[] };
  readonly tools: readonly ToolUse[];
  readonly attention: {
    readonly unanswered: number;
    readonly sourceless: number;
    readonly examples: readonly AttentionExample[];
  };
  readonly cost: {
    readonly amount: number | null;
    readonly currency: string | null;
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
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

export interface TranscriptRow {
  readonly id: string;
  readonly title: string;
  readonly who: { readonly label: string };
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
