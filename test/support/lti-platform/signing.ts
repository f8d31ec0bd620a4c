import { constants, createHmac, createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { Claims } from './claims.js';

/** A key pair of the platform: what it signs with, and what it publishes. */
export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JsonWebKey;
  readonly publicJwk: JsonWebKey;
}

type Pair = Pick<SigningKey, 'privateJwk' | 'publicJwk'>;

// Of those who are done with theirs: to make one takes a quarter of a second.
const spare: Pair[] = [];

/** Nobody else has it until it is given back. */
export async function makeKey(kid: string): Promise<SigningKey> {
  return { kid, ...(spare.pop() ?? (await makePair())) };
}

/** For the next, under another name. */
export function giveBack(keys: readonly SigningKey[]): void {
  spare.push(...keys.map(({ privateJwk, publicJwk }) => ({ privateJwk, publicJwk })));
}

async function makePair(): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)]);
  return { privateJwk, publicJwk };
}

export interface SignOptions {
  readonly key: SigningKey;
  /** Laid over `{ typ, alg, kid }`; a member that is undefined is left out. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** How it is really signed, and what the header says unless that says otherwise. */
  readonly alg?: 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'HS256' | 'none';
  /** For HS256; else the public key as PEM, which is what a careless reader would take for the secret. */
  readonly secret?: string;
}

/** Claims as a signed token, well made or, on purpose, not. */
export function signLaunch(claims: Claims, options: SignOptions): string {
  const { key, alg = 'RS256', header = {} } = options;
  const parts = [{ typ: 'JWT', alg, kid: key.kid, ...header }, claims];
  const signed = parts.map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${signatureOf(signed, { ...options, alg })}`;
}

function signatureOf(text: string, { key, alg, secret }: SignOptions): string {
  if (alg === 'none') return '';
  if (alg === 'HS256')
    return createHmac('sha256', secret ?? publicPem(key))
      .update(text)
      .digest('base64url');
  const privateKey = createPrivateKey({ key: key.privateJwk, format: 'jwk' });
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const how = { key: privateKey, ...(alg === 'PS256' ? pss : {}) };
  return sign(`sha${alg?.slice(2) ?? ''}`, Buffer.from(text), how).toString('base64url');
}

export const publicPem = ({ publicJwk }: SigningKey): string =>
  createPublicKey({ key: publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

/** What a token says, believed without proof. */
export function readToken(token: string): { readonly header: Claims; readonly claims: Claims } {
  const [header = '', claims = ''] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header) as Claims, claims: JSON.parse(claims) as Claims };
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');
