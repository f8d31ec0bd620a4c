/** Where an answer comes from. Tools return sources; the run numbers them. */
export interface Source {
  readonly title: string;
  readonly url?: string;
  readonly similarity?: number;
}

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
  /** The provider did not say (the call was cut off, or it never does): counted from the text's length. */
  readonly estimated?: boolean;
}

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...((a.estimated ?? b.estimated) ? { estimated: true } : {}),
  };
}

const CHARS_PER_TOKEN = 4;

export function estimateUsage(promptChars: number, completionChars: number): Usage {
  return {
    promptTokens: Math.ceil(promptChars / CHARS_PER_TOKEN),
    completionTokens: Math.ceil(completionChars / CHARS_PER_TOKEN),
    estimated: true,
  };
}

export type FinishReason = 'stop' | 'length' | 'content_filter';

export interface ToolReport {
  readonly tool: string;
  readonly ok: boolean;
  readonly ms: number;
}

/** How a run ended, for the last frame and for callers that do not stream. */
export interface Ending {
  readonly finishReason: FinishReason;
  readonly iterations: number;
  readonly capped: boolean;
  readonly usage: Usage;
  readonly sources: readonly CitedSource[];
  readonly tools: readonly ToolReport[];
}

/** What happens around one call of one tool. Labels are safe names only, on one line. */
interface ToolCallFacts {
  readonly iteration: number;
  readonly call_id: string;
  readonly tool: string;
  readonly label: string;
}

interface PlaceholderFacts {
  readonly tool: string;
  readonly placeholder: string;
  readonly label: string;
}

/** Everything a run tells while it goes on. The names are those of the wire. */
export type StatusEvent =
  | { readonly type: 'run.started'; readonly run_id: string }
  | ({ readonly type: 'placeholder.started' } & PlaceholderFacts)
  | ({ readonly type: 'placeholder.completed'; readonly ms: number } & PlaceholderFacts)
  | ({ readonly type: 'placeholder.failed'; readonly ms: number } & PlaceholderFacts)
  | { readonly type: 'prompt.composed'; readonly label: string }
  /** The label is of a question before the first round; the rounds themselves have none. */
  | { readonly type: 'model.started'; readonly iteration: number; readonly label?: string }
  | ({ readonly type: 'approval.required'; readonly expires_at: string } & ToolCallFacts)
  | ({ readonly type: 'tool.started' } & ToolCallFacts)
  | ({ readonly type: 'tool.progress'; readonly percent?: number } & ToolCallFacts)
  | ({ readonly type: 'tool.completed'; readonly ms: number } & ToolCallFacts)
  | ({ readonly type: 'tool.failed'; readonly ms: number } & ToolCallFacts)
  | ({ readonly type: 'tool.denied'; readonly ms: number } & ToolCallFacts)
  | ({ readonly type: 'assistant.started' } & AssistantCallFacts)
  | ({ readonly type: 'assistant.completed'; readonly ms: number } & AssistantCallFacts);

interface AssistantCallFacts {
  readonly call_id: string;
  readonly assistant_id: number;
  readonly label: string;
}

export type RunEvent = StatusEvent | { readonly type: 'text'; readonly text: string };

/** A whole answer, drained from a run. */
export interface Answer {
  readonly text: string;
  readonly ending: Ending;
}
