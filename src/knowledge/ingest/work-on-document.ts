import { AppError } from '../../core/errors.js';
import type { Work } from '../../core/knowledge/document.js';
import type { VectorStore } from '../../core/knowledge/stores.js';
import { type Logger, errorLocation } from '../../core/log.js';
import { embedAnew } from './embed.js';
import { takeIn, type TakingInDeps } from './ingest-document.js';
import { keepClaim, type KeepingOptions, type KeptClaim } from './lease.js';

/** For how long a document is left to whoever took it on and has fallen silent, and how often news of it is told. */
export type Pace = Pick<KeepingOptions, 'leaseMs' | 'beatMs'>;

export interface HandsDeps extends TakingInDeps {
  readonly vectors: VectorStore;
  readonly pace: Pace;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/** Does the work on a document, and sees to what becomes of it when that fails. */
export interface Hands {
  processJob(work: Work): Promise<void>;
  /** Asks at once whether the documents that are being worked on are still ours. */
  renew(): void;
}

const MOST_ATTEMPTS = 3;
const FAILED = 'The document could not be taken in. Try it once more, or in another format.';
const DEADLY = `The document could not be taken in: the service ended ${String(MOST_ATTEMPTS)} times while it was reading it. Try it in another format, or in smaller parts.`;

export function createHands(deps: HandsDeps): Hands {
  const { documents, pace, stopping, log } = deps;
  const current = new Set<KeptClaim>();

  return {
    async processJob(work) {
      const facts = { documentId: work.document.id, kind: work.kind, attempts: work.attempts };
      if (work.attempts > MOST_ATTEMPTS) {
        log.warn(facts, 'a document was given up');
        await documents.fail(work, DEADLY, work.document.faults);
        return;
      }
      const claim = keepClaim(work, { documents, ...pace, stopping });
      current.add(claim);
      const began = Date.now();
      try {
        await (work.kind === 'ingest' ? takeIn : embedAnew)(work, claim, deps);
        log.info({ ...facts, ms: Date.now() - began }, 'a document was worked on');
      } catch (fault) {
        if (!claim.isLost()) await settle(work, fault, deps);
      } finally {
        current.delete(claim);
        await claim.end();
      }
    },
    renew() {
      for (const claim of current) claim.renew();
    },
  };
}

async function settle(work: Work, fault: unknown, { documents, stopping, log }: HandsDeps): Promise<void> {
  if (stopping.aborted) {
    await documents.release(work);
    return;
  }
  if (fault instanceof AppError) {
    await documents.fail(work, fault.message, [], { needsOcr: fault.param === 'ocr' });
    return;
  }
  const facts = { documentId: work.document.id, attempts: work.attempts };
  log.error({ ...facts, fault: errorLocation(fault) }, 'a document could not be taken in');
  // Before that its lease runs out, which is as good as a pause before the next try.
  if (work.attempts >= MOST_ATTEMPTS) await documents.fail(work, FAILED, []);
}
