import { allowed, denied, editingRule } from './access-rules.js';
import type { Person, Verdict } from './core/access.js';
import type { Collection } from './core/collection.js';

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
