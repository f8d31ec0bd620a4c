import { governs, isAdministrator, overseesOrganization } from '../../access/administrators.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { type AppError, forbidden, notFound } from '../../core/errors.js';
import type { Organization, Stores, User } from '../../core/stores.js';

/** What somebody set out to do, for the books. */
export interface Deed {
  readonly caller: Caller;
  readonly action: string;
}

/** The desk every administrative route passes: what is refused here is on the books. */
export interface Administration {
  refuse(
    deed: Deed,
    facts: { readonly resource: string; readonly reason: string },
    error: AppError,
  ): Promise<never>;
  mustAdminister(deed: Deed): Promise<void>;
  /** One that the caller oversees; any other is not there for them. */
  organization(id: number, deed: Deed): Promise<Organization>;
  /** Somebody of an organisation that the caller oversees. */
  userToSee(id: number, deed: Deed): Promise<User>;
  userToChange(id: number, deed: Deed): Promise<User>;
}

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'>;

export function createAdministration({ audit, organizations, users }: Deps): Administration {
  const refuse: Administration['refuse'] = async ({ caller, action }, facts, error) => {
    await audit.record(denialOf(caller, { action, ...facts }));
    throw error;
  };

  const mustAdminister = async (deed: Deed): Promise<void> => {
    if (isAdministrator(deed.caller)) return;
    const facts = { resource: 'administration', reason: 'no administrator' };
    await refuse(deed, facts, forbidden('Only administrators may do this.'));
  };

  const userToSee = async (id: number, deed: Deed): Promise<User> => {
    await mustAdminister(deed);
    const user = await users.byId(id);
    if (!user) throw notFound('The user');
    if (overseesOrganization(deed.caller, user.organizationId)) return user;
    const facts = { resource: `user ${String(id)}`, reason: 'of another organisation' };
    return refuse(deed, facts, notFound('The user'));
  };

  return {
    refuse,
    mustAdminister,
    userToSee,
    async organization(id, deed) {
      await mustAdminister(deed);
      const organization = await organizations.byId(id);
      if (!organization) throw notFound('The organisation');
      if (overseesOrganization(deed.caller, id)) return organization;
      const facts = { resource: `organisation ${String(id)}`, reason: 'another organisation' };
      return refuse(deed, facts, notFound('The organisation'));
    },
    async userToChange(id, deed) {
      const user = await userToSee(id, deed);
      if (governs(deed.caller, user)) return user;
      const facts = { resource: `user ${String(id)}`, reason: 'a system administrator' };
      return refuse(deed, facts, forbidden('Only system administrators may change one of their own.'));
    },
  };
}
