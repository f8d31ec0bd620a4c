const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Editors whose schemes are not their domain written backwards, as RFC 8252 section 7.1 would have it. */
const KNOWN_SCHEMES = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:']);
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** What is wrong with an address that a program wants people sent back to; undefined when nothing is. */
export function redirectUriFault(uri: string): string | undefined {
  // As it is written: it is compared and used as text, so it must hold nothing that parsing would take out.
  if (!URL.canParse(uri) || /[\s\\]|[^\x21-\x7e]/.test(uri)) return 'is no address';
  const { protocol, username, password } = new URL(uri);
  if (uri.includes('#')) return 'has a fragment';
  if (username !== '' || password !== '') return 'has a user name or a password';
  if (protocol === 'https:' || isLoopback(uri)) return undefined;
  if (protocol === 'http:') return 'is http:// and leads to another machine';
  if (KNOWN_SCHEMES.has(protocol) || REVERSE_DOMAIN.test(protocol)) return undefined;
  return 'has a scheme that is neither https nor a program’s own, such as com.example.app';
}

/** To a program on the person's own machine, which nobody else can listen to. */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK.has(hostname);
}

/**
 * Exactly one that was registered. The port of a loopback address may differ: a program takes one that is free when it
 * begins (RFC 8252 section 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectUriFault(uri) !== undefined) return false;
  return registered.some((one) => one === uri || (isLoopback(one) && withoutPort(one) === withoutPort(uri)));
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** Where the person is sent: by the text, since the address may already hold a query. */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
