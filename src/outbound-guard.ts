import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';
import { forbidden } from './core/errors.js';

export interface OutboundRules {
  /** Hosts or address ranges that tools may reach although they are private. */
  readonly allow: readonly string[];
  /** URLs an administrator has set; their host and port are reached as they are. */
  readonly trusted: readonly string[];
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Connections for tools. Addresses are judged when connecting, so neither a redirect nor a changed name gets round it. */
export function createGuardedAgent({ allow, trusted }: OutboundRules): Agent {
  const trustedHosts = new Set(trusted.map((url) => hostAndPort(new URL(url))));
  const hosts = new Set(allow.map((entry) => entry.toLowerCase()));
  const ranges = allow.flatMap(rangeOf);

  const mayReach = (address: string) => {
    const parsed = ipaddr.process(address);
    const isListed = ranges.some(
      ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
    );
    return isListed || isPublic(parsed);
  };
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const guarded = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(mayReach) });

  return new Agent({
    connect: (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '').toLowerCase();
      const port = options.port === '' ? defaultPort(options.protocol) : options.port;
      if (trustedHosts.has(`${hostname}:${port}`) || hosts.has(hostname)) {
        open(options, callback);
        return;
      }
      // A literal address is never looked up, so it must be judged here.
      if (ipaddr.isValid(hostname) && !mayReach(hostname)) {
        callback(refusal(), null);
        return;
      }
      guarded(options, callback);
    },
  });
}

function guardedLookup(mayReach: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (fault, found: LookupAddress[] | undefined) => {
      const addresses = found ?? [];
      const first = addresses[0];
      if (fault) callback(fault, '');
      else if (!first || !addresses.every(({ address }) => mayReach(address))) callback(refusal(), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const refusal = () => forbidden('This address may not be called from here.');

/** An IPv4 address dressed up as IPv6 (`::127.0.0.1`) counts as ordinary to the library; here it does not. */
const DRESSED_UP = ipaddr.IPv6.parse('::');
const DRESSED_UP_BITS = 96;

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || !(address as ipaddr.IPv6).match(DRESSED_UP, DRESSED_UP_BITS);
}

function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)];
  if (!ipaddr.isValid(entry)) return [];
  const address = ipaddr.process(entry);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname.replace(/^\[|\]$/g, '')}:${port === '' ? defaultPort(protocol) : port}`;
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
