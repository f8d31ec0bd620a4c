import type { Caller } from '../core/access/caller.js';
import type { User } from '../core/stores.js';

/** Who looks after whom. Administrators of an organisation have its people; only those of the whole have everybody. */

export function isAdministrator({ role }: Pick<Caller, 'role'>): boolean {
  return role === 'system_admin' || role === 'org_admin';
}

export function overseesOrganization(
  caller: Pick<Caller, 'role' | 'organizationId'>,
  organizationId: number,
): boolean {
  if (caller.role === 'system_admin') return true;
  return caller.role === 'org_admin' && caller.organizationId === organizationId;
}

/** An organisation's administrator administers its people, but not those who administer the whole. */
export function mayAdministerUser(caller: Caller, user: User): boolean {
  if (caller.role === 'system_admin') return true;
  return overseesOrganization(caller, user.organizationId) && user.role !== 'system_admin';
}
