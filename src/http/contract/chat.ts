/** What the routes of conversations and approvals answer with. */
export interface Conversation {
  readonly id: string;
  readonly assistant_id: number;
  /** Null when it is gone, or no longer this person's to know of. */
  readonly assistant_name: string | null;
  readonly title: string;
  /** How many. */
  readonly messages: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WholeConversation extends Omit<Conversation, 'messages'> {
  readonly messages: readonly StoredMessage[];
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };
export type Content = string | readonly Part[];

export interface StoredMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
  readonly run_id: string | null;
  /** An answer that was cut off. */
  readonly incomplete: boolean;
  readonly created_at: string;
  readonly sources?: readonly Source[];
  readonly steps?: readonly AnswerStep[];
}

/** Where an answer comes from. */
export interface Source {
  readonly n: number;
  readonly title: string;
  readonly url?: string | undefined;
  readonly similarity?: number | undefined;
  /** What is quoted is a correction of what the document says. */
  readonly corrected?: boolean;
  /** Whether the answer names it by its number. */
  readonly cited: boolean;
}

/** What a tool told of what it did. */
export type StepFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Something that was done for an answer, as it is kept with it. */
export interface AnswerStep {
  /** `assistant` for a call that asked another one. */
  readonly kind: 'placeholder' | 'tool' | 'assistant';
  readonly tool: string;
  /** In English. */
  readonly label: string;
  /** What it is about, by its name. */
  readonly subject?: string | undefined;
  readonly facts?: StepFacts;
  readonly state: 'completed' | 'failed' | 'denied';
  readonly ms: number;
  /** The round of the model it belongs to; 0 before the first. */
  readonly iteration: number;
}

/** A call that waits for a yes or no. */
export interface OpenCall {
  readonly call_id: string;
  readonly tool: string;
  readonly label: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly expires_at: string;
}
