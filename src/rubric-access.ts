import type { Verdict } from './core/access.js';
import type { Role } from './core/caller.js';
import type { StoredRubric } from './core/rubric.js';

interface Person {
  readonly userId: number;
  readonly organizationId: number;
  readonly role: Role;
}

const ALLOWED: Verdict = { allowed: true };

/** Its owner, its organisation when it is public, and who administers that. */
export function maySeeRubric(person: Person, rubric: StoredRubric): Verdict {
  if (mayEditRubric(person, rubric).allowed) return ALLOWED;
  if (rubric.isPublic && rubric.organizationId === person.organizationId) return ALLOWED;
  return { allowed: false, reason: 'neither its owner nor public in their organisation' };
}

export function mayEditRubric({ userId, organizationId, role }: Person, rubric: StoredRubric): Verdict {
  const administers =
    role === 'system_admin' || (role === 'org_admin' && organizationId === rubric.organizationId);
  if (administers || rubric.ownerId === userId) return ALLOWED;
  return { allowed: false, reason: 'Only its owner and administrators may change this rubric.' };
}
