/** How a secret is named: in an organisation's configuration, and where a header refers to one. */
export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const REFERENCE = /\$\{secret:([^}]*)\}/g;

/** The names of the secrets a text refers to, as they stand there. */
export function secretsNamedIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map((match) => match[1] ?? '');
}

/** The text with each `${secret:NAME}` replaced. */
export function fillReferences(text: string, valueOf: (name: string) => string): string {
  return text.replace(REFERENCE, (_whole, name: string) => valueOf(name));
}

/** A host that may be sent a secret: `api.example.org`, `10.0.0.1:8080`, `[::1]:8080`. */
export function isHostEntry(entry: string): boolean {
  const url = hostEntry(entry);
  return url !== undefined && url.href === `https://${url.host}/` && !/[/?#@\\*\s]/.test(entry);
}

/** Without a port the secret travels over https alone; a port of its own says that the administrator knows the server. */
export function mayBeSentTo(hosts: readonly string[], { hostname, port, protocol }: URL): boolean {
  const actualPort = port === '' ? usualPort(protocol) : port;
  return hosts.some((entry) => {
    const allowed = hostEntry(entry);
    if (allowed?.hostname !== hostname) return false;
    return allowed.port === '' ? protocol === 'https:' && actualPort === '443' : allowed.port === actualPort;
  });
}

function hostEntry(entry: string): URL | undefined {
  const address = `https://${entry}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function usualPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
