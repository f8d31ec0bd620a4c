import { createHmac, timingSafeEqual } from 'node:crypto';

/** A parameter as it was decoded. One name may come several times. */
export type Parameter = readonly [name: string, value: string];

export interface SignedRequest {
  readonly method: string;
  /** As the sender addressed it, with its query. */
  readonly url: string;
  /** The parameters of the form, as RFC 5849 section 3.4.1.3 collects them. */
  readonly parameters: readonly Parameter[];
}

/** The parameters of a form, in order, with every one that comes twice. */
export function formParameters(body: string): readonly Parameter[] {
  return [...new URLSearchParams(body)];
}

/** All that is signed: those of the address, then those of the form. */
export function allParameters({ url, parameters }: SignedRequest): readonly Parameter[] {
  return [...new URL(url).searchParams, ...parameters];
}

/** What is signed, by RFC 5849, section 3.4.1. */
export function baseString(request: SignedRequest): string {
  const { origin, pathname } = new URL(request.url);
  const signed = allParameters(request)
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(byNameThenValue)
    .map((pair) => pair.join('='))
    .join('&');
  return [request.method.toUpperCase(), encoded(`${origin}${pathname}`), encoded(signed)].join('&');
}

/** Whether the shared secret made this signature of the request, HMAC-SHA1. Takes as long whatever is wrong with it. */
export function isSignedWith(
  request: SignedRequest,
  signature: string,
  secret: string,
  tokenSecret = '',
): boolean {
  const key = `${encoded(secret)}&${encoded(tokenSecret)}`;
  const right = Buffer.from(createHmac('sha1', key).update(baseString(request)).digest('base64'));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** RFC 3986: everything but the unreserved, in capitals. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** By the bytes of what is encoded, which is ASCII. */
function byNameThenValue(one: readonly [string, string], other: readonly [string, string]): number {
  return compared(one[0], other[0]) || compared(one[1], other[1]);
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
