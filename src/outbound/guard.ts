import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';
import { forbidden } from '../core/errors.js';
import { allowedIn, allowsAddress, allowsHost, plainHost } from './allow-list.js';

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
  const listed = allow.flatMap((entry) => allowedIn(entry) ?? []);

  const mayReach = (address: string, port: string) => {
    const parsed = ipaddr.process(address);
    return isPublic(parsed) || listed.some((entry) => allowsAddress(entry, parsed, port));
  };
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS });

  return new Agent({
    connect: (options, callback) => {
      const host = plainHost(options.hostname);
      const port = options.port === '' ? defaultPort(options.protocol) : options.port;
      if (trustedHosts.has(`${host}:${port}`) || listed.some((entry) => allowsHost(entry, { host, port }))) {
        open(options, callback);
        return;
      }
      // A literal address is never looked up, so it must be judged here.
      if (ipaddr.isValid(host) && !mayReach(host, port)) {
        callback(refusal(), null);
        return;
      }
      const lookup = guardedLookup((address) => mayReach(address, port));
      buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup })(options, callback);
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

/** All that IPv6 has given out to the world; what lies outside is local, or an IPv4 address dressed up. */
const GIVEN_OUT = ipaddr.IPv6.parse('2000::');
const GIVEN_OUT_BITS = 3;

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GIVEN_OUT, GIVEN_OUT_BITS);
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${plainHost(hostname)}:${port === '' ? defaultPort(protocol) : port}`;
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
