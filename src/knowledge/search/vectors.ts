import type { Collection } from '../../core/knowledge/collection.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { VectorCandidate } from '../../core/knowledge/passage.js';
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
  readonly passages: Pick<PassageIndex, 'nearest' | 'baseline' | 'languages' | 'languagesOf'>;
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
  const isUnderstood = knowsOneOf(languages, embedder);
  const measured = { isUnderstood, collectionIds, candidates, baseline };
  const similarity = await similarityByLanguage(embedder, measured, passages);
  const ranked = candidates
    .map((one) => ({
      ...{ passageId: one.passageId, isPinned: one.isPinned ?? false },
      similarity: onScale(similarity(one)),
    }))
    .filter((one) => one.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity);
  // Passages that have no vectors yet say nothing about what fits.
  const hasSay = isUnderstood && candidates.length > 0;
  return { ranked, model, nearest: hasSay ? (ranked[0]?.similarity ?? 0) : undefined };
}

function knowsOneOf(spoken: readonly string[], { languages }: Embedder): boolean {
  return !languages || spoken.some((language) => language === UNSURE || languages.includes(language));
}

interface Measured {
  /** Whether the question may be of a language that the model knows. */
  readonly isUnderstood: boolean;
  readonly collectionIds: readonly string[];
  readonly candidates: readonly VectorCandidate[];
  readonly baseline: number;
}

/** So much is worth what a model says of a language that it has not learned. Chosen with bench/retrieval. */
const UNLEARNED = 0.5;

/**
 * To a model that has not learned a language all its texts look alike. Where it knows that of the passage or of the
 * question not, only what is nearer than other candidates of the same language counts, and that by half: so the words,
 * which know every language, are not outvoted.
 */
async function similarityByLanguage(
  { languages: learned }: Embedder,
  { isUnderstood, collectionIds, candidates, baseline }: Measured,
  passages: Pick<PassageIndex, 'languages' | 'languagesOf'>,
): Promise<(candidate: VectorCandidate) => number> {
  const usual = ({ cosine }: VectorCandidate) => similarityOf(cosine, baseline);
  const isLearned = (language: string) => language === UNSURE || (learned?.includes(language) ?? true);
  const there = learned ? await passages.languages(collectionIds) : [];
  if (isUnderstood && there.every(isLearned)) return usual;
  const languages = await passages.languagesOf(candidates.map(({ passageId }) => passageId));
  const languageOf = ({ passageId }: VectorCandidate) => languages.get(passageId) ?? UNSURE;
  const baselines = meanCosines(candidates, languageOf);
  return (candidate) => {
    const language = languageOf(candidate);
    if (isUnderstood && isLearned(language)) return usual(candidate);
    return UNLEARNED * similarityOf(candidate.cosine, Math.max(baseline, baselines.get(language) ?? 0));
  };
}

function meanCosines(
  candidates: readonly VectorCandidate[],
  languageOf: (candidate: VectorCandidate) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, { readonly sum: number; readonly count: number }>();
  for (const candidate of candidates) {
    const { sum, count } = sums.get(languageOf(candidate)) ?? { sum: 0, count: 0 };
    sums.set(languageOf(candidate), { sum: sum + candidate.cosine, count: count + 1 });
  }
  return new Map([...sums].map(([language, { sum, count }]) => [language, sum / count]));
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
