import type { Person, Verdict } from '../core/access/access.js';
import { type Collection, isExternalId } from '../core/knowledge/collection.js';
import type { CollectionStore } from '../core/knowledge/stores.js';
import { allowed, denied, editingRule } from './rules.js';

/** Its owner, its organisation when it is shared, and who administers that. */
export function maySeeCollection(person: Person, collection: Collection): Verdict {
  const rule = editingRule(person, collection);
  if (rule !== undefined) return allowed(rule);
  if (collection.isShared && collection.organizationId === person.organizationId)
    return allowed('published_organization');
  return denied('neither its owner nor shared in their organisation');
}

export function mayEditCollection(person: Person, collection: Collection): Verdict {
  const rule = editingRule(person, collection);
  return rule === undefined
    ? denied('Only its owner and administrators may change this knowledge base.')
    : allowed(rule);
}

/**
 * The collection that an assistant's author means by an id: ours, or the one that their organisation's server gave it.
 * Nothing but what is registered here, and each under one spelling. Whether they may use it is another question.
 */
export async function meantCollection(
  id: string,
  { organizationId }: { readonly organizationId: number },
  collections: Pick<CollectionStore, 'get' | 'onServer'>,
): Promise<Collection | undefined> {
  const ours = await collections.get(id);
  const own = ours?.organizationId === organizationId ? ours : undefined;
  const meant =
    own ?? (isExternalId(id) ? await collections.onServer(organizationId, id) : undefined) ?? ours;
  if (meant?.place === 'server' && !isExternalId(meant.externalId ?? '')) return undefined;
  return meant;
}
