import type { Stores } from '../../src/core/stores.js';
import { createRemember } from './cache.js';
import type { Changes } from './table-versions.js';

/** The same stores, with what every chat asks of them in memory. */
export function rememberingStores(stores: Stores, changes: Changes): Stores {
  const remember = createRemember(changes);
  const { organizations, users, credentials, assistants, rubrics, collections } = stores;
  const { activities, participants, budgets, links } = stores;

  const holderOf = remember(CREDENTIALS, (hash: string) => credentials.callerOf(hash, EVER));
  const consentsOf = remember(['lti_consents'], (pair: string) => {
    const [activityId, userId] = pair.split(' ').map(Number) as [number, number];
    return participants.consentOf(activityId, userId);
  });
  const onServer = remember(['collections', 'users'], (place: string) => {
    const [organization, externalId = ''] = place.split(/ (.*)/s);
    return collections.onServer(Number(organization), externalId);
  });
  const sharesOf = remember(['assistant_shares'], async (pair: string) => {
    const [id, userId] = pair.split(' ').map(Number) as [number, number];
    return (await assistants.isSharedWith(id, userId)) ? true : undefined;
  });
  const placed = remember(['budgets'], (_all: 'all') => budgets.byPlace());
  return {
    ...stores,
    // New ones count as changes, too: that there was none is kept as well.
    budgets: { ...budgets, byPlace: async () => (await placed('all')) ?? new Map() },
    organizations: { ...organizations, withConfig: remember(['organizations'], organizations.withConfig) },
    users: { ...users, byId: remember(['users'], users.byId) },
    credentials: {
      ...credentials,
      async callerOf(hash, now) {
        const holder = await holderOf(hash);
        return holder && (holder.expiresAt === null || holder.expiresAt > now) ? holder : undefined;
      },
    },
    assistants: {
      ...assistants,
      // The owner's e-mail is part of it.
      get: remember(['assistants', 'users'], assistants.get),
      isSharedWith: async (id, userId) => (await sharesOf(`${String(id)} ${String(userId)}`)) ?? false,
    },
    links: { ...links, get: remember(['assistant_links'], links.get) },
    rubrics: { ...rubrics, get: remember(['rubrics', 'users'], rubrics.get) },
    collections: {
      ...collections,
      get: remember(['collections', 'users'], collections.get),
      onServer: (organizationId, externalId) => onServer(`${String(organizationId)} ${externalId}`),
    },
    activities: { ...activities, get: remember(ACTIVITIES, activities.get) },
    participants: {
      ...participants,
      consentOf: (activityId, userId) => consentsOf(`${String(activityId)} ${String(userId)}`),
    },
  };
}

/** A visit is also a credential, as long as its platform is switched on, or the link is there that it came by. */
const CREDENTIALS = [
  ...(['api_keys', 'sessions', 'oauth_grants', 'users'] as const),
  ...(['lti_sessions', 'lti_people', 'lti_platforms'] as const),
  ...(['link_visits', 'assistant_links'] as const),
] as const;
const ACTIVITIES = ['lti_activities', 'lti_activity_assistants', 'lti_platforms'] as const;

/** Sorts before every time: the cache keeps expired credentials too, and their end is judged when they are used. */
const EVER = '';
