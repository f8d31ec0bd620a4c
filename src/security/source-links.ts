import { z } from 'zod';
import { createSignedClaims } from './signed-links.js';

/** A file or a rubric that a run read for its assistant's owner. */
export interface LinkedSource {
  readonly kind: 'file' | 'rubric';
  readonly ownerId: number;
  /** The assistant it was read for; 0 for a tool that was run by itself. */
  readonly assistantId: number;
  /** A rubric's id, or a file's path. */
  readonly id: string;
  /** As much as was read, and no more, is shown. */
  readonly maxChars: number;
}

export interface SourceLinks {
  /** An address that shows this one to whoever has it. The same all day for the same one. */
  linkTo(source: LinkedSource): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  sourceAt(token: string): LinkedSource | undefined;
}

const DAY_MS = 24 * 3_600_000;
/** As long as those to passages. */
const LINK_DAYS = 90;

const Claims = z.tuple([
  z.enum(['file', 'rubric']),
  z.number().int().positive(),
  z.number().int().nonnegative(),
  z.string(),
  z.number().int().positive(),
  z.number().int().positive(),
]);

/** Links that need no credential, like those to passages. */
export function createSourceLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): SourceLinks {
  const signed = createSignedClaims(secretKey, 'source links');
  return {
    linkTo({ kind, ownerId, assistantId, id, maxChars }) {
      const lastDay = Math.floor(now() / DAY_MS) + LINK_DAYS;
      return `${baseUrl}/sources/${signed.sign([kind, ownerId, assistantId, id, maxChars, lastDay])}`;
    },
    sourceAt(token) {
      const claims = signed.read(token);
      if (claims === undefined) return undefined;
      const [kind, ownerId, assistantId, id, maxChars, lastDay] = Claims.parse(claims);
      return Math.floor(now() / DAY_MS) > lastDay ? undefined : { kind, ownerId, assistantId, id, maxChars };
    },
  };
}
