import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Puts claims into a token that can be read by everybody and made by nobody else. */
export interface SignedClaims {
  sign(claims: readonly unknown[]): string;
  /** Undefined for what we did not sign and what was changed since. */
  read(token: string): unknown;
}

/** Tokens for one purpose: those of another, though signed with the same secret, are none of its own. */
export function createSignedClaims(secretKey: Buffer, purpose: string): SignedClaims {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `bellwether ${purpose} v1`, 32));
  const seal = (claims: string) => createHmac('sha256', key).update(claims).digest('base64url');

  return {
    sign(claims) {
      const written = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${written}.${seal(written)}`;
    },
    read(token) {
      const [claims = '', given = '', ...rest] = token.split('.');
      // As texts: two spellings of the same bytes would be two tokens.
      if (rest.length > 0 || !isEqual(given, seal(claims))) return undefined;
      return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as unknown;
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
