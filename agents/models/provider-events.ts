import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { brokenOff } from '../../src/clients/provider-faults.js';
import { bytesFromProvider, EVENT_STREAM, type ProviderCall } from '../../src/clients/provider.js';
import { isRecord, type JsonRecord } from '../../src/core/base/json.js';
import type { ModelTransport } from '../../src/core/runs/run-context.js';

/** The last word of those who speak like OpenAI. */
const DONE = '[DONE]';
const LONGEST_EVENT = 2_000_000;
/** Trying to read costs more than sending: nonsense without end would keep everybody else waiting. */
export const MOST_UNREADABLE = 1_000;

export interface ProviderEvent {
  readonly event: string | undefined;
  readonly data: JsonRecord;
}

/** The events of a provider's answer whose data is a JSON object; what cannot be read is passed over. */
export async function* eventsFromProvider(
  call: Omit<ProviderCall, 'expects'>,
  models: ModelTransport,
): AsyncGenerator<ProviderEvent, void> {
  const decoder = new TextDecoder();
  const fresh: EventSourceMessage[] = [];
  const faults: string[] = [];
  let unreadable = 0;
  let isDone = false;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: (event) => fresh.push(event),
    onError: ({ type }) => faults.push(type),
  });
  for await (const bytes of bytesFromProvider({ ...call, expects: EVENT_STREAM }, models)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const { event, data } of fresh.splice(0)) {
      isDone ||= data === DONE;
      if (isDone) continue;
      const value = parsed(data);
      if (isRecord(value)) yield { event, data: value };
      else if (++unreadable > MOST_UNREADABLE) throw brokenOff('sent an answer that cannot be understood');
    }
    if (faults.includes('max-buffer-size-exceeded')) throw brokenOff('sent too much at once');
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
