import type { StoredMessage } from './chat.js';
import type { Page } from './page.js';

/** What the routes of a visit from a learning platform and of its activity answer with. */
export type TranscriptPolicy = 'none' | 'pseudonymous' | 'named';

export interface PlacedAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Whether it takes pictures. */
  readonly vision: boolean;
  /** Whether it answers here now. Those who learn see only those that do, and are not told the rest. */
  readonly may_use?: boolean;
  /** It can propose grades. */
  readonly evaluates?: boolean;
}

/** A link in a course, and what is behind it. */
export interface Activity {
  readonly id: number;
  readonly title: string;
  readonly course_title: string;
  readonly configured: boolean;
  readonly assistants: readonly PlacedAssistant[];
  /** Null follows the newest. */
  readonly pinned_version: number | null;
  readonly transcript_policy: TranscriptPolicy;
  readonly retention_days: number;
  readonly steps_visible: boolean;
  readonly evaluation: { readonly assistant_id: number } | null;
  readonly platform_id: number;
  readonly platform_name: string;
  readonly updated_at: string;
}

/** The account here that somebody has proved to be theirs. */
export interface LinkedAccount {
  readonly email: string;
  readonly name: string;
}

export interface Consent {
  readonly needed: boolean;
  readonly given_at: string | null;
}

/** Who came from where, and what they opened. */
export interface LtiSession {
  readonly kind: 'activity' | 'deep_link';
  readonly role: 'instructor' | 'learner';
  /** May be empty: platforms need not tell. */
  readonly name: string;
  /** Of the course, as far as it is one of ours. */
  readonly locale: 'en' | 'es' | 'ca' | 'eu' | null;
  readonly platform: { readonly name: string };
  readonly course: { readonly id: string; readonly title: string } | null;
  readonly return_url: string | null;
  readonly opened_in: 'iframe' | 'window' | null;
  /** Of an instructor who has proved to have one here. */
  readonly account: LinkedAccount | null;
  readonly activity: Activity | null;
  readonly consent: Consent;
  /** What the link itself asks for, while nobody has set it up. */
  readonly suggested_assistant_ids: readonly number[];
  readonly grading: { readonly available: boolean; readonly reason: string | null };
}

/** An assistant that an instructor may place. */
export interface UsableAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly owner_name: string;
  readonly version: number;
  readonly evaluates: boolean;
}

/** What goes back to the platform, signed. */
export interface Placed {
  readonly return_url: string;
  readonly jwt: string;
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

export interface ToolUse {
  readonly tool: string;
  readonly title: string;
  readonly calls: number;
  readonly failed: number;
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

/** Somebody by name, or as a number. */
export interface Speaker {
  readonly label: string;
  readonly number: number | null;
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

/** Without its run, which leads to whoever asked. */
export type TranscriptMessage = Omit<StoredMessage, 'run_id' | 'steps'>;

export interface Transcript extends Omit<TranscriptRow, 'messages'> {
  readonly messages: readonly TranscriptMessage[];
}
