import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { badRequest, forbidden } from '../../core/errors.js';

/** The resource that access tokens are for, and the only one. */
export const MCP_PATH = '/lamb/v1/mcp';

export interface OwnAddress {
  /** Where the service listens. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * For doors that a browser must not open for another page: the request must be meant for this service, and come from
 * a page of its own if it comes from a page at all. A name that somebody else lets point here is no name of ours.
 */
export function requireOwnAddress({ host, publicUrl }: OwnAddress): RequestHandler {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set(['localhost', host.toLowerCase(), publicAddress?.hostname]);
  // Open to a network and without a public address, the service cannot know by which names it is called.
  const anyName = !isLoopback(host) && publicAddress === undefined;

  const isOwnPage = (page: URL | undefined, address: URL) =>
    page !== undefined && (page.host === address.host || page.origin === publicAddress?.origin);

  return (req, _res, next) => {
    const address = addressIn(`http://${req.headers.host ?? ''}`);
    if (!address || !(anyName || names.has(address.hostname) || isIpAddress(address.hostname))) {
      throw forbidden('This service is not known under that Host. An administrator can set PUBLIC_URL.');
    }
    const { origin } = req.headers;
    if (origin !== undefined && !isOwnPage(addressIn(origin), address)) {
      throw forbidden('Pages of another origin may not call this.');
    }
    next();
  };
}

/**
 * Where this service is for whoever asks: its public address, or without one the name they have called it by. That is
 * their own word, so it may stand only in what they alone are answered.
 */
export function baseUrlOf({ publicUrl }: OwnAddress, { headers }: IncomingMessage): string {
  const called = publicUrl ?? addressIn(`http://${headers.host ?? ''}`)?.origin;
  if (called === undefined) throw badRequest('The Host header is missing or is no name.');
  return called;
}

function addressIn(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function isIpAddress(hostname: string): boolean {
  return ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
