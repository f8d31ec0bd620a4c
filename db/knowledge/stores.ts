import type { Knex } from 'knex';
import type { Stores } from '../../src/core/stores.js';
import { createCollectionStore } from '../stores/collections.js';
import { createDocumentFiles } from './document-files.js';
import { createDocumentStore } from './documents-part-db-knowledge.js';
import { createPassageIndex } from './passages.js';
import { createVectorStore } from './vectors/store.js';

type KnowledgeStores = Pick<Stores, 'collections' | 'documents' | 'documentFiles' | 'passages' | 'vectors'>;

interface KnowledgeOptions {
  readonly documentsFolder: string;
  /** What searches read by. */
  readonly reader: Knex;
}

/** Everything a knowledge base is made of. */
export function createKnowledgeStores(
  db: Knex,
  { documentsFolder, reader }: KnowledgeOptions,
): KnowledgeStores {
  return {
    collections: createCollectionStore(db),
    documents: createDocumentStore(db),
    documentFiles: createDocumentFiles(documentsFolder),
    passages: createPassageIndex(reader),
    vectors: createVectorStore(db),
  };
}
