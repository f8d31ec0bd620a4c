/** Which organisations' embedding models do not answer at present, and when they are asked again. */
export interface EmbeddingPauses {
  isPaused(organizationId: number): boolean;
  failed(organizationId: number): void;
  /** It answers, or has been set up anew. */
  forget(organizationId: number): void;
  /** Those whose pause is over; each is told once. */
  takeOver(): readonly number[];
}

const SHORTEST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;

/** Each failure in a row doubles the pause. */
export function createEmbeddingPauses(now: () => number): EmbeddingPauses {
  const pauses = new Map<number, { readonly failures: number; readonly until: number | undefined }>();
  const isOver = (until: number | undefined) => until !== undefined && until <= now();

  return {
    isPaused(organizationId) {
      const until = pauses.get(organizationId)?.until;
      return until !== undefined && !isOver(until);
    },
    failed(organizationId) {
      const failures = (pauses.get(organizationId)?.failures ?? 0) + 1;
      const ms = Math.min(SHORTEST_MS * 2 ** (failures - 1), LONGEST_MS);
      pauses.set(organizationId, { failures, until: now() + ms });
    },
    forget(organizationId) {
      pauses.delete(organizationId);
    },
    takeOver() {
      const over = [...pauses].filter(([, { until }]) => isOver(until));
      for (const [id, { failures }] of over) pauses.set(id, { failures, until: undefined });
      return over.map(([id]) => id);
    },
  };
}
