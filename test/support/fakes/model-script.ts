/** What the scripted model does with one request. */
export type Step = Say | Call | Fail | Reset | Hang | Raw | Flood | Held;

/** In OpenAI's words; other wires say it in their own, as far as they have any. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

interface Reply {
  /** Null leaves usage out, as some servers do. */
  readonly usage?: Usage | null;
  /** Before the headers. */
  readonly delayMs?: number;
  /** Between two chunks. */
  readonly paceMs?: number;
}

export interface Say extends Reply {
  readonly say: string;
  /** Into how many deltas the text is cut. */
  readonly chunks?: number;
  readonly finish?: 'stop' | 'length' | 'content_filter';
  /** Stops after so many text deltas until the name is released. */
  readonly pause?: { readonly after: number; readonly until: string };
}

export interface FunctionCall {
  readonly name: string;
  /** A string is sent verbatim, so it may be bad JSON. */
  readonly arguments: object | string;
  readonly id?: string;
}

export interface Call extends Reply {
  readonly call: readonly FunctionCall[];
  readonly text?: string;
  /** Into how many deltas each call's arguments are cut. */
  readonly fragments?: number;
  readonly finish?: 'tool_calls' | 'stop';
}

export interface Fail {
  readonly status: number;
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A number means: after so many text deltas, each of them `partialText(1)`. */
export type Moment = 'before-headers' | 'after-headers' | number;

export interface Reset {
  readonly reset: Moment;
}

export interface Hang {
  readonly hang: Moment;
}

export interface Raw {
  readonly raw: readonly string[];
  readonly contentType?: string;
  /** Cuts the bytes, UTF-8 characters included, into writes of this size; else one write per string. */
  readonly sliceBytes?: number;
  readonly paceMs?: number;
  /** What becomes of the connection after it all, in place of an end as HTTP has it. */
  readonly then?: 'left open' | 'broken';
}

/** The same text over and over, until done or until the client leaves. */
export interface Flood {
  readonly flood: string;
  readonly times: number | 'endless';
  readonly contentType?: string;
}

export interface Held {
  readonly wait: string;
  readonly then: Step;
}

export interface Script {
  readonly model: string;
  readonly steps: readonly Step[];
  /** The last step answers every further request. */
  readonly repeat?: boolean;
}

export const DEFAULT_USAGE: Usage = { prompt_tokens: 10, completion_tokens: 5 };

export const say = (text: string, options: Omit<Say, 'say'> = {}): Say => ({ say: text, ...options });

/** One function call. */
export const call = (
  name: string,
  args: object | string = {},
  options: Omit<Call, 'call'> & Pick<FunctionCall, 'id'> = {},
): Call => {
  const { id, ...rest } = options;
  return calls([{ name, arguments: args, ...(id === undefined ? {} : { id }) }], rest);
};

/** Several function calls in one round. */
export const calls = (several: readonly FunctionCall[], options: Omit<Call, 'call'> = {}): Call => ({
  call: several,
  ...options,
});

export const fail = (status: number, options: Omit<Fail, 'status'> = {}): Fail => ({ status, ...options });

export const reset = (when: Moment = 'before-headers'): Reset => ({ reset: when });

export const hang = (when: Moment = 'before-headers'): Hang => ({ hang: when });

export const raw = (frames: readonly string[], options: Omit<Raw, 'raw'> = {}): Raw => ({
  raw: frames,
  ...options,
});

export const flood = (text: string, times: number | 'endless' = 'endless'): Flood => ({ flood: text, times });

/** Holds a step until the test releases the name. */
export const held = (name: string, then: Step): Held => ({ wait: name, then });

/** The text a client has seen when `reset` or `hang` strikes after so many deltas. */
export const partialText = (deltas: number): string => 'token '.repeat(deltas);
