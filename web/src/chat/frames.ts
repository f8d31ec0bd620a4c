import type { Run } from '../../../src/http/contract/runs.ts';
import { eventsIn } from '../api/event-stream.ts';

/** What a tool told of what it did, as far as it is shown with its step. */
export interface StepFacts {
  /** What could not be asked, by name. */
  readonly failed?: unknown;
  /** How much of it may not be used. */
  readonly refused?: unknown;
  /** How many it brought. */
  readonly passages?: unknown;
  /** It was done before, and told again. */
  readonly remembered?: unknown;
}

/** What a run tells while it goes on; every key but the type depends on it. */
export interface Status {
  readonly type: string;
  readonly run_id?: string;
  readonly call_id?: string;
  readonly iteration?: number;
  readonly tool?: string;
  readonly placeholder?: string;
  readonly label?: string;
  readonly subject?: string;
  readonly doing?: string;
  readonly ms?: number;
  readonly facts?: StepFacts;
  readonly percent?: number;
  readonly expires_at?: string;
  readonly capped?: Run['capped'];
  readonly sources?: readonly unknown[];
  /** What to ask next can be asked for. */
  readonly follow_ups?: boolean;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface Frame {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: Usage | null;
  /** Beside the text and never in it: what a model writes cannot pass for it. */
  readonly x_bellwether?: Status;
  readonly error?: { readonly message?: string; readonly code?: string | null };
}

export const END = '[DONE]';

export interface NumberedFrame {
  /** Of an answer that can be read again: from 1 on. */
  readonly id: number | undefined;
  readonly frame: Frame | typeof END;
}

/** The frames of a streamed answer, in order. What is no frame is passed over. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<NumberedFrame> {
  for await (const { id, data } of eventsIn(body)) {
    const frame = data === END ? END : parsed(data);
    if (frame) yield { id: id === undefined ? undefined : Number(id), frame };
  }
}

function parsed(data: string): Frame | undefined {
  try {
    const frame: unknown = JSON.parse(data);
    return typeof frame === 'object' && frame !== null ? frame : undefined;
  } catch {
    return undefined;
  }
}
