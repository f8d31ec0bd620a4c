import { createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Tool } from './school.js';

/** What it says, on a page of its own, when a tool's keys cannot be fetched. */
export const NO_KEYS =
  'Exception - mod_lti\\local\\ltiopenid\\jwks_helper::fix_jwks_alg(): Argument #1 ($jwks) must be of type array, null given';

export type ToolKeys = ReturnType<typeof createToolKeys>;

/** The tools' public keys: kept, and fetched again once when what is kept does not fit. */
export function createToolKeys() {
  const kept = new Map<string, JSONWebKeySet>();

  async function fetched({ clientId, jwksUrl }: Tool): Promise<JSONWebKeySet> {
    try {
      const response = await fetch(jwksUrl, { headers: { 'user-agent': 'MoodleBot/4.5' } });
      const keys = (await response.json()) as JSONWebKeySet;
      kept.set(clientId, keys);
      return keys;
    } catch {
      throw new Error(NO_KEYS);
    }
  }
  /** What the token says; fails in the platform's own words. */
  async function verify(tool: Tool, token: string): Promise<Readonly<Record<string, unknown>>> {
    if (kidOf(token) === undefined) throw new Error('error/Error: kid must be provided in JWT header.');
    const had = kept.get(tool.clientId);
    if (had) {
      const claims = await proved(token, had).catch(() => undefined);
      if (claims) return claims;
    }
    return proved(token, await fetched(tool)).catch((error: unknown) => {
      throw new Error(inMoodlesWords(error));
    });
  }
  return { verify };
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function proved(token: string, keys: JSONWebKeySet) {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { algorithms: ['RS256'] });
  return payload;
}

function inMoodlesWords(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'Expired token';
  // With its quotes unescaped: what it is put into is no JSON then.
  if (error instanceof errors.JWKSNoMatchingKey) return '"kid" invalid, unable to lookup correct key';
  return 'Signature verification failed';
}
