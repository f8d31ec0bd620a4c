import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of the allow-list: a host by name, or a range of addresses, at one port or at any. */
export interface Allowed {
  readonly host: string | undefined;
  readonly range: readonly [Address, number] | undefined;
  readonly port: string | undefined;
}

const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
/** `host:8080`, `10.0.0.1:8080`, `[::1]:8080`, `[::1]`. */
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<other>[^:[\]/]+))(?::(?<port>\d{1,5}))?$/;

/** Undefined when the text is no host, address or range. */
export function allowedIn(entry: string): Allowed | undefined {
  if (entry.includes('/')) {
    return ipaddr.isValidCIDR(entry)
      ? { host: undefined, range: rangeIn(entry), port: undefined }
      : undefined;
  }
  if (ipaddr.IPv6.isValid(entry)) return addressAt(entry, undefined);
  const { six, other, port } = WITH_PORT.exec(entry)?.groups ?? {};
  if (port !== undefined && Number(port) > 65_535) return undefined;
  if (six !== undefined) return ipaddr.IPv6.isValid(six) ? addressAt(six, port) : undefined;
  if (other === undefined) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(other)) return addressAt(other, port);
  return HOST.test(other) ? { host: plainHost(other), range: undefined, port } : undefined;
}

export function allowsHost(
  { host, port }: Allowed,
  at: { readonly host: string; readonly port: string },
): boolean {
  return host === at.host && (port === undefined || port === at.port);
}

export function allowsAddress({ range, port }: Allowed, address: Address, atPort: string): boolean {
  if (range?.[0].kind() !== address.kind() || (port !== undefined && port !== atPort)) return false;
  return address.match(range[0], range[1]);
}

/** A host as it is compared: no brackets, no capitals, no dot at its end. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function addressAt(text: string, port: string | undefined): Allowed {
  const address = ipaddr.process(text);
  return { host: undefined, range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
}

/** A range of IPv4 addresses dressed up as IPv6 counts as what it is. */
function rangeIn(entry: string): [Address, number] {
  const [address, bits] = ipaddr.parseCIDR(entry);
  if (address.kind() === 'ipv4' || !(address as ipaddr.IPv6).isIPv4MappedAddress() || bits < 96) {
    return [address, bits];
  }
  return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
}
