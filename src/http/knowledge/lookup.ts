import type { AccessPolicy } from '../../core/access/access.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { conflict, forbidden, notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { Stores } from '../../core/stores.js';

/** Finds collections for routes. What a caller may not read does not exist for them; that they tried is kept. */
export interface CollectionLookup {
  toSee(id: string, caller: Caller, action: string): Promise<Collection>;
  toEdit(id: string, caller: Caller, action: string): Promise<Collection>;
  /** Students read what is shared with them, and make nothing. */
  mustBeAuthor(caller: Caller, action: string): Promise<void>;
  /** What lies on the organisation's server is its administrators' to hand out. */
  mustAdminister(caller: Caller, action: string): Promise<void>;
}

export type CollectionLookupDeps = Pick<Stores, 'collections' | 'audit'> & { readonly policy: AccessPolicy };

export function createCollectionLookup({
  collections,
  audit,
  policy,
}: CollectionLookupDeps): CollectionLookup {
  const deny = (caller: Caller, id: string, action: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource: `collection ${id}`, reason }));

  const toSee = async (id: string, caller: Caller, action: string): Promise<Collection> => {
    const collection = await collections.get(id);
    if (!collection) throw notFound('The collection');
    const verdict = policy.maySeeCollection(caller, collection);
    if (verdict.allowed) return collection;
    await deny(caller, collection.id, action, verdict.reason);
    throw notFound('The collection');
  };

  return {
    toSee,
    async toEdit(id, caller, action) {
      const collection = await toSee(id, caller, action);
      const verdict = policy.mayEditCollection(caller, collection);
      if (verdict.allowed) return collection;
      await deny(caller, collection.id, action, verdict.reason);
      throw forbidden(verdict.reason);
    },
    async mustBeAuthor(caller, action) {
      if (caller.role !== 'student') return;
      await audit.record(denialOf(caller, { action, resource: 'collection', reason: 'a student' }));
      throw forbidden('Students cannot make knowledge bases or add to them.');
    },
    async mustAdminister(caller, action) {
      if (caller.role === 'org_admin' || caller.role === 'system_admin') return;
      await audit.record(denialOf(caller, { action, resource: 'collection', reason: 'no administrator' }));
      throw forbidden(
        'Only an administrator can register a collection of the knowledge base server. Ask one to register and share it.',
      );
    },
  };
}

/** What is on another server is looked after there. */
export function mustBeHere({ place }: Collection): void {
  if (place === 'here') return;
  throw conflict(
    'This collection is on the knowledge base server of its organisation: its documents are looked after there.',
  );
}

/** A document of one of the collections that are here. */
export async function findDocument(
  documents: Pick<Stores['documents'], 'get'>,
  collection: Collection,
  id: string,
): Promise<KnowledgeDocument> {
  mustBeHere(collection);
  const document = await documents.get(collection.id, id);
  if (!document) throw notFound('The document');
  return document;
}
