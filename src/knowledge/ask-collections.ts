import type { AskKbServer } from '../clients/kb-server.js';
import { notConfigured } from '../core/errors.js';
import type { Collection } from '../core/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge.js';
import { safeLabel } from '../core/label.js';
import type { Settings } from '../core/run-context.js';
import { mergeBySimilarity } from './search/merge.js';
import type { Findings, Search } from './search/search.js';

/** A collection as far as asking it goes. */
export type AskedCollection = Pick<Collection, 'id' | 'name' | 'organizationId' | 'place'>;

/** Asks collections wherever they are, all at the same time; whoever calls has seen to it that they may be asked. */
export type AskCollections = (
  collections: readonly AskedCollection[],
  question: KnowledgeQuestion,
) => Promise<Findings>;

export interface AskingDeps {
  readonly search: Search;
  readonly askServer: AskKbServer;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

export function createAskCollections(deps: AskingDeps): AskCollections {
  return async (collections, question) => {
    const here = collections.filter(({ place }) => place === 'here');
    const elsewhere = collections.filter(({ place }) => place === 'server');
    const [found, ...more] = await Promise.all([
      here.length === 0 ? NOTHING : deps.search(here, question),
      ...elsewhere.map((collection) => askOnServer(collection, question, deps)),
    ]);
    const passages = mergeBySimilarity([found.passages, ...more], question.topK);
    return { passages, embeddings: found.embeddings };
  };
}

const NOTHING: Findings = { passages: [], embeddings: undefined };

/** A collection lies on the server of its own organisation, whoever asks. */
async function askOnServer(
  collection: AskedCollection,
  question: KnowledgeQuestion,
  { askServer, settingsOf }: AskingDeps,
): Promise<readonly FoundPassage[]> {
  const { knowledgeServer } = await settingsOf(collection.organizationId);
  if (!knowledgeServer)
    throw notConfigured(`The server of the knowledge base "${safeLabel(collection.name)}"`);
  if (question.query.trim() === '') return [];
  return await askServer(knowledgeServer, collection, question);
}
