import { AppError, tooLarge, unusableAnswer, upstreamFailed } from '../../core/errors.js';
import { failureOf, refusal } from './faults.js';

/** Tells a source who is asking; robots.txt may speak of it by this name. */
export const USER_AGENT = 'Bellwether';

const MOST_REDIRECTS = 5;

/** Faults of the connection as such that can be told. */
export async function asked(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request();
  } catch (fault) {
    if (fault instanceof AppError) {
      const { message, code, values } = failureOf(fault);
      throw unusableAnswer(message, { reason: code, values });
    }
    throw fault instanceof Error && fault.name !== 'AbortError' ? upstreamFailed('The source', fault) : fault;
  }
}

/**
 * Follows redirects as long as they stay on the same host: nothing that is meant for one goes to another, and what one
 * host allows is not taken from another.
 */
export async function fetchOnHost(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly url: string }> {
  let at = new URL(url);
  for (let followed = 0; ; followed++) {
    const response = await asked(() => fetch(at.href, { ...init, redirect: 'manual' }));
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null)
      return { response, url: at.href };
    await response.body?.cancel();
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
    if (!next || followed === MOST_REDIRECTS)
      throw refusal('address_in_circle', 'Its address leads in a circle.');
    if (!isSameHost(at, next))
      throw refusal(
        'moved',
        `It has moved to another place (${next.host}). Enter that address, if it is the right one.`,
        next.host,
      );
    at = next;
  }
}

/** The same origin, or the same host by https in place of http. */
export function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && to.port === ''
  );
}

/** A body as one, unless it is too large. */
export async function wholeBody(response: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop lets go of the connection.
  for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > mostBytes) throw tooLarge('The source sent more than can be taken at once.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
