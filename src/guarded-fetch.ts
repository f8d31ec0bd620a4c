import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { AppError, tooLarge, upstreamFailed } from './core/errors.js';

const MOST_BYTES = 10 * 1024 * 1024;

/** `fetch` for tools: through the guard, with a cap on what comes back and faults that are safe to show. */
export function createGuardedFetch(dispatcher: Dispatcher): typeof fetch {
  const guarded = async (input: string | URL, init: object = {}) => {
    const response = await undiciFetch(input, { ...init, dispatcher }).catch((fault: unknown) => {
      throw shown(fault);
    });
    const body = response.body?.pipeThrough(capAt(MOST_BYTES)) ?? null;
    return new Response(body as ReadableStream | null, {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
    });
  };
  return guarded as unknown as typeof fetch;
}

/** undici hides the guard's refusal one level down. */
function shown(fault: unknown): unknown {
  const cause = fault instanceof TypeError ? fault.cause : undefined;
  if (cause instanceof AppError) return cause;
  return fault instanceof TypeError ? upstreamFailed('The other service', fault) : fault;
}

function capAt(max: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > max) controller.error(tooLarge('The other service sent more than can be taken.'));
      else controller.enqueue(chunk);
    },
  });
}
