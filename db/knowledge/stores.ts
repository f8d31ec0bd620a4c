import { join } from 'node:path';
import type { Knex } from 'knex';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import type { Stores } from '../../src/core/stores.js';
import type { OpenBlobs } from '../blobs/open.js';
import { createCollectionStore } from '../stores/collections.js';
import { createDocumentChanges } from './decisions/document-changes.js';
import { createDocumentFiles } from './document-files.js';
import { createDocumentWork } from './document-queue.js';
import { createDocumentRecords } from './documents.js';
import { createEditionWriting } from './edition-writing.js';
import { createEditions } from './editions.js';
import { createPassageDecisions } from './decisions/passage-decisions.js';
import { createPassageIndex, createPassagesOfDocument } from './passages.js';
import { createSourceStore } from './sources/store.js';
import { createSweeping } from './sweep.js';
import { createTestQuestionStore, createVainQuestionStore } from './questions.js';
import { createVectorStore } from './vectors/store.js';

type KnowledgeStores = Pick<
  Stores,
  | 'collections'
  | 'documents'
  | 'documentFiles'
  | 'passages'
  | 'sources'
  | 'vectors'
  | 'testQuestions'
  | 'vainQuestions'
>;

interface KnowledgeOptions {
  readonly documentsFolder: string;
  readonly openBlobs: OpenBlobs;
  /** What searches read by. */
  readonly reader: Knex;
}

/** Everything a knowledge base is made of. */
export function createKnowledgeStores(
  db: Knex,
  { documentsFolder, openBlobs, reader }: KnowledgeOptions,
): KnowledgeStores {
  const incoming = join(documentsFolder, 'incoming');
  const originals = openBlobs('documents', { folder: documentsFolder, incoming });
  return {
    collections: createCollectionStore(db),
    documents: createDocumentStore(db),
    documentFiles: createDocumentFiles(originals, incoming),
    passages: createPassageIndex(reader),
    sources: createSourceStore(db),
    vectors: createVectorStore(db),
    testQuestions: createTestQuestionStore(db),
    vainQuestions: createVainQuestionStore(db),
  };
}

function createDocumentStore(db: Knex): DocumentStore {
  const passages = createPassagesOfDocument(db);
  return {
    ...createDocumentRecords(db),
    ...createDocumentChanges(db),
    ...createDocumentWork(db),
    ...createEditions(db),
    ...createEditionWriting(db),
    ...createSweeping(db),
    ...passages,
    ...createPassageDecisions(db, passages.passage),
  };
}
