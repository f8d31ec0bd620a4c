import type { AskKbServer } from '../clients/kb-server.js';
import { notConfigured } from '../core/errors.js';
import type { Collection } from '../core/knowledge/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge/embedder.js';
import { safeLabel } from '../core/base/text.js';
import type { Settings } from '../core/runs/run-context.js';
import { mergeBySimilarity } from './search/merge.js';
import type { Findings, Search } from './search/search.js';

/** A collection as far as asking it goes. */
export type AskedCollection = Pick<Collection, 'id' | 'name' | 'organizationId' | 'place' | 'externalId'>;

export interface SharedFindings extends Findings {
  /** Those that brought nothing because they could not be asked. */
  readonly failed: readonly { readonly collection: AskedCollection; readonly fault: unknown }[];
}

/**
 * Asks collections wherever they are, all at the same time and independently of each other; whoever calls has seen to it
 * that they may be asked.
 */
export type AskCollections = (
  collections: readonly AskedCollection[],
  question: KnowledgeQuestion,
) => Promise<SharedFindings>;

export interface AskingDeps {
  readonly search: Search;
  readonly askServer: AskKbServer;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

export function createAskCollections(deps: AskingDeps): AskCollections {
  return async (collections, question) => {
    const here = collections.filter(({ place }) => place === 'here');
    const elsewhere = collections.filter(({ place }) => place === 'server');
    // Those here are one search: their words are weighed against each other.
    const asking = [
      ...(here.length === 0 ? [] : [{ of: here, found: deps.search(here, question) }]),
      ...elsewhere.map((collection) => ({
        of: [collection],
        found: askOnServer(collection, question, deps),
      })),
    ];
    const settled = await Promise.allSettled(asking.map(({ found }) => found));
    question.signal.throwIfAborted();
    const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = settled.flatMap((one, i) =>
      one.status === 'fulfilled'
        ? []
        : (asking[i]?.of ?? []).map((collection) => ({ collection, fault: one.reason as unknown })),
    );
    return {
      passages: mergeBySimilarity(
        found.map(({ passages }) => passages),
        question.topK,
      ),
      embeddings: found.find(({ embeddings }) => embeddings !== undefined)?.embeddings,
      failed,
    };
  };
}

/** A collection lies on the server of its own organisation, whoever asks. */
async function askOnServer(
  { id, name, externalId, organizationId }: AskedCollection,
  question: KnowledgeQuestion,
  { askServer, settingsOf }: AskingDeps,
): Promise<Findings> {
  const { knowledgeServer } = await settingsOf(organizationId);
  if (!knowledgeServer) throw notConfigured(`The server of the knowledge base "${safeLabel(name)}"`);
  const isAsked = question.query.trim() !== '';
  const collection = { id, name, externalId: externalId ?? '' };
  const passages: readonly FoundPassage[] = isAsked
    ? await askServer(knowledgeServer, collection, question)
    : [];
  return { passages, embeddings: undefined };
}
