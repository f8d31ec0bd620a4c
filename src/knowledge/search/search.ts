import type { Collection } from '../../core/knowledge/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../../core/knowledge/embedder.js';
import type { StoredPassage, StoredSection, TermGroup } from '../../core/knowledge/passage.js';
import type { DocumentStore, PassageIndex } from '../../core/knowledge/stores.js';
import { likelyLanguages } from '../analysis/detect-language.js';
import { findByWords } from './bm25.js';
import { createNovelty, fuse, type Fused } from './fuse.js';
import { fits } from './fit.js';
import { findByVectors, type VectorDeps } from './vectors.js';

export interface SearchDeps extends VectorDeps {
  readonly passages: PassageIndex;
  readonly documents: Pick<DocumentStore, 'sections'>;
  /** The words of a question in the forms they have in texts of these languages. */
  readonly analyse: (
    question: string,
    languages: readonly string[],
    before: readonly string[],
  ) => readonly TermGroup[];
  /** A link that shows the passage. */
  readonly linkTo?: (passage: StoredPassage) => string | undefined;
}

export interface Findings {
  readonly passages: readonly FoundPassage[];
  /** The model whose vectors helped to find them; undefined when words alone did. */
  readonly embeddings: string | undefined;
  /** There were passages, and none that has to do with the question: they are left out. */
  readonly nothingFits?: boolean | undefined;
}

/** Looks in collections that are here. What may be looked in is decided before. */
export type Search = (
  collections: readonly Pick<Collection, 'id' | 'organizationId'>[],
  question: KnowledgeQuestion,
) => Promise<Findings>;

/** Of each way of looking as many count. */
const LISTED = 100;
const LONGEST_QUERY = 4_000;
/** So many questions before the last are looked at for what it leaves unsaid. */
const MOST_BEFORE = 3;

export function createSearch(deps: SearchDeps): Search {
  return async (collections, question) => {
    const { signal, topK, threshold, tags, keepWeak = threshold > 0 } = question;
    signal.throwIfAborted();
    const query = question.query.trim().slice(0, LONGEST_QUERY);
    if (query === '' || collections.length === 0) return { passages: [], embeddings: undefined };

    const collectionIds = collections.map(({ id }) => id);
    const before = (question.before ?? []).slice(-MOST_BEFORE).map((text) => text.slice(0, LONGEST_QUERY));
    const most = Math.max(LISTED, topK);
    const written = deps.passages.languages(collectionIds);
    const analysed = written.then((languages) => deps.analyse(query, languages, before));
    const spoken = async () => likelyLanguages(query, await written);
    const byVectors = async () => {
      const leans = before.length > 0 && (await analysed).some(({ isTopic }) => isTopic);
      const topic = leans ? before.at(-1) : undefined;
      return findByVectors({ collections, query, topic, spoken, most, tags, signal }, deps);
    };
    const [{ ranked: lexical, fit }, { ranked: vector, model, nearest }] = await Promise.all([
      analysed.then((groups) => findByWords({ collectionIds, groups, most, tags }, deps.passages)),
      byVectors(),
    ]);
    signal.throwIfAborted();
    if (!keepWeak && !fits(fit, nearest)) {
      const isLeftOut = lexical.length > 0 || vector.length > 0;
      return { passages: [], embeddings: model, ...(isLeftOut ? { nothingFits: true } : {}) };
    }
    const fused = fuse({ lexical, vector }).filter(({ similarity }) => similarity >= threshold);
    return { passages: await present(fused, question, deps), embeddings: model };
  };
}

interface Kept {
  readonly stored: StoredPassage;
  readonly fused: Fused;
}

async function present(
  fused: readonly Fused[],
  { topK, parentContext = false, signal }: KnowledgeQuestion,
  deps: SearchDeps,
): Promise<readonly FoundPassage[]> {
  const kept = await firstNovel(fused, { topK, oncePerSection: parentContext, signal }, deps.passages);
  const parents = parentContext ? await parentTexts(kept, deps.documents) : undefined;
  return kept.map(({ stored, fused: { similarity, reasons } }) => {
    const parent = parents?.get(stored.id);
    const url = deps.linkTo?.(stored) ?? stored.sourceUrl;
    return {
      similarity,
      data: stored.text,
      metadata: { ...metadataOf(stored), ...(parent === undefined ? {} : { parent_text: parent }) },
      reasons,
      ...(url === undefined ? {} : { url }),
    };
  });
}

/** Reads on until there are enough that say something of their own, or there is nothing left to read. */
async function firstNovel(
  fused: readonly Fused[],
  wanted: { readonly topK: number; readonly oncePerSection: boolean; readonly signal: AbortSignal },
  passages: Pick<PassageIndex, 'read'>,
): Promise<readonly Kept[]> {
  const { topK, signal } = wanted;
  const isNovel = createNovelty(wanted);
  const kept: Kept[] = [];
  for (let from = 0, size = topK + 5; from < fused.length && kept.length < topK; from += size) {
    const byId = new Map(fused.slice(from, from + size).map((one) => [one.passageId, one]));
    for (const stored of await passages.read([...byId.keys()])) {
      const one = byId.get(stored.id);
      if (one && kept.length < topK && isNovel(stored)) kept.push({ stored, fused: one });
    }
    signal.throwIfAborted();
  }
  return kept;
}

function metadataOf(stored: StoredPassage): FoundPassage['metadata'] {
  const { page, pageEnd, section, sourceUrl } = stored;
  return {
    filename: stored.filename,
    ...(page === undefined ? {} : { page }),
    ...(pageEnd === undefined || pageEnd === page ? {} : { page_end: pageEnd }),
    ...(section === '' ? {} : { section }),
    chunk_index: stored.position,
    ...originIn(stored),
    ...(sourceUrl === undefined ? {} : { source_url: sourceUrl }),
    collection_id: stored.collectionId,
    document_id: stored.documentId,
    start: stored.start,
    end: stored.end,
    ...(stored.original === undefined ? {} : { corrected: true as const }),
    ...(stored.isPinned ? { pinned: true as const } : {}),
  };
}

function originIn({ origin }: StoredPassage): Pick<FoundPassage['metadata'], 'recognised' | 'described'> {
  if (origin === undefined) return {};
  return origin === 'recognised' ? { recognised: true } : { described: true };
}

/** A section may be a whole book: so much around the passage has to do. */
const LONGEST = 8_000;

/** The section each passage lies in, by the passage's id. */
async function parentTexts(
  kept: readonly { readonly stored: StoredPassage }[],
  documents: Pick<DocumentStore, 'sections'>,
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(kept.map(({ stored }) => stored.sectionId))];
  const sections = new Map((await documents.sections(ids)).map((section) => [section.id, section]));
  return new Map(
    kept.flatMap(({ stored }) => {
      const section = sections.get(stored.sectionId);
      return section ? [[stored.id, around(stored, section)] as const] : [];
    }),
  );
}

function around({ start, end }: StoredPassage, section: StoredSection): string {
  const text = section.edited ?? section.text;
  if (text.length <= LONGEST) return text;
  const middle = (start + end) / 2 - section.start;
  const latest = text.length - LONGEST;
  const from = Math.round(Math.min(Math.max(0, middle - LONGEST / 2), latest));
  const cut = text.slice(from, from + LONGEST).replace(/^\p{Cs}|\p{Cs}$/gu, '');
  return `${from > 0 ? '… ' : ''}${cut}${from < latest ? ' …' : ''}`;
}
