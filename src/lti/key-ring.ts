import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { z } from 'zod';

const PublicJwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string(),
  n: z.string(),
  e: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
});

/** What platforms may see of a key. */
export type PublicJwk = Readonly<z.output<typeof PublicJwk>>;

/** What signs for us. */
export interface SigningKey {
  readonly kid: string;
  /** JSON, in the clear: whoever keeps it seals it. */
  readonly privateJwk: string;
}

export interface NewKey extends SigningKey {
  readonly publicJwk: PublicJwk;
}

export async function makeKey(): Promise<NewKey> {
  const pair = await generateKeyPair('RS256', { modulusLength: 2_048, extractable: true });
  const [shown, hidden] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  // By what the key is, so that no two keys ever share a name.
  const kid = await calculateJwkThumbprint(shown);
  const publicJwk = PublicJwk.parse({ ...shown, kid, alg: 'RS256', use: 'sig' });
  return { kid, publicJwk, privateJwk: JSON.stringify(hidden) };
}

/** The set that platforms fetch. Whatever else was handed in with a key stays here. */
export function publicKeySet(keys: readonly unknown[]): { readonly keys: readonly PublicJwk[] } {
  return { keys: keys.map((key) => PublicJwk.parse(key)) };
}

export async function sign(claims: JWTPayload, { kid, privateJwk }: SigningKey): Promise<string> {
  const key = await importJWK(JSON.parse(privateJwk) as { kty: 'RSA' }, 'RS256');
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(key);
}
