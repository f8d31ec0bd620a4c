import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Platform13 } from '../core/lti/platform.js';
import { ask, jsonIn, type Reply } from './exchange.js';
import type { SigningKey } from './key-ring.js';

/** Why a platform gave no token, as far as it can be told; its own words stay here. */
export type TokenRefusal =
  | 'our_keys_unreachable'
  | 'client_unknown'
  | 'scope_refused'
  | 'signature_refused'
  | 'clock'
  | 'not_found'
  | 'other';

export type TokenAnswer =
  | { readonly ok: true; readonly token: string; readonly seconds: number }
  | { readonly ok: false; readonly why: TokenRefusal; readonly status: number };

export type TokenPlatform = Pick<Platform13, 'clientId' | 'authTokenUrl'>;

export interface TokenDeps {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signingKey: () => Promise<SigningKey>;
  readonly sign: (claims: Record<string, unknown>, key: SigningKey) => Promise<string>;
}

const ASSERTION_LIFE_S = 60;
const USUAL_SECONDS = 300;

const Granted = z.object({
  access_token: z
    .string()
    .max(8_000)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().max(86_400).catch(USUAL_SECONDS),
});

/** Asks for a token by a signed assertion; the platform fetches our keys to check it. Throws when nobody answers. */
export async function requestToken(
  deps: TokenDeps,
  platform: TokenPlatform,
  scopes: readonly string[],
): Promise<TokenAnswer> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion(deps, platform),
    scope: scopes.join(' '),
  });
  const reply = await ask(deps.fetch, {
    url: platform.authTokenUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  });
  const granted = Granted.safeParse(jsonIn(reply));
  if (reply.status >= 200 && reply.status < 300 && granted.success) {
    return { ok: true, token: granted.data.access_token, seconds: granted.data.expires_in };
  }
  return { ok: false, why: refusalIn(reply), status: reply.status };
}

async function assertion({ now, signingKey, sign }: TokenDeps, platform: TokenPlatform): Promise<string> {
  const iat = Math.floor(now() / 1_000);
  const { clientId, authTokenUrl } = platform;
  const claims = { iss: clientId, sub: clientId, aud: authTokenUrl, iat, exp: iat + ASSERTION_LIFE_S };
  return await sign({ ...claims, jti: randomUUID() }, await signingKey());
}

/** By words, not by JSON: Moodle's errors are not always valid, and some of them are pages. */
const SAID: readonly (readonly [RegExp, TokenRefusal])[] = [
  [/jwks_helper|must be of type array, null given/i, 'our_keys_unreachable'],
  [/"error"\s*:\s*"(invalid_client|unauthorized_client)"/i, 'client_unknown'],
  [/"error"\s*:\s*"invalid_scope"/i, 'scope_refused'],
  [/expired token|cannot handle token (prior to|with)/i, 'clock'],
  [/signature verification failed|"kid" (invalid|empty)|invalid_grant/i, 'signature_refused'],
];

function refusalIn({ status, text }: Reply): TokenRefusal {
  const known = SAID.find(([words]) => words.test(text));
  if (known) return known[1];
  return status === 404 ? 'not_found' : 'other';
}
