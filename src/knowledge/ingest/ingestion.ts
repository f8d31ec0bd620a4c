import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { Work } from '../../core/knowledge.js';
import { whereItBroke } from '../../core/where-it-broke.js';
import { createEmbedIfPossible, type EmbeddingDeps } from './embed-if-possible.js';
import { createEmbeddingPauses } from './embedding-pauses.js';
import { embedAnew } from './embed-anew.js';
import { createErrand } from './errand.js';
import { keepClaim, type KeptClaim } from './keep-claim.js';
import { takeIn, type TakingInDeps } from './take-in.js';

export interface IngestionDeps
  extends Omit<TakingInDeps, 'embed'>, Pick<EmbeddingDeps, 'vectors' | 'embedderFor'> {
  readonly log: Logger;
  readonly pace?: Partial<Pace>;
}

export interface Pace {
  /** For so long a document is left to whoever took it on and has fallen silent. */
  readonly leaseMs: number;
  readonly beatMs: number;
  /** So often it looks for what others have left. */
  readonly lookMs: number;
}

/** Takes documents in, one at a time; in each process that serves there is one of these. */
export interface Ingestion {
  start(): void;
  /** There is something to do: to take in, or to clear away. */
  nudge(): void;
  /** Other embeddings may be wanted than those there are. */
  reconsider(organizationId: number): Promise<void>;
  /** What is under way is given back for the next who asks. */
  stop(): Promise<void>;
}

const USUAL: Pace = { leaseMs: 30_000, beatMs: 500, lookMs: 30_000 };
const MOST_ATTEMPTS = 3;
const FAILED = 'The document could not be taken in. Try it once more, or in another format.';
const DEADLY = `The document could not be taken in: the service ended ${String(MOST_ATTEMPTS)} times while it was reading it. Try it in another format, or in smaller parts.`;

export function createIngestion(deps: IngestionDeps): Ingestion {
  const { documents, vectors, embedderFor, log } = deps;
  const pace = { ...USUAL, ...deps.pace };
  const stopping = new AbortController();
  const pauses = createEmbeddingPauses(Date.now);
  const embed = createEmbedIfPossible({ vectors, embedderFor, pauses, log });
  let timer: NodeJS.Timeout | undefined;
  let current: KeptClaim | undefined;

  const doing = (what: string, work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (fault) {
      log.error({ fault: whereItBroke(fault) }, `${what} failed`);
    }
  };
  const sweeping = createErrand(doing('clearing away', () => documents.sweep(stopping.signal)));

  const takeOn = async (work: Work) => {
    const facts = { documentId: work.document.id, kind: work.kind, attempts: work.attempts };
    if (work.attempts > MOST_ATTEMPTS) {
      log.warn(facts, 'a document was given up');
      await documents.fail(work, DEADLY, work.document.faults);
      return;
    }
    const claim = keepClaim(work, { documents, ...pace, stopping: stopping.signal });
    current = claim;
    const began = Date.now();
    try {
      await (work.kind === 'ingest'
        ? takeIn(work, claim, { ...deps, embed })
        : embedAnew(work, claim, { documents, vectors, embed }));
      log.info({ ...facts, ms: Date.now() - began }, 'a document was taken in');
    } catch (fault) {
      await settle(work, claim, fault);
    } finally {
      current = undefined;
      await claim.end();
      sweeping.ask();
    }
  };

  const settle = async (work: Work, claim: KeptClaim, fault: unknown) => {
    if (claim.isLost()) return;
    if (stopping.signal.aborted) {
      await documents.release(work);
      return;
    }
    if (fault instanceof AppError) {
      await documents.fail(work, fault.message, []);
      return;
    }
    const facts = { documentId: work.document.id, attempts: work.attempts };
    log.error({ ...facts, fault: whereItBroke(fault) }, 'a document could not be taken in');
    // Before that its lease runs out, which is as good as a pause before the next try.
    if (work.attempts >= MOST_ATTEMPTS) await documents.fail(work, FAILED, []);
  };

  const working = createErrand(
    doing('taking in documents', async () => {
      while (!stopping.signal.aborted) {
        const work = await documents.claim({ ms: pace.leaseMs });
        if (!work) return;
        await takeOn(work);
      }
    }),
  );

  const reconsider = async (organizationId: number) => {
    pauses.forget(organizationId);
    await queueOutdated(organizationId);
  };
  const queueOutdated = async (organizationId: number) => {
    const embedder = await embedderFor(organizationId);
    if (embedder && (await vectors.queueOutdated(organizationId, embedder.model)) > 0) working.ask();
  };
  const look = doing('looking for documents', async () => {
    for (const organizationId of pauses.takeOver()) await queueOutdated(organizationId);
    working.ask();
  });

  return {
    start() {
      timer = setInterval(() => void look(), pace.lookMs).unref();
      working.ask();
      sweeping.ask();
    },
    nudge() {
      working.ask();
      sweeping.ask();
      // What is under way may be what was deleted or queued anew.
      current?.renew();
    },
    reconsider: (organizationId) => doing('queueing for embeddings', () => reconsider(organizationId))(),
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('The service stops.'));
      await working.settled();
      await sweeping.settled();
    },
  };
}
