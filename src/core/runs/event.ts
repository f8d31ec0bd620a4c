import type { ToolCall } from '../message.js';
import type { OpenQuestion } from './approval.js';

/** Where an answer comes from. Tools return sources; the run numbers them. */
export interface Source {
  readonly title: string;
  readonly url?: string;
  readonly similarity?: number;
  /** Somebody who looks after it corrected what the document says. */
  readonly corrected?: true;
  /** What kind of thing it is, where that is more than a passage: `rubric`, `file`. */
  readonly type?: string;
  readonly id?: string;
  /** Of a file: relative to its owner's files. */
  readonly path?: string;
  /** How much of it was read, in characters. */
  readonly chars?: number;
}

/** What a tool tells about what it did: names and numbers. */
export type ToolFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface NumberedSource extends Source {
  readonly n: number;
}

/** As it is listed below an answer. */
export interface CitedSource extends NumberedSource {
  /** Whether the answer names it by its number. */
  readonly cited: boolean;
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt, as the provider had it already; many charge less for it. */
  readonly cachedTokens?: number;
  /** Of the completion, said to itself. */
  readonly reasoningTokens?: number;
  /** The provider did not say (the call was cut off, or it never does): counted from the text's length. */
  readonly estimated?: boolean;
}

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...tokensOf('cachedTokens', a, b),
    ...tokensOf('reasoningTokens', a, b),
    ...((a.estimated ?? b.estimated) ? { estimated: true } : {}),
  };
}

/** Absent where neither says it. */
function tokensOf(key: 'cachedTokens' | 'reasoningTokens', a: Usage, b: Usage) {
  const sum = (a[key] ?? 0) + (b[key] ?? 0);
  return sum === 0 ? {} : { [key]: sum };
}

const CHARS_PER_TOKEN = 4;

export function estimateUsage(promptChars: number, completionChars: number): Usage {
  return {
    promptTokens: Math.ceil(promptChars / CHARS_PER_TOKEN),
    completionTokens: Math.ceil(completionChars / CHARS_PER_TOKEN),
    estimated: true,
  };
}

/** Twice the longest prompt that any model takes (Llama 4 Scout: ten million): more is a fault of the counting. */
const MOST_TOKENS = 20_000_000;

const isCount = (tokens: number) => Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= MOST_TOKENS;

/** What a provider reports, as far as it can be; undefined where it cannot, or nothing was reported. */
export function credibleUsage(said: Usage): Usage | undefined {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, estimated } = said;
  if (estimated || !isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  if (isCount(cachedTokens ?? 0) && isCount(reasoningTokens ?? 0)) return said;
  return { promptTokens, completionTokens };
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** What made a run answer before it was done with its tools; false when nothing did. */
export type Capped = false | 'rounds' | 'time' | 'budget';

export interface ToolReport {
  readonly tool: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly facts?: ToolFacts;
}

/** How a run ended, for the last frame and for callers that do not stream. */
export interface Ending {
  readonly finishReason: FinishReason;
  readonly iterations: number;
  readonly capped: Capped;
  readonly usage: Usage;
  readonly sources: readonly CitedSource[];
  readonly tools: readonly ToolReport[];
  /** What the client is to do before the run goes on. */
  readonly calls?: readonly ToolCall[];
  /** What somebody is to say before the run goes on. */
  readonly questions?: readonly OpenQuestion[];
}

/** What a tool of ours may be at while it runs. The words for it are the reader's. */
export const DOINGS = ['rewriting', 'ordering', 'asking_again', 'waiting', 'changed_lines'] as const;

/** A label is English and whole; what else is here lets a page say the same in its reader's language. */
interface Told {
  /** Safe names only, on one line. */
  readonly label: string;
  /** What it is about, by a safe name: a collection, a rubric, a file, or what its author calls it. */
  readonly subject?: string | undefined;
}

/** What happens around one call of one tool. */
interface ToolCallFacts extends Told {
  readonly iteration: number;
  readonly call_id: string;
  readonly tool: string;
}

interface PlaceholderFacts extends Told {
  readonly tool: string;
  readonly placeholder: string;
}

/** What a tool says that it is at. */
export interface Doing {
  readonly what: (typeof DOINGS)[number];
  /** Which one of several: a safe name. */
  readonly subject?: string;
}

interface Progress extends ToolCallFacts {
  readonly percent?: number;
  readonly doing?: Doing['what'] | undefined;
}

interface Ended {
  readonly ms: number;
  readonly facts?: ToolFacts;
}

/** Everything a run tells while it goes on. The names are those of the wire. */
export type StatusEvent =
  | { readonly type: 'run.started'; readonly run_id: string }
  | ({ readonly type: 'placeholder.started' } & PlaceholderFacts)
  | ({ readonly type: 'placeholder.completed' } & PlaceholderFacts & Ended)
  | ({ readonly type: 'placeholder.failed' } & PlaceholderFacts & Ended)
  /** `merged`: what so many tools brought; absent where it tells which functions were chosen. */
  | { readonly type: 'prompt.composed'; readonly label: string; readonly merged?: number }
  /** The label is of a question before the first round; the rounds themselves have none. */
  | { readonly type: 'model.started'; readonly iteration: number; readonly label?: string }
  | ({ readonly type: 'approval.required'; readonly expires_at: string } & ToolCallFacts)
  | ({ readonly type: 'tool.started' } & ToolCallFacts)
  | ({ readonly type: 'tool.progress' } & Progress)
  | ({ readonly type: 'tool.completed' } & ToolCallFacts & Ended)
  | ({ readonly type: 'tool.failed' } & ToolCallFacts & Ended)
  | ({ readonly type: 'tool.denied' } & ToolCallFacts & Ended)
  | ({ readonly type: 'assistant.started' } & AssistantCallFacts)
  | ({ readonly type: 'assistant.completed'; readonly ms: number } & AssistantCallFacts);

interface AssistantCallFacts extends Told {
  readonly call_id: string;
  readonly assistant_id: number;
}

/** What is worth a line to whoever reads: nothing was merged where there was nothing to merge. */
export function lineFor(event: StatusEvent): string | undefined {
  if (event.type === 'prompt.composed' && event.merged === 0) return undefined;
  return 'label' in event ? event.label : undefined;
}

/**
 * Hears an answer piece by piece, as it comes. It gives a promise where whoever listens is slow, and nothing more is said
 * until that settles.
 */
export type Say = (text: string) => Promise<void> | undefined;

/** Hears what happens on the way, in the same manner. */
export type Tell = (event: StatusEvent) => Promise<void> | undefined;

/** Whoever follows a run. */
export interface Listener {
  readonly say: Say;
  readonly tell: Tell;
}

/** A whole answer, drained from a run. */
export interface Answer {
  readonly text: string;
  readonly ending: Ending;
}
