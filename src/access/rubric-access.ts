import type { Person, Verdict } from '../core/access/access.js';
import type { StoredRubric } from '../core/rubrics/rubric.js';
import { allowed, denied, editingRule } from './rules.js';

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
