import { isAdministrator, overseesOrganization } from '../access/administrators.js';
import type { Caller } from '../core/access/caller.js';
import type { Budget, BudgetScope, BudgetScopeType } from '../core/budgets/budget.js';
import { notFound } from '../core/errors.js';
import type { Stores } from '../core/stores.js';

/** What a budget is for, as it is known here. */
export interface KnownScope {
  readonly scope: BudgetScope;
  readonly organizationId: number;
  /** For people. */
  readonly name: string;
}

export interface WantedScope {
  readonly type: BudgetScopeType;
  /** A person may be named by their e-mail. */
  readonly id: number | string;
  readonly each: boolean;
}

type Deps = Pick<Stores, 'organizations' | 'activities' | 'users' | 'credentials' | 'assistants'>;
type Found = Omit<KnownScope, 'scope'> & { readonly id: number };
type Find = (id: number | string) => Promise<Found | undefined>;

/** Finds what a budget is to be for. What the caller does not look after is not there. */
export function createBudgetScopes(stores: Deps) {
  const finders: Readonly<Record<BudgetScopeType, Find>> = {
    async organization(id) {
      const found = await stores.organizations.byId(Number(id));
      return found && { id: found.id, organizationId: found.id, name: found.name };
    },
    async course(id) {
      const found = await stores.activities.course(Number(id));
      return found && { ...found, name: found.title };
    },
    async activity(id) {
      const found = await stores.activities.get(Number(id));
      return found && { ...found, name: found.title };
    },
    async user(id) {
      const found = await (typeof id === 'string' ? stores.users.byEmail(id) : stores.users.byId(id));
      return found && { ...found, name: found.name };
    },
    async api_key(id) {
      const holder = await stores.credentials.keyHolder(Number(id));
      const user = holder === undefined ? undefined : await stores.users.byId(holder);
      return user && { id: Number(id), organizationId: user.organizationId, name: user.name };
    },
    async assistant(id) {
      const found = await stores.assistants.get(Number(id));
      return found && { id: found.id, organizationId: found.organizationId, name: found.name };
    },
  };

  const find = async ({ type, id, each }: WantedScope): Promise<KnownScope | undefined> => {
    const found = await finders[type](id);
    return (
      found && { scope: { type, id: found.id, each }, organizationId: found.organizationId, name: found.name }
    );
  };

  return {
    nameOf: async ({ scope }: Budget): Promise<string> => (await find(scope))?.name ?? '',
    async toManage(wanted: WantedScope, caller: Caller): Promise<KnownScope> {
      const found = await find(wanted);
      if (!found || !mayManage(caller, found)) throw notFound(`The ${WORDS[wanted.type]}`);
      return found;
    },
  };
}

/** Administrators look after all of their organisation; an instructor after the activity they have come to. */
export function mayManage(
  caller: Caller,
  { scope, organizationId }: Pick<Budget, 'scope' | 'organizationId'>,
): boolean {
  if (caller.launch) {
    const { role, activityId } = caller.launch;
    return role === 'instructor' && scope.type === 'activity' && scope.id === activityId;
  }
  return isAdministrator(caller) && overseesOrganization(caller, organizationId);
}

const WORDS: Readonly<Record<BudgetScopeType, string>> = {
  organization: 'organisation',
  course: 'course',
  activity: 'activity',
  user: 'user',
  api_key: 'key',
  assistant: 'assistant',
};
