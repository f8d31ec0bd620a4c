import { AppError, unusableAnswer } from '../../core/errors.js';
import type { Work } from '../../core/knowledge/document.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import { withHeadings } from '../../core/knowledge/passage.js';
import type { DocumentStore, VectorStore } from '../../core/knowledge/stores.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { KeptClaim } from './lease.js';

/** Makes the vectors of an edition and names their model; undefined when the model does not answer. */
export type Embedding = (
  edition: number,
  signal: AbortSignal,
  onMade: (made: number) => void,
) => Promise<string | undefined>;

export interface EmbedIfPossible {
  /** Undefined where embeddings are off, and while their model is given a pause. */
  prepare(organizationId: number): Promise<Embedding | undefined>;
}

export interface EmbeddingDeps {
  readonly vectors: VectorStore;
  readonly embedderFor: (organizationId: number) => Promise<Embedder | undefined>;
  readonly pauses: EmbeddingPauses;
  readonly log: Logger;
}

/** A model that is down costs nobody a document: it is found by its words, and gets its vectors later. */
export function createEmbedIfPossible(deps: EmbeddingDeps): EmbedIfPossible {
  const { vectors, embedderFor, pauses, log } = deps;
  const noteFailure = (organizationId: number, fault: unknown) => {
    pauses.failed(organizationId);
    const why = fault instanceof AppError ? fault.message : errorLocation(fault);
    log.warn({ organizationId, why }, 'passages could not be embedded');
  };
  const findEmbedder = async (organizationId: number) => {
    try {
      return await embedderFor(organizationId);
    } catch (fault) {
      noteFailure(organizationId, fault);
      return undefined;
    }
  };

  return {
    async prepare(organizationId) {
      if (pauses.isPaused(organizationId)) return undefined;
      const embedder = await findEmbedder(organizationId);
      if (!embedder) return undefined;
      return async (edition, signal, onMade) => {
        try {
          await embedEdition(edition, { vectors, embedder }, { signal, onMade });
          pauses.forget(organizationId);
          return embedder.model;
        } catch (fault) {
          if (signal.aborted) throw fault;
          noteFailure(organizationId, fault);
          return undefined;
        }
      };
    },
  };
}

const BATCH = 64;

/** Gives every passage of an edition a vector of the model; those that have one keep it. */
export async function embedEdition(
  edition: number,
  { vectors, embedder }: { readonly vectors: VectorStore; readonly embedder: Embedder },
  { signal, onMade }: { readonly signal: AbortSignal; readonly onMade: (made: number) => void },
): Promise<void> {
  const { model } = embedder;
  let made = 0;
  for (;;) {
    const missing = await vectors.missing(edition, model, BATCH);
    if (missing.length === 0) return;
    const texts = missing.map(({ text, title }) => withHeadings(text, title));
    const answer = await embedder.embed(texts, { kind: 'passage', signal });
    signal.throwIfAborted();
    await vectors.write(
      model,
      missing.map(({ passageId }, i) => ({ passageId, vector: vectorOf(answer[i]) })),
    );
    made += missing.length;
    onMade(made);
  }
}

function vectorOf(vector: Float32Array | undefined): Float32Array {
  if (vector) return vector;
  throw unusableAnswer('The embedding model sent fewer vectors than it was sent texts.');
}

export interface EmbeddingAnewDeps {
  readonly documents: Pick<DocumentStore, 'fail'>;
  readonly vectors: VectorStore;
  readonly embed: EmbedIfPossible;
}

const NO_ANSWER = 'The embedding model does not answer. The document is found by its words until it does.';

/** Gives a document that is found by its words vectors of the present model. */
export async function embedAnew(
  work: Work,
  claim: KeptClaim,
  { documents, vectors, embed }: EmbeddingAnewDeps,
): Promise<undefined> {
  const { signal } = claim;
  const { passages, faults } = work.document;
  const edition = await vectors.liveEdition(work);
  const embedding = edition === undefined ? undefined : await embed.prepare(work.organizationId);
  const model =
    edition === undefined
      ? undefined
      : await embedding?.(edition, signal, (made) => {
          claim.tell('embedding', Math.min((100 * made) / Math.max(passages, 1), 99));
        });
  signal.throwIfAborted();
  // What has been made of the vectors stays for the next try.
  if (edition !== undefined && model === undefined) await documents.fail(work, NO_ANSWER, faults);
  else await vectors.complete(work, model);
  return undefined;
}

/** Which organisations' embedding models do not answer at present, and when they are asked again. */
interface EmbeddingPauses {
  isPaused(organizationId: number): boolean;
  failed(organizationId: number): void;
  /** The organisation's model answers again, or its settings have changed: end its pause. */
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
