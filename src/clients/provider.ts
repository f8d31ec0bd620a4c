import { AppError } from '../core/errors.js';
import type { ModelTransport } from '../core/runs/run-context.js';
import { brokenOff, isOutOfCredit, noCredit, refusal, unreachable, unusable } from './provider-faults.js';

export interface ProviderCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** The kind of answer that can be read, by its content type and in words. */
  readonly expects: { readonly type: string; readonly words: string };
}

export const EVENT_STREAM: ProviderCall['expects'] = { type: 'text/event-stream', words: 'an event stream' };

/** No model says this much in earnest: a server that goes on for ever is cut off here. */
const MOST_BYTES = 32_000_000;

/** Asks a provider for an answer of one kind. What goes wrong before its first byte is thrown here, typed. */
export async function askProvider(
  call: ProviderCall,
  models: ModelTransport,
): Promise<AsyncIterable<Uint8Array>> {
  const { expects, signal } = call;
  const response = await models.post(call).catch((fault: unknown) => {
    throw signal.aborted ? fault : unreachable(fault, true);
  });
  if (response.status === 200 && (response.header('content-type') ?? '').includes(expects.type)) {
    return response.body;
  }
  const { status } = response;
  const isSpent = MAY_BE_ABOUT_MONEY.has(status) && isOutOfCredit(status, await firstWordsOf(response.body));
  await response.discard();
  if (isSpent) throw noCredit();
  throw status === 200 ? unusable(expects.words) : refusal(status, response.header('retry-after'));
}

const MAY_BE_ABOUT_MONEY: ReadonlySet<number> = new Set([400, 402, 403, 429]);
const MOST_WORDS = 8_192;
const LONGEST_WAIT_MS = 1_000;

/** As much of a refusal as there is at once: nobody waits for the rest, and it may break off. */
async function firstWordsOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let words = '';
  let isEnough = false;
  const read = async () => {
    for await (const bytes of body) {
      words += decoder.decode(bytes, { stream: true });
      if (isEnough || words.length >= MOST_WORDS) return;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_WAIT_MS);
  });
  await Promise.race([read().catch(() => undefined), late]);
  clearTimeout(timer);
  isEnough = true;
  return words;
}

/** The same with its bytes looked after as well: an end to them, and typed faults on the way. */
export async function* bytesFromProvider(
  call: ProviderCall,
  models: ModelTransport,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  try {
    for await (const bytes of await askProvider(call, models)) {
      received += bytes.length;
      yield bytes;
      if (received > MOST_BYTES) throw brokenOff('sent too much');
    }
  } catch (fault) {
    if (call.signal.aborted || fault instanceof AppError) throw fault;
    throw unreachable(fault, received === 0);
  }
}
