import type { Logger } from '../../core/log.js';
import { whereItBroke } from '../../core/where-it-broke.js';
import { createEmbedIfPossible, type EmbeddingDeps } from './embed.js';
import { createEmbeddingPauses } from './embedding-pauses.js';
import { createErrand } from '../../core/base/coalesced-task.js';
import { createHands, type Pace } from './work-on-document.js';
import type { TakingInDeps } from './ingest-document.js';

export interface IngestionDeps
  extends Omit<TakingInDeps, 'embed'>, Pick<EmbeddingDeps, 'vectors' | 'embedderFor'> {
  readonly log: Logger;
  readonly pace?: Partial<Pace & Looking>;
}

interface Looking {
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

const USUAL: Pace & Looking = { leaseMs: 30_000, beatMs: 500, lookMs: 30_000 };

export function createIngestion(deps: IngestionDeps): Ingestion {
  const { documents, vectors, embedderFor, log } = deps;
  const pace = { ...USUAL, ...deps.pace };
  const stopping = new AbortController();
  const pauses = createEmbeddingPauses(Date.now);
  const embed = createEmbedIfPossible({ vectors, embedderFor, pauses, log });
  let timer: NodeJS.Timeout | undefined;

  const doing = (what: string, work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (fault) {
      log.error({ fault: whereItBroke(fault) }, `${what} failed`);
    }
  };
  const sweeping = createErrand(doing('clearing away', () => documents.sweep(stopping.signal)));

  const hands = createHands({ ...deps, embed, pace, stopping: stopping.signal });
  const working = createErrand(
    doing('taking in documents', async () => {
      while (!stopping.signal.aborted) {
        const work = await documents.claim({ ms: pace.leaseMs });
        if (!work) return;
        await hands.takeOn(work);
        sweeping.ask();
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
    working.ask();
    for (const organizationId of pauses.takeOver()) await queueOutdated(organizationId);
  });

  return {
    start() {
      timer = setInterval(() => void look(), pace.lookMs).unref();
      working.ask();
      sweeping.ask();
    },
    nudge() {
      if (stopping.signal.aborted) return;
      working.ask();
      sweeping.ask();
      // What is under way may be what was deleted or queued anew.
      hands.renew();
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
