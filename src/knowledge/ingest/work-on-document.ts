import { isStorageAway } from '../../core/blobs.js';
import { AppError } from '../../core/errors.js';
import type { Work } from '../../core/knowledge/document.js';
import type { Publication, VectorStore } from '../../core/knowledge/stores.js';
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

/** Does the work on documents, and sees to what becomes of each when that fails. */
export interface Hands {
  /** One after the other; what is short is published together. */
  processJobs(works: readonly Work[]): Promise<void>;
  /** Asks at once whether the documents that are just being worked on are still ours. */
  renew(): void;
}

interface Job {
  readonly work: Work;
  readonly claim: KeptClaim;
}

type ReadJob = Job & { readonly publication: Publication };

const MOST_ATTEMPTS = 3;
/** So long a document is left alone whose original could not be reached; whoever looks next tries it again. */
const AWAY_MS = 5_000;
const FAILED = 'The document could not be taken in. Try it once more, or in another format.';
const DEADLY = `The document could not be taken in: the service ended ${String(MOST_ATTEMPTS)} times while it was reading it. Try it in another format, or in smaller parts.`;

export function createHands(deps: HandsDeps): Hands {
  const { documents, pace, stopping, log } = deps;
  const current = new Set<KeptClaim>();

  const orSettled = async <T>({ work, claim }: Job, doing: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await doing();
    } catch (fault) {
      if (!claim.isLost()) await settle(work, fault, deps);
      return undefined;
    }
  };
  const workOn = async ({ work, claim }: Job): Promise<Publication | undefined> => {
    const facts = { documentId: work.document.id, kind: work.kind, attempts: work.attempts };
    if (work.attempts > MOST_ATTEMPTS) {
      log.warn(facts, 'a document was given up');
      await documents.fail(work, DEADLY, work.document.faults, { errorCode: 'service_ended' });
      return undefined;
    }
    const began = Date.now();
    claim.signal.throwIfAborted();
    current.add(claim);
    try {
      const publication = await (work.kind === 'ingest' ? takeIn : embedAnew)(work, claim, deps);
      log.info({ ...facts, ms: Date.now() - began }, 'a document was worked on');
      return publication;
    } finally {
      current.delete(claim);
    }
  };
  const publishAll = async (jobs: readonly ReadJob[]) => {
    if (jobs.length === 0) return;
    try {
      await documents.publishAtOnce(jobs.map(({ publication }) => publication));
    } catch {
      // The one that cannot be written keeps the others from nothing.
      for (const job of jobs) await orSettled(job, () => documents.publishAtOnce([job.publication]));
    }
  };

  return {
    async processJobs(works) {
      const jobs = works.map((work) => ({ work, claim: keepClaim(work, { documents, ...pace, stopping }) }));
      try {
        const read: ReadJob[] = [];
        for (const job of jobs) {
          const publication = await orSettled(job, () => workOn(job));
          if (publication) read.push({ ...job, publication });
        }
        await publishAll(read);
      } finally {
        await Promise.all(jobs.map(({ claim }) => claim.end()));
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
  const facts = { documentId: work.document.id, attempts: work.attempts };
  if (isStorageAway(fault)) {
    log.warn(facts, 'a document waits for the storage of files');
    await documents.postpone(work, { ms: AWAY_MS });
    return;
  }
  if (fault instanceof AppError) {
    await documents.fail(work, fault.message, [], {
      needsOcr: fault.param === 'ocr',
      errorCode: fault.reason,
    });
    return;
  }
  log.error({ ...facts, fault: errorLocation(fault) }, 'a document could not be taken in');
  // Before that its lease runs out, which is as good as a pause before the next try.
  if (work.attempts >= MOST_ATTEMPTS) await documents.fail(work, FAILED, [], { errorCode: 'failed' });
}
