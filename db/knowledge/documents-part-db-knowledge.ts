import type { Knex } from 'knex';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { createDocumentWork } from './document-queue.js';
import { createDocumentShelf } from './documents.js';
import { createEditionWriting } from './edition-writing.js';
import { createEditions } from './editions.js';
import { createPassagesOfDocument } from './passages-of-document.js';
import { createSweeping } from './sweep.js';

export function createDocumentStore(db: Knex): DocumentStore {
  return {
    ...createDocumentShelf(db),
    ...createDocumentWork(db),
    ...createEditions(db),
    ...createEditionWriting(db),
    ...createSweeping(db),
    ...createPassagesOfDocument(db),
  };
}
