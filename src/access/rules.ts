import type { AllowingRule, DenyingRule, Person, Verdict } from '../core/access/access.js';

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
