import { createHmac, hash, randomBytes } from 'node:crypto';

/** Opaque and long enough that a plain hash protects them at rest. */
export function newApiKey(): string {
  return `bw_${randomBytes(24).toString('hex')}`;
}

export function newSessionToken(): string {
  return `bws_${randomBytes(32).toString('hex')}`;
}

/** What stands in the address of a public link: 192 bits, short enough for a QR code that phones read from a wall. */
export function newLinkToken(): string {
  return randomBytes(24).toString('base64url');
}

/** What opens an invitation. */
export function newInvitationToken(): string {
  return randomBytes(24).toString('base64url');
}

/** What opens one visit by a public link. */
export function newVisitToken(): string {
  return `bwv_${randomBytes(32).toString('hex')}`;
}

/** What is kept in a browser whom a platform launches, and shown to nobody else. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What opens one visit. It follows from the browser's secret, so that it need not be kept anywhere. */
export function launchToken(browserSecret: string, launchId: string): string {
  return `bwl_${createHmac('sha256', browserSecret).update(`launch ${launchId}`).digest('hex')}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Enough to tell keys apart in a list, too little to use one. */
export function prefixOf(token: string): string {
  return token.slice(0, 7);
}
