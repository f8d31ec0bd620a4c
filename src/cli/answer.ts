import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord, type JsonRecord, textIn } from '../core/base/json.js';
import type { Source } from '../http/contract/chat.js';
import { cliFault } from './faults.js';

/** What a run tells beside its text; every key but the type depends on it (docs/api.md, "The stream"). */
export interface Status {
  readonly type: string;
  readonly call_id?: string;
  readonly tool?: string;
  readonly label?: string;
  readonly ms?: number;
  readonly expires_at?: string;
  readonly capped?: unknown;
  readonly sources?: readonly Source[];
}

export interface Step {
  readonly tool: string;
  readonly label: string;
  readonly state: 'completed' | 'failed' | 'denied';
  readonly ms?: number | undefined;
}

/** One whole answer, as `--json` prints it. */
export interface Answer {
  readonly model: string;
  readonly run_id: string | null;
  readonly conversation_id: string | null;
  readonly answer: string;
  readonly finish_reason: string | null;
  readonly sources: readonly Source[];
  readonly steps: readonly Step[];
  readonly usage: unknown;
}

export interface AnswerListener {
  onText(text: string): void;
  onStatus(status: Status, runId: string | null): void;
}

/** Reads a streamed answer to its end. One that does not come to it is a fault, after what there was of it was told. */
export async function readAnswer(
  model: string,
  response: Response,
  { onText, onStatus }: AnswerListener,
): Promise<Answer> {
  const runId = response.headers.get('x-run-id');
  const parts: string[] = [];
  const steps: Step[] = [];
  let sources: readonly Source[] = [];
  let usage: unknown = null;
  let finishReason: string | undefined;

  for await (const frame of framesOf(response)) {
    const error = frame['error'];
    if (isRecord(error)) throw cliFault(textIn(error, 'message') ?? 'The answer broke off.');
    const { text, finish } = choiceIn(frame);
    if (text !== '') {
      parts.push(text);
      onText(text);
    }
    finishReason ??= finish;
    usage = frame['usage'] ?? usage;
    const status = statusIn(frame);
    if (!status) continue;
    const step = stepIn(status);
    if (step) steps.push(step);
    if (Array.isArray(status.sources)) sources = status.sources;
    onStatus(status, runId);
  }
  if (finishReason === undefined) throw cliFault('The answer broke off before its end. Ask again.');
  return {
    ...{ model, run_id: runId, conversation_id: response.headers.get('x-conversation-id') },
    ...{ answer: parts.join(''), finish_reason: finishReason, sources, steps, usage },
  };
}

/** The events of a stream, each a JSON object. */
export async function* framesOf({ body }: Response): AsyncGenerator<JsonRecord> {
  if (!body) return;
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    if (data === '[DONE]') return;
    const frame = parsed(data);
    if (isRecord(frame)) yield frame;
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function choiceIn({ choices }: JsonRecord) {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) return { text: '', finish: undefined };
  const delta = isRecord(choice['delta']) ? choice['delta'] : {};
  const text = typeof delta['content'] === 'string' ? delta['content'] : '';
  return { text, finish: textIn(choice, 'finish_reason') };
}

function statusIn({ x_bellwether }: JsonRecord): Status | undefined {
  return isRecord(x_bellwether) && typeof x_bellwether['type'] === 'string'
    ? (x_bellwether as unknown as Status)
    : undefined;
}

const ENDED = /^(?:tool|placeholder)\.(completed|failed|denied)$/;

/** Of what was done for an answer, what has come to its end. */
export function stepIn({ type, tool = '', label = tool, ms }: Status): Step | undefined {
  const state = ENDED.exec(type)?.[1] as Step['state'] | undefined;
  return state && { tool, label, state, ms };
}
