import { hash, randomBytes } from 'node:crypto';

/** Opaque and long enough that a plain hash protects them at rest. */
export function newApiKey(): string {
  return `bw_${randomBytes(24).toString('hex')}`;
}

export function newSessionToken(): string {
  return `bws_${randomBytes(32).toString('hex')}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Enough to tell keys apart in a list, too little to use one. */
export function prefixOf(token: string): string {
  return token.slice(0, 7);
}
