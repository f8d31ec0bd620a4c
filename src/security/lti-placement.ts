import { z } from 'zod';
import { createSignedClaims } from './signed-links.js';

/** The custom parameter of a link that was chosen here: the platform brings it back with every launch. */
export const PLACEMENT_PARAMETER = 'bellwether_placement';

/** What a link holds when it is opened for the first time. */
export interface Placement {
  /** Where it was chosen: carried to another platform it says nothing. */
  readonly platformId: number;
  readonly assistantIds: readonly number[];
  /** By whose right they are used. */
  readonly addedBy: number;
  /** Which of them proposes grades, where the link has a grade column. */
  readonly evaluatorId?: number | undefined;
}

export interface Placements {
  write(placement: Placement): string;
  /** Undefined for what we did not write, and what was changed since. */
  read(token: string): Placement | undefined;
}

const Id = z.number().int().positive();
const Claims = z.tuple([Id, z.array(Id).min(1).max(50), Id, Id.optional()]);

/** Whoever may edit a link in the platform can read what is in it, and cannot make one of their own. */
export function createPlacements(secretKey: Buffer): Placements {
  const signed = createSignedClaims(secretKey, 'LTI placements');

  return {
    write: ({ platformId, assistantIds, addedBy, evaluatorId }) =>
      signed.sign([platformId, assistantIds, addedBy, ...(evaluatorId === undefined ? [] : [evaluatorId])]),
    read(token) {
      const claims = Claims.safeParse(signed.read(token));
      if (!claims.success) return undefined;
      const [platformId, assistantIds, addedBy, evaluatorId] = claims.data;
      return { platformId, assistantIds, addedBy, ...(evaluatorId === undefined ? {} : { evaluatorId }) };
    },
  };
}
