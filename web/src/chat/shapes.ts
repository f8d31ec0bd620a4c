import type { Source } from './sources.ts';
import type { KeptStep } from './steps.ts';

export interface Conversation {
  readonly id: string;
  readonly assistant_id: number;
  /** Null when it is gone, or no longer to be seen. */
  readonly assistant_name?: string | null;
  readonly title: string;
  readonly messages?: number;
  readonly updated_at: string;
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };
export type Content = string | readonly Part[];

export interface KeptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
  readonly run_id: string | null;
  readonly incomplete: boolean;
  readonly sources?: readonly Source[];
  readonly steps?: readonly KeptStep[];
}

export interface WholeConversation extends Omit<Conversation, 'messages'> {
  readonly messages: readonly KeptMessage[];
}

/** A call that waits for a yes or no. */
export interface OpenCall {
  readonly call_id: string;
  readonly tool: string;
  readonly label: string;
  readonly arguments: unknown;
  readonly expires_at: string;
}
