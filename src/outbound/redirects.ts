import { forbidden, upstreamFailed } from '../core/errors.js';

/** A request as far as a redirect changes it. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** All that another server may learn of what was meant for the first: any other header may hold a credential. */
const MAY_CROSS = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
const OF_A_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type'];

interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

export function isRedirect({ status, headers }: Answer): boolean {
  return REDIRECTS.has(status) && headers.get('location') !== null;
}

/** Where an answer sends us. Throws where it may not. */
export function nextHop(hop: Hop, answer: Answer): Hop {
  const url = checkedUrl(answer.headers.get('location') ?? '', hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw forbidden('The other service leads from https to plain http, which is not followed.');
  }
  const moved = turnsIntoGet(answer.status, hop.method)
    ? { method: 'GET', headers: without(hop.headers, (name) => OF_A_BODY.includes(name)), body: undefined }
    : hop;
  if (url.origin === hop.url.origin) return { ...moved, url };
  if (moved.body !== undefined && moved.body !== null) {
    throw forbidden(
      'The other service wants what was sent to it sent on to another host, which is not done.',
    );
  }
  return { ...moved, url, headers: without(moved.headers, (name) => !MAY_CROSS.has(name)) };
}

/** An address that may be called at all, whoever named it. */
export function checkedUrl(address: string | URL, base?: URL): URL {
  if (!URL.canParse(String(address), base?.href)) throw upstreamFailed('The other service');
  const url = new URL(address, base);
  if (!/^https?:$/.test(url.protocol)) throw forbidden('Only http and https addresses may be called.');
  if (url.username !== '' || url.password !== '') {
    throw forbidden('An address may not hold a user name or a password. Send credentials in a header.');
  }
  return url;
}

/** As `fetch` has it. */
function turnsIntoGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

function without(headers: Headers, isDropped: (name: string) => boolean): Headers {
  return new Headers([...headers].filter(([name]) => !isDropped(name)));
}
