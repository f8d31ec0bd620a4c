import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { createSignedClaims } from './signed-links.js';

/** A program as it has registered itself (RFC 7591). */
export interface RegisteredClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** What a program holds after one round of its grant. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface OAuthSecrets {
  /**
   * A registration is its own id: signed, and held by the client. Nothing is stored for somebody whom nobody has let in
   * yet, and the same registration has the same id.
   */
  clientIdOf(client: RegisteredClient): string;
  /** Undefined for what we did not sign. */
  clientOf(id: string): RegisteredClient | undefined;
  /** The same for the same round: who asks twice because an answer was lost gets no second pair. */
  tokensOf(family: string, round: number): IssuedTokens;
  /** Undefined for what we did not make. */
  readRefreshToken(token: string): { readonly family: string; readonly round: number } | undefined;
}

const CLIENT = 'bwc_';
const REFRESH = /^bwr_([\w-]{43})\.(\d{1,9})\.([\w-]{43})$/;
const ClientClaims = z.tuple([z.string(), z.array(z.string())]);

/** Opaque and long enough that a plain hash protects it at rest. */
export function newAuthorizationCode(): string {
  return `bwo_${randomBytes(32).toString('base64url')}`;
}

/** The part that all refresh tokens of one grant have in common, and nobody else knows. */
export function newTokenFamily(): string {
  return randomBytes(32).toString('base64url');
}

export function createOAuthSecrets(secretKey: Buffer): OAuthSecrets {
  const clients = createSignedClaims(secretKey, 'OAuth clients');
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bellwether OAuth tokens v1', 32));
  const seal = (kind: string, family: string, round: number) =>
    createHmac('sha256', key)
      .update(`${kind} ${family} ${String(round)}`)
      .digest('base64url');

  return {
    clientIdOf: ({ name, redirectUris }) => `${CLIENT}${clients.sign([name, redirectUris])}`,
    clientOf(id) {
      if (!id.startsWith(CLIENT)) return undefined;
      const claims = ClientClaims.safeParse(clients.read(id.slice(CLIENT.length)));
      return claims.success ? { name: claims.data[0], redirectUris: claims.data[1] } : undefined;
    },
    tokensOf: (family, round) => ({
      accessToken: `bwa_${seal('access', family, round)}`,
      refreshToken: `bwr_${family}.${String(round)}.${seal('refresh', family, round)}`,
    }),
    readRefreshToken(token) {
      const [, family = '', written = '', given = ''] = REFRESH.exec(token) ?? [];
      const round = Number(written);
      const right = Buffer.from(seal('refresh', family, round));
      return given.length === right.length && timingSafeEqual(Buffer.from(given), right)
        ? { family, round }
        : undefined;
    },
  };
}
