import type { Stores } from '../../src/core/stores.js';
import type { Changes } from './generations.js';
import { createRemember } from './shelf.js';

/** The same stores, with what every chat asks of them in memory. */
export function rememberingStores(stores: Stores, changes: Changes): Stores {
  const remember = createRemember(changes);
  const { organizations, users, credentials, assistants, rubrics, collections, runs } = stores;

  const holderOf = remember(['api_keys', 'sessions', 'users'], (hash: string) =>
    credentials.callerOf(hash, EVER),
  );
  const sharesOf = remember(['assistant_shares'], async (pair: string) => {
    const [id, userId] = pair.split(' ').map(Number) as [number, number];
    return (await assistants.isSharedWith(id, userId)) ? true : undefined;
  });
  return {
    ...stores,
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
    rubrics: { ...rubrics, get: remember(['rubrics', 'users'], rubrics.get) },
    collections: { ...collections, get: remember(['collections', 'users'], collections.get) },
    runs: {
      ...runs,
      async record(run) {
        await runs.record(run);
        // Looked at now, so that the next request need not. If it cannot be, that one will say so.
        void Promise.resolve()
          .then(() => changes.now())
          .catch(() => undefined);
      },
    },
  };
}

/** Before any credential's end: whether it has come is judged when it is used. */
const EVER = '';
