import type { Collection } from '../../core/knowledge/collection.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { PassageIndex } from '../../core/knowledge/stores.js';
import { type Logger, errorLocation } from '../../core/log.js';
import { createDeadline } from '../../core/runs/deadline.js';
import { UNSURE } from '../analysis/languages.js';
import { similarityOf } from '../embeddings/vectors.js';
import { onScale, type Ranked } from './bm25.js';
import { mergeBySimilarity } from './fuse.js';

/** Longer than this nobody waits for what words alone can do without. */
const PATIENCE_MS = 3_000;

export interface VectorDeps {
  readonly passages: Pick<PassageIndex, 'nearest' | 'baseline'>;
  /** Undefined where an organisation's passages have no vectors. */
  readonly embedderFor: (organizationId: number) => Promise<Embedder | undefined>;
  readonly log: Logger;
  readonly patienceMs?: number;
}

export interface VectorQuestion {
  readonly collections: readonly Pick<Collection, 'id' | 'organizationId'>[];
  readonly query: string;
  /** What was asked before, where the query leans on it. */
  readonly topic?: string | undefined;
  /** What languages the query may be of. */
  readonly spoken: () => Promise<readonly string[]>;
  readonly most: number;
  readonly tags?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export interface VectorFindings {
  readonly ranked: readonly Ranked[];
  /** Whose vectors helped; undefined when there are none, or nobody to make that of the question. */
  readonly model: string | undefined;
  /** The similarity of the first, by a model that knows the question's language; undefined where none was asked. */
  readonly nearest: number | undefined;
}

/** Each organisation's passages in the space of its own model. Without an answer in time it does without. */
export async function findByVectors(question: VectorQuestion, deps: VectorDeps): Promise<VectorFindings> {
  const organizations = [...new Set(question.collections.map(({ organizationId }) => organizationId))];
  const found = await Promise.all(
    organizations.map((id) => {
      const collections = question.collections.filter(({ organizationId }) => organizationId === id);
      return findIn(id, { ...question, collections }, deps);
    }),
  );
  const ranked = mergeBySimilarity(
    found.map((one) => one.ranked),
    question.most,
    ({ isPinned = false }) => isPinned,
  );
  const trusted = found.flatMap((one) => one.nearest ?? []);
  return {
    ranked,
    model: found.find(({ model }) => model !== undefined)?.model,
    nearest: trusted.length === 0 ? undefined : Math.max(...trusted),
  };
}

const NOTHING: VectorFindings = { ranked: [], model: undefined, nearest: undefined };

async function findIn(
  organizationId: number,
  question: VectorQuestion,
  deps: VectorDeps,
): Promise<VectorFindings> {
  const deadline = createDeadline(question.signal, deps.patienceMs ?? PATIENCE_MS);
  try {
    const asked = { ...question, signal: deadline.signal };
    return await endingWith(deadline.signal, nearest(organizationId, asked, deps));
  } catch (fault) {
    question.signal.throwIfAborted();
    const why = deadline.expired() ? 'no answer in time' : errorLocation(fault);
    deps.log.warn({ organizationId, fault: why }, 'passages are looked for by words alone');
    return NOTHING;
  } finally {
    deadline.dispose();
  }
}

async function nearest(
  organizationId: number,
  { collections, query, topic, spoken, most, tags, signal }: VectorQuestion,
  { passages, embedderFor }: VectorDeps,
): Promise<VectorFindings> {
  const embedder = await embedderFor(organizationId);
  if (!embedder) return NOTHING;
  const { model } = embedder;
  const asked = topic === undefined ? query : `${topic}\n${query}`;
  const [vector] = await embedder.embed([asked], { kind: 'query', signal });
  if (!vector) return NOTHING;
  const collectionIds = collections.map(({ id }) => id);
  const [candidates, baseline, languages] = await Promise.all([
    passages.nearest({ collectionIds, model, vector, limit: most, tags }),
    passages.baseline({ collectionIds, model }),
    spoken(),
  ]);
  const isKnown = knowsOneOf(languages, embedder);
  const trust = isKnown ? 1 : TRUST_IN_UNKNOWN_LANGUAGE;
  const ranked = candidates
    .map(({ passageId, cosine, isPinned = false }) => ({
      ...{ passageId, isPinned },
      similarity: onScale(trust * similarityOf(cosine, baseline)),
    }))
    .filter(({ similarity }) => similarity > 0);
  // Passages that have no vectors yet say nothing about what fits.
  const hasSay = isKnown && candidates.length > 0;
  return { ranked, model, nearest: hasSay ? (ranked[0]?.similarity ?? 0) : undefined };
}

/** In a language that a model does not know, texts look alike to it because they are of that language. */
const TRUST_IN_UNKNOWN_LANGUAGE = 0.5;

function knowsOneOf(spoken: readonly string[], { languages }: Embedder): boolean {
  return !languages || spoken.some((language) => language === UNSURE || languages.includes(language));
}

/** An embedder that does not listen to the signal is not waited for. */
function endingWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
