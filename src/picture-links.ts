import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A picture in somebody's file store. */
export interface KeptPicture {
  readonly ownerId: number;
  readonly path: string;
}

export interface PictureLinks {
  /** An address that shows this one picture to whoever has it, for a week. */
  linkTo(picture: KeptPicture): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  pictureAt(token: string): KeptPicture | undefined;
}

const WEEK_MS = 7 * 24 * 3_600_000;

const Claims = z.tuple([z.number().int().positive(), z.string(), z.number()]);

/** Links that need no credential: they are signed, so that none can be guessed or made to show anything else. */
export function createPictureLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): PictureLinks {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bellwether picture links v1', 32));
  const seal = (claims: string) => createHmac('sha256', key).update(claims).digest('base64url');

  return {
    linkTo({ ownerId, path }) {
      const expiresAt = now() + WEEK_MS;
      const claims = Buffer.from(JSON.stringify([ownerId, path, expiresAt])).toString('base64url');
      return `${baseUrl}/pictures/${claims}.${seal(claims)}`;
    },
    pictureAt(token) {
      const [claims = '', given = '', ...rest] = token.split('.');
      // As texts: two spellings of the same bytes would be two tokens.
      if (rest.length > 0 || !isEqual(given, seal(claims))) return undefined;
      const [ownerId, path, expiresAt] = Claims.parse(
        JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')),
      );
      return expiresAt > now() ? { ownerId, path } : undefined;
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
