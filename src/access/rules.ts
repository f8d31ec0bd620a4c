import type { AllowingRule, DenyingRule, Person, Verdict } from '../core/access/access.js';
import { type Collection, isExternalId } from '../core/knowledge/collection.js';
import type { CollectionStore } from '../core/knowledge/stores.js';
import type { StoredRubric } from '../core/rubrics/rubric.js';

/** What the rules for every kind of resource are made of. */

interface Owned {
  readonly ownerId: number;
  readonly organizationId: number;
}

export const allowed = (rule: AllowingRule): Verdict => ({ allowed: true, rule });

export const denied = (reason: string, rule: DenyingRule = 'none'): Verdict => ({
  allowed: false,
  rule,
  reason,
});

/** The owner, and who administers the organisation it is in or all of them. */
export function editingRule(person: Person, { ownerId, organizationId }: Owned): AllowingRule | undefined {
  if (person.userId === ownerId) return 'owner';
  if (person.role === 'system_admin') return 'system_admin';
  const administers = person.role === 'org_admin' && person.organizationId === organizationId;
  return administers ? 'organization_admin' : undefined;
}

/** Its owner, its organisation when it is public, and who administers that. */
export function maySeeRubric(person: Person, rubric: StoredRubric): Verdict {
  const rule = editingRule(person, rubric);
  if (rule !== undefined) return allowed(rule);
  if (rubric.isPublic && rubric.organizationId === person.organizationId)
    return allowed('published_organization');
  return denied('neither its owner nor public in their organisation');
}

export function mayEditRubric(person: Person, rubric: StoredRubric): Verdict {
  const rule = editingRule(person, rubric);
  return rule === undefined
    ? denied('Only its owner and administrators may change this rubric.')
    : allowed(rule);
}

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
