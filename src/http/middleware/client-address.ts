import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { type Allowed, allowedIn, allowsAddress } from '../../outbound/allow-list.js';

/** Whose word counts for where a request comes from: so many proxies in a row, or those at certain addresses. */
export type TrustedProxies = { readonly hops: number } | { readonly at: readonly Allowed[] };

/** Where a request comes from, as one spelling of an address. */
export type ClientAddress = (req: IncomingMessage) => string;

const MOST_HOPS = 10;
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Undefined when the text is neither a number of proxies nor a list of their addresses. */
export function trustedProxiesIn(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= MOST_HOPS ? { hops } : undefined;
  }
  const at = text.split(',').map((entry) => allowedIn(entry.trim()));
  const isRange = (entry: Allowed | undefined) =>
    // Everybody's word would be the word of whoever asks.
    entry?.range !== undefined && entry.port === undefined && entry.range[1] > 0;
  return at.every(isRange) ? { at: at as readonly Allowed[] } : undefined;
}

/** `X-Forwarded-For` counts as far as those we trust have written it, from the right, and not at all without any. */
export function createClientAddress(trusted: TrustedProxies | undefined): ClientAddress {
  if (!trusted) return peerOf;
  const isTrusted = (address: string, hop: number) =>
    'hops' in trusted ? hop < trusted.hops : trusted.at.some((entry) => isIn(address, entry));

  return (req) => {
    let client = peerOf(req);
    const said = String(req.headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; isTrusted(client, hop); hop += 1) {
      const before = spelt(said.pop() ?? '');
      if (before === undefined) break;
      client = before;
    }
    return client;
  };
}

/** Whoever is at the other end of the connection; an IPv4 address counts as what it is. */
function peerOf({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
}

/** By what limits count: whoever has one IPv6 address has as many as they like beside it. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/** Undefined for what is no address; a port beside it is not part of it. */
function spelt(text: string): string | undefined {
  const plain = text.trim();
  const [, six, four] = WITH_PORT.exec(plain) ?? [];
  const address = (six ?? four ?? plain).replace(/%.*$/, '');
  if (!ipaddr.IPv6.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address)) return undefined;
  return ipaddr.process(address).toString();
}

function isIn(address: string, entry: Allowed): boolean {
  return ipaddr.isValid(address) && allowsAddress(entry, ipaddr.process(address), '');
}
