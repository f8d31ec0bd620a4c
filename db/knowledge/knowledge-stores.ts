import type { Knex } from 'knex';
import type { Stores } from '../../src/core/stores.js';

type KnowledgeStores = Pick<Stores, 'collections' | 'documents' | 'documentFiles' | 'passages' | 'vectors'>;

/** Everything a knowledge base is made of. */
export function createKnowledgeStores(
  _db: Knex,
  _options: { readonly documentsFolder: string },
): KnowledgeStores {
  return { collections: { get: () => Promise.resolve(undefined) } } as unknown as KnowledgeStores;
}
