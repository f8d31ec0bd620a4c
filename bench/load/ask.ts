import { type Dispatcher, request } from 'undici';
import { createAnswerReader } from './answer-reader.js';

/** One chat to be asked, over and over. */
export interface Question {
  /** Where it goes, up to and without `/v1/chat/completions`. */
  readonly url: string;
  readonly key: string;
  /** JSON, put into words once. */
  readonly body: string;
  /** All the text of a right answer. */
  readonly expected: string;
}

export interface AskOptions {
  readonly dispatcher: Dispatcher;
  readonly signal?: AbortSignal;
  /** Called with the whole text so far whenever some arrives. */
  readonly onText?: (text: string) => void;
}

export interface Timing {
  /** Until the first text, in milliseconds. */
  readonly firstMs: number;
  readonly totalMs: number;
  /** Status events that came with it, by kind. */
  readonly events: readonly string[];
  /** Where the exchange was kept, if it was to be. */
  readonly conversationId: string | undefined;
}

/** Asks and reads to the end. Throws unless the answer is whole and right. */
export async function ask(question: Question, options: AskOptions): Promise<Timing> {
  const { onText, ...how } = options;
  const began = performance.now();
  const { statusCode, headers, body } = await request(`${question.url}/v1/chat/completions`, {
    ...how,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${question.key}` },
    body: question.body,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (statusCode !== 200) throw new Error(`status ${String(statusCode)}: ${await body.text()}`);

  const reader = createAnswerReader();
  let firstMs = NaN;
  body.setEncoding('utf8');
  for await (const piece of body as AsyncIterable<string>) {
    if (!reader.read(piece)) continue;
    if (Number.isNaN(firstMs)) firstMs = performance.now() - began;
    onText?.(reader.text());
  }
  const fault = reader.faultAgainst(question.expected);
  if (fault !== undefined) throw new Error(fault);
  const conversationId = headers['x-conversation-id']?.toString();
  return { firstMs, totalMs: performance.now() - began, events: reader.events(), conversationId };
}
