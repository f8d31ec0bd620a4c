import type { Timestamp } from '../base/ids.js';
import type { FunctionSpec, ToolChoice } from '../connector.js';
import type { Message, ToolCall } from '../message.js';
import type { NumberedSource, ToolReport } from './event.js';
import type { OpenQuestion } from './approval.js';

/** What a client offers of its own in one request. */
export interface ClientTools {
  /** None where it only says which of those that are offered anyway has to be called. */
  readonly specs: readonly FunctionSpec[];
  /** For the first round; the model chooses freely afterwards. */
  readonly choice?: ToolChoice | undefined;
}

/** The same as it was sent: a client may want none of its tools called for now, whichever they are. */
export type SentTools = ClientTools | 'none';

/** What a client's tool brought. */
export interface ClientResult {
  readonly callId: string;
  readonly content: string;
}

/** How far a run has come. */
export interface RunState {
  readonly messages: readonly Message[];
  readonly sources: readonly NumberedSource[];
  readonly tools: readonly ToolReport[];
  readonly rounds: number;
  readonly specs: readonly FunctionSpec[];
  /** The ids by which the model knows the calls, by ours. */
  readonly modelIds: Readonly<Record<string, string>>;
  /** Our ids of the client's calls in rounds before this one: clients send them along. */
  readonly answered: readonly string[];
  /** For each call, where these are ours and wait for approval. */
  readonly questions?: readonly OpenQuestion[];
}

/** A run that waits for what its client's tools bring, or for what somebody says to its questions. */
export interface Handover {
  readonly id: string;
  readonly runId: string;
  readonly userId: number;
  readonly assistantId: number;
  readonly activityId: number | undefined;
  readonly conversationId: string | undefined;
  /** Under ids of ours. */
  readonly calls: readonly ToolCall[];
  readonly state: RunState;
  readonly expiresAt: Timestamp;
}

type Whose = Pick<Handover, 'userId' | 'assistantId'>;

export interface HandoverStore {
  keep(handover: Handover): Promise<void>;
  /** The one that handed out this call, for whoever it was handed out to, while it waits. */
  waiting(callId: string, whose: Whose): Promise<Handover | undefined>;
  /** False when somebody else goes on with it already. */
  claim(id: string, until: Timestamp): Promise<boolean>;
  /** Nobody goes on with it: it may be tried again. */
  release(id: string): Promise<void>;
  /** It has gone on. Its calls are known until its time is over, for clients that send them as history. */
  finish(id: string): Promise<void>;
  /** Those of these calls that are still known, by id. */
  known(callIds: readonly string[], whose: Whose): Promise<ReadonlyMap<string, ToolCall>>;
  /** Takes away what is past its time; how many there were. */
  sweep(at: Timestamp): Promise<number>;
}
