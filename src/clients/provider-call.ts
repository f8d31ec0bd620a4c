import { AppError } from '../core/errors.js';
import type { ModelTransport } from '../core/run-context.js';
import { brokenOff, refusal, unreachable, unusable } from './provider-faults.js';

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
  await response.discard();
  throw response.status === 200
    ? unusable(expects.words)
    : refusal(response.status, response.header('retry-after'));
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
