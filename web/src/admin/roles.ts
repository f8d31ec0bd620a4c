import type { User } from '../../../src/http/contract/admin.ts';

type Somebody = Pick<User, 'role'> | undefined;

export const isAdministrator = (user: Somebody): boolean =>
  user?.role === 'org_admin' || user?.role === 'system_admin';

/** Of the whole, and not of one organisation alone. */
export const isSystemAdministrator = (user: Somebody): boolean => user?.role === 'system_admin';

/** Students come from their learning platform, and are given no other role here. */
export const GIVEN_ROLES = ['creator', 'org_admin', 'system_admin'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];
