import { z } from 'zod';
import { createSignedClaims } from './signed-links.js';

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
  const signed = createSignedClaims(secretKey, 'picture links');

  return {
    linkTo({ ownerId, path }) {
      return `${baseUrl}/pictures/${signed.sign([ownerId, path, now() + WEEK_MS])}`;
    },
    pictureAt(token) {
      const claims = signed.read(token);
      if (claims === undefined) return undefined;
      const [ownerId, path, expiresAt] = Claims.parse(claims);
      return expiresAt > now() ? { ownerId, path } : undefined;
    },
  };
}
