/** Where a program has people sent, as far as it tells them something: a host, or a scheme of the program's own. */
export interface RedirectPlace {
  readonly address: string;
  readonly isLocal: boolean;
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

export function placeOf(uri: string): RedirectPlace {
  const { protocol, host, hostname } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return { address: isWeb ? host : protocol, isLocal: protocol === 'http:' && LOCAL.includes(hostname) };
}
