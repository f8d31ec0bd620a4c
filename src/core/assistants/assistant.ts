import { type AssistantFace, BLANK_FACE } from './face.js';
import type { Pedagogy } from './pedagogy.js';

/** An assistant as stored, and as it runs. */

export type AssistantType = 'classic' | 'multi_tool' | 'orchestrator';
export type PublishScope = 'organization' | 'everyone';
export type ToolMode = 'placeholder' | 'function';
export type OnError = 'omit' | 'notice' | 'fail';
/** What the owner says of a tool that writes or acts outside: refuse it, ask whoever is chatting, or let it. */
export type Approval = 'never' | 'ask' | 'always-allowed';

/** One tool of one assistant, with every default filled in. */
export interface ToolEntry {
  readonly type: string;
  readonly enabled: boolean;
  readonly mode: ToolMode;
  readonly placeholder: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly onError: OnError;
  /** Undefined: not said, which counts as `never` where it is needed. */
  readonly approval: Approval | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface TokenBound {
  readonly maxTokens: number;
}

/** How an assistant runs: its metadata in canonical form, read into types. */
export interface AssistantSetup {
  readonly type: AssistantType;
  readonly processor: string;
  /** Absent: whatever the organisation has, `demo` when it has nothing. */
  readonly connector: string | undefined;
  readonly model: string | undefined;
  readonly vision: boolean;
  readonly verbose: boolean;
  /** The organisation's small fast model picks which functions are offered first. */
  readonly toolRouting?: 'fast';
  /** Whether clients may bring tools of their own. */
  readonly clientTools?: 'allow';
  /** Files that people send along are read; all of them together up to so many tokens. */
  readonly attachments?: TokenBound;
  /** What functions brought is told again in later turns of a conversation. */
  readonly rememberTools?: TokenBound;
  /** Only what has passed its scenarios reaches those who may only chat. */
  readonly publishGate?: 'suite';
  /** Its scenarios are run every night. */
  readonly nightlySuite?: true;
  /** After an answer, questions are suggested that could be asked next. */
  readonly followUps?: true;
  /** What the service tells its model of how to teach. */
  readonly pedagogy?: Pedagogy;
  readonly tools: readonly ToolEntry[];
  /** The same entries as canonical metadata lists them, with keys that nobody here knows. */
  readonly listed: readonly Readonly<Record<string, unknown>>[];
  /** Why it cannot be run as stored; empty when all was understood. */
  readonly problems: readonly string[];
  /** What was not understood and gave way to a default: no reason not to run, but one not to save. */
  readonly oddities: readonly string[];
}

/** What its author writes. */
export interface AssistantContent extends AssistantFace {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly promptTemplate: string;
  /** As stored: nothing in it is dropped or renamed. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ragCollections: string;
  readonly ragTopK: number | null;
}

/** Where its author has written nothing. */
export const BLANK_CONTENT: AssistantContent = {
  name: '',
  description: '',
  systemPrompt: '',
  promptTemplate: '',
  metadata: {},
  ragCollections: '',
  ragTopK: null,
  ...BLANK_FACE,
};

export interface Assistant extends AssistantContent {
  readonly id: number;
  readonly organizationId: number;
  readonly ownerId: number;
  readonly owner: string;
  readonly published: boolean;
  readonly publishScope: PublishScope;
  readonly enabled: boolean;
  readonly version: number;
  /** How many answers of its teacher's it has as examples, for anybody. */
  readonly examples: number;
  /** What those get who may only chat, where not every version reaches them. */
  readonly servedVersion?: number | null | undefined;
  /** As those get it who may only chat: the examples it has are those it has passed with. */
  readonly isAsPassed?: true;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly setup: AssistantSetup;
}

/** What reading metadata needs to know of the tools that are installed. */
export interface ToolCatalogue {
  /** The tool's own placeholder; undefined for tools that only work as functions, and for unknown ones. */
  placeholderOf(type: string): string | undefined;
}

const TOOL_USING_CONNECTOR = /tool_use|^openai_tools$/;

/** Spec section 2: a connector's name decides alone only when it says so. */
export function isToolUsingConnector(connector: string | undefined): boolean {
  return connector !== undefined && TOOL_USING_CONNECTOR.test(connector);
}

/** The name by which OpenAI clients call an assistant. */
export function modelIdOf(assistantId: number): string {
  return `lamb_assistant.${String(assistantId)}`;
}
