import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { TranscriptPolicy } from '../lti/activity.js';
import type { ChatContent } from '../message.js';
import type { CitedSource, FinishReason, NumberedSource, Source, ToolFacts } from './event.js';

/** Conversations as they are kept. */

export interface StoredMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ChatContent;
  readonly runId: string | null;
  /** An answer that was cut off: by the reader leaving, or by a fault. */
  readonly incomplete: boolean;
  /** Of an answer: what was seen beside it. Null where there was nothing. */
  readonly details: AnswerDetails | null;
  readonly createdAt: Timestamp;
}

export interface NewMessage extends Omit<StoredMessage, 'createdAt' | 'details'> {
  readonly details?: AnswerDetails | undefined;
}

/** Whose a conversation is: somebody's own, or somebody's within an activity, where others do not see it. */
export interface Speaker {
  readonly userId: number;
  readonly activityId?: number | undefined;
}

export interface Conversation extends Speaker {
  readonly id: string;
  readonly assistantId: number;
  readonly title: string;
  readonly isPinned: boolean;
  /** Null for none. */
  readonly folder: string | null;
  /** How often it was taken back to an earlier message. */
  readonly rewinds: number;
  /** Of an activity: what was promised when it began. */
  readonly transcriptPolicy?: TranscriptPolicy | undefined;
  readonly createdAt: Timestamp;
  /** When something was last said in it. */
  readonly updatedAt: Timestamp;
}

export interface ListedConversation extends Conversation {
  /** How many. */
  readonly messages: number;
}

export interface ConversationFilter {
  /** Found in the title or in what was said, whatever the case. */
  readonly q?: string | undefined;
  readonly assistantId?: number | undefined;
  readonly isPinned?: boolean | undefined;
  readonly folder?: string | undefined;
  /** Whether it is in a folder, whichever. */
  readonly isFiled?: boolean | undefined;
}

/** What its speaker may change; what is undefined stays as it is. */
export interface ConversationChange {
  readonly title?: string | undefined;
  readonly isPinned?: boolean | undefined;
  readonly folder?: string | null | undefined;
}

export interface ConversationFolder {
  readonly name: string;
  /** How many. */
  readonly conversations: number;
}

/** Nobody finds anything among more of them. */
export const MOST_FOLDERS = 200;

/** Every read and write names the speaker: a conversation of somebody else's does not exist. */
export interface ConversationStore {
  create(
    conversation: Pick<Conversation, 'userId' | 'activityId' | 'assistantId' | 'title' | 'transcriptPolicy'>,
  ): Promise<Conversation>;
  get(whose: Speaker, id: string): Promise<Conversation | undefined>;
  /** Last used first. */
  list(whose: Speaker, filter: ConversationFilter, page: PageRequest): Promise<Page<ListedConversation>>;
  change(whose: Speaker, id: string, change: ConversationChange): Promise<ListedConversation | undefined>;
  /** By name, as many as there may be. */
  folders(whose: Speaker): Promise<readonly ConversationFolder[]>;
  messages(whose: Speaker, id: string): Promise<readonly StoredMessage[]>;
  /** False, and nothing is written, when it has been rewound more often than that. Throws when it is gone. */
  append(
    whose: Speaker,
    id: string,
    messages: readonly NewMessage[],
    unlessRewoundSince?: number,
  ): Promise<boolean>;
  /** Keeps so many messages, the first ones. False when there is no such conversation. */
  rewind(whose: Speaker, id: string, keep: number): Promise<boolean>;
  delete(whose: Speaker, id: string): Promise<boolean>;
}

/** One call of a tool, as whoever is chatting saw it end. */
export interface AnswerStep {
  /** `assistant` for a call that asked another one. */
  readonly kind: 'placeholder' | 'tool' | 'assistant';
  readonly tool: string;
  /** Safe names only, on one line. */
  readonly label: string;
  /** The safe name in it, if there is one. */
  readonly subject?: string | undefined;
  readonly state: 'completed' | 'failed' | 'denied';
  readonly ms: number;
  /** The round of the model it belongs to; 0 before the first. */
  readonly iteration: number;
  readonly facts?: ToolFacts;
}

/** What is kept with an answer, so that it can be read again as it was first seen. */
export interface AnswerDetails {
  readonly sources: readonly CitedSource[];
  readonly steps: readonly AnswerStep[];
  /** For the model alone, in the turns after it. */
  readonly results?: readonly BroughtResult[];
  /** Why the model said no more, where it had not come to its end. */
  readonly cutBy?: CutBy;
}

export type CutBy = Extract<FinishReason, 'length' | 'content_filter'>;

/** What a function of ours brought, as it is kept with the answer that was made of it. */
export interface BroughtResult {
  readonly tool: string;
  /** The function, and how it was called. */
  readonly name: string;
  readonly arguments: string;
  /** A hash of how its author had set it up. */
  readonly setUp: string;
  /** A hash of the person it was brought for. */
  readonly person: string;
  readonly content: string;
  readonly sources: readonly Source[];
  readonly numbered?: readonly NumberedSource[];
  readonly passages?: readonly { readonly text: string; readonly source: Source }[];
}
