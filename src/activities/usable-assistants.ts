import type { AccessPolicy, Person } from '../core/access/access.js';
import type { Assistant } from '../core/assistants/assistant.js';
import type { Caller } from '../core/access/caller.js';
import type { Activity, PlacedAssistant } from '../core/lti/activity.js';
import type { Stores } from '../core/stores.js';

interface Deps extends Pick<Stores, 'ltiPeople' | 'users'> {
  readonly policy: AccessPolicy;
}

/** What somebody may place in an activity, and what is there by whose right. */
export interface UsableAssistants {
  /** Themselves; of somebody whom a launch brought, their account here and the one they have proved to be theirs. */
  accountsOf(caller: Caller): Promise<readonly [Person, ...Person[]]>;
  /** The first of these accounts that may use it. */
  whoMayUse(assistant: Assistant, accounts: readonly Person[]): Promise<Person | undefined>;
  /** Whether those who come to the activity can use it now. */
  isLent(activity: Activity, placed: PlacedAssistant, assistant: Assistant): Promise<boolean>;
}

export function createUsableAssistants({ ltiPeople, users, policy }: Deps): UsableAssistants {
  return {
    async accountsOf(caller) {
      const { userId, organizationId, role, launch } = caller;
      if (!launch) return [caller];
      // Without the launch: what the activity lends them is not theirs to lend on.
      const own = { userId, organizationId, role };
      const linkedId = (await ltiPeople.byUser(userId))?.linkedUserId ?? undefined;
      const linked = linkedId === undefined ? undefined : await users.byId(linkedId);
      if (!linked?.enabled || linked.organizationId !== organizationId) return [own];
      return [own, { userId: linked.id, organizationId, role: linked.role }];
    },

    async whoMayUse(assistant, accounts) {
      for (const account of accounts) {
        if ((await policy.mayRun(account, assistant)).allowed) return account;
      }
      return undefined;
    },

    async isLent({ id, organizationId, platformId }, { addedBy }, assistant) {
      const launch = { sessionId: '', platformId, activityId: id, role: 'instructor' as const };
      const whoever = { userId: addedBy, organizationId, role: 'student' as const, launch };
      return (await policy.mayRun(whoever, assistant)).allowed;
    },
  };
}
