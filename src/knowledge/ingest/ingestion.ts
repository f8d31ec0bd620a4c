import { setMaxListeners } from 'node:events';
import { createCoalescedTask } from '../../core/base/coalesced-task.js';
import type { Work } from '../../core/knowledge/document.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { OrganizationStore } from '../../core/stores.js';
import { isLightName, lightExtensions } from '../extract/format.js';
import { createEmbeddingPauses, createEmbedIfPossible, type EmbeddingDeps } from './embed.js';
import type { TakingInDeps } from './ingest-document.js';
import { createHands, type Pace } from './work-on-document.js';

export interface IngestionDeps
  extends Omit<TakingInDeps, 'embed' | 'onSlow'>, Pick<EmbeddingDeps, 'vectors' | 'embedderFor'> {
  readonly log: Logger;
  readonly pace?: Partial<Pace & Looking>;
  /** Something else may be found in the collection from now on. */
  readonly changed?: (collectionId: string) => void;
}

interface Looking {
  /** So often it looks for what others have left. */
  readonly lookMs: number;
}

/** Takes documents in, a few at a time; in each process that serves there is one of these. */
export interface Ingestion {
  start(): void;
  /** There is something to do: to take in, or to clear away. */
  nudge(): void;
  /** Its embedding model is asked again, also if it did not answer a short while ago. */
  endPause(organizationId: number): void;
  /** Other embeddings may be wanted than those there are. */
  reconsider(organizationId: number): Promise<void>;
  /** What is under way is given back for the next who asks. */
  stop(): Promise<void>;
}

/** So many documents at a time: a short one does not wait for one of five hundred pages. */
const LANES = 2;
/** So many more while scans are being recognised, which takes minutes: others do not wait for them. */
const SPARE_LANES = 4;
/** Short ones are written together: half of what each costs is a transaction of its own. Nobody waits long for so few. */
const TOGETHER = { documents: 7, bytes: 64_000, extensions: lightExtensions };
const DOCUMENTS_A_SWEEP = 50;
const USUAL: Pace & Looking = { leaseMs: 30_000, beatMs: 500, lookMs: 30_000 };

export function createIngestion(deps: IngestionDeps): Ingestion {
  const { documents, vectors, embedderFor, log } = deps;
  const pace = { ...USUAL, ...deps.pace };
  const stopping = new AbortController();
  // Every document that is under way listens, and Node would take more than ten for a leak.
  setMaxListeners(0, stopping.signal);
  const pauses = createEmbeddingPauses(Date.now);
  const embed = createEmbedIfPossible({ vectors, embedderFor, pauses, log });
  let timer: NodeJS.Timeout | undefined;

  const doing = (what: string, work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (fault) {
      log.error({ fault: errorLocation(fault) }, `${what} failed`);
    }
  };
  const sweeping = createCoalescedTask(doing('clearing away', () => documents.sweep(stopping.signal)));

  const slow = new Set<Work>();
  const onSlow = (work: Work) => {
    slow.add(work);
    working.ask();
  };
  const hands = createHands({ ...deps, embed, pace, onSlow, stopping: stopping.signal });
  const withIt = async (work: Work) =>
    isShort(work) ? await documents.claimMore(work, TOGETHER, { ms: pace.leaseMs }) : [];
  const workOn = doing('taking in documents', async () => {
    for (let done = 0; !stopping.signal.aborted; done++) {
      const work = await documents.claim({ ms: pace.leaseMs });
      // Not after each: of documents that are new nothing is left over, and of a thousand it is looked for once.
      if (done > 0 && (!work || done % DOCUMENTS_A_SWEEP === 0)) sweeping.ask();
      if (!work) return;
      await hands.processJobs([work, ...(await withIt(work))]);
      slow.delete(work);
      deps.changed?.(work.document.collectionId);
    }
  });
  const lanes = Array.from({ length: LANES + SPARE_LANES }, () => createCoalescedTask(workOn));
  const working = {
    ask() {
      for (const lane of lanes.slice(0, LANES + slow.size)) lane.ask();
    },
    settled: () => Promise.all(lanes.map((lane) => lane.settled())),
  };

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
    endPause: pauses.forget,
    reconsider: (organizationId) => doing('queueing for embeddings', () => reconsider(organizationId))(),
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('The service stops.'));
      await working.settled();
      await sweeping.settled();
    },
  };
}

const isShort = ({ kind, attempts, document: { bytes, sourceUrl, filename } }: Work) =>
  kind === 'ingest' &&
  attempts === 1 &&
  sourceUrl === undefined &&
  bytes <= TOGETHER.bytes &&
  isLightName(filename);

export interface ReconsideringDeps {
  readonly organizations: Pick<OrganizationStore, 'list'>;
  readonly ingestion: Pick<Ingestion, 'reconsider'>;
  readonly log: Logger;
}

const PAGE = 200;

/** Once at every start: the embeddings wanted may be others by now. */
export async function reconsiderAtStart(deps: ReconsideringDeps): Promise<void> {
  try {
    await reconsiderAll(deps);
  } catch (fault) {
    deps.log.error({ fault: errorLocation(fault) }, 'looking at all embeddings at the start failed');
  }
}

/** Every organisation may want other embeddings than its documents have. */
export async function reconsiderAll({
  organizations,
  ingestion,
}: Pick<ReconsideringDeps, 'organizations' | 'ingestion'>): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const { data, nextCursor } = await organizations.list({}, { limit: PAGE, cursor });
    for (const { id } of data) await ingestion.reconsider(id);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
