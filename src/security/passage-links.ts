import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createSignedClaims } from './signed-links.js';

/** One passage of a document in a collection that is here. */
export interface PassageAddress {
  readonly collectionId: string;
  readonly documentId: string;
  readonly position: number;
}

/** A passage as a link names it. */
export interface LinkedPassage extends PassageAddress {
  /** Whether this is what it said when the link was made: another edition may say something else in its place. */
  said(text: string): boolean;
}

export interface PassageLinks {
  /** An address that shows this one passage in its section to whoever has it. The same all day for the same passage. */
  linkTo(passage: PassageAddress & { readonly text?: string }): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  passageAt(token: string): LinkedPassage | undefined;
}

const DAY_MS = 24 * 3_600_000;
/** Conversations are read again long after they were held. */
export const PASSAGE_LINK_DAYS = 90;
const DIGEST_CHARS = 12;

const Claims = z.tuple([
  z.string(),
  z.string(),
  z.number().int().nonnegative(),
  z.string(),
  z.number().int().positive(),
]);

/** Links that need no credential, like those to pictures. */
export function createPassageLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): PassageLinks {
  const signed = createSignedClaims(secretKey, 'passage links');

  return {
    linkTo({ collectionId, documentId, position, text }) {
      // Whole days: a passage that is found twice in one run is one source, by its address.
      const lastDay = Math.floor(now() / DAY_MS) + PASSAGE_LINK_DAYS;
      const claims = [collectionId, documentId, position, digestOf(text), lastDay];
      return `${baseUrl}/passages/${signed.sign(claims)}#passage`;
    },
    passageAt(token) {
      const claims = signed.read(token);
      if (claims === undefined) return undefined;
      const [collectionId, documentId, position, digest, lastDay] = Claims.parse(claims);
      if (Math.floor(now() / DAY_MS) > lastDay) return undefined;
      const said = (text: string) => digest === '' || digest === digestOf(text);
      return { collectionId, documentId, position, said };
    },
  };
}

function digestOf(text: string | undefined): string {
  if (text === undefined) return '';
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARS);
}
