import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { aUser, content } from '../fixtures.js';

export const NOW = '2026-06-01T12:00:00.000Z';
export const EARLIER = '2026-06-01T11:59:59.999Z';
export const LATER = '2999-01-01T00:00:00.000Z';

/** One of everything that is remembered. */
export interface Scene {
  readonly owner: User;
  readonly guest: User;
  readonly assistantId: number;
  readonly rubricId: string;
  readonly collectionId: string;
  readonly keyHash: string;
  readonly sessionHash: string;
}

export async function setScene(stores: Stores): Promise<Scene> {
  const [owner, guest] = [await aUser(stores), await aUser(stores)];
  const { id: assistantId } = await stores.assistants.create(owner, content());
  await stores.assistants.share(assistantId, guest.id, owner.id);
  const rubric = { title: 'Essay', description: '', data: { levels: [{ score: 1 }] }, isPublic: false };
  const { id: rubricId } = await stores.rubrics.create(owner, rubric);
  const shelf = { name: 'Cells', description: '', isShared: false };
  const { id: collectionId } = await stores.collections.create(owner, shelf);
  const [keyHash, sessionHash] = [randomUUID(), randomUUID()];
  const key = { userId: owner.id, name: 'Laptop', prefix: 'bw_1', hash: keyHash, trustedProxy: false };
  await stores.credentials.addKey({ ...key, expiresAt: LATER });
  await stores.credentials.addSession({ userId: owner.id, hash: sessionHash, expiresAt: LATER });
  return { owner, guest, assistantId, rubricId, collectionId, keyHash, sessionHash };
}

export type Change = (db: Knex, scene: Scene) => PromiseLike<unknown>;

export interface RememberedRead {
  readonly name: string;
  readonly read: (stores: Stores, scene: Scene) => Promise<unknown>;
  /** Whatever makes another answer of it. */
  readonly changes: Readonly<Record<string, Change>>;
}

const anotherEmail: Change = (db, { owner }) =>
  db('users')
    .where('id', owner.id)
    .update({ email: `${randomUUID()}@example.org` });
const accountOff: Change = (db, { owner }) => db('users').where('id', owner.id).update({ enabled: false });

export const READS: readonly RememberedRead[] = [
  {
    name: 'an assistant',
    read: ({ assistants }, { assistantId }) => assistants.get(assistantId),
    changes: {
      'its prompt is edited': (db, { assistantId }) =>
        db('assistants').where('id', assistantId).update({ system_prompt: 'Other words.' }),
      "its owner's e-mail changes": anotherEmail,
      'it is deleted': (db, { assistantId }) => db('assistants').where('id', assistantId).del(),
    },
  },
  {
    name: 'a person',
    read: ({ users }, { owner }) => users.byId(owner.id),
    changes: {
      'the account is switched off': accountOff,
      'the role changes': (db, { owner }) => db('users').where('id', owner.id).update({ role: 'org_admin' }),
    },
  },
  {
    name: 'an organisation with its configuration',
    read: ({ organizations }, { owner }) => organizations.withConfig(owner.organizationId),
    changes: {
      'the configuration changes': (db, { owner }) =>
        db('organizations').where('id', owner.organizationId).update({ config: '{"setups":{}}' }),
    },
  },
  {
    name: 'whose key it is',
    read: ({ credentials }, { keyHash }) => credentials.callerOf(keyHash, NOW),
    changes: {
      'the key is deleted': (db, { keyHash }) => db('api_keys').where('hash', keyHash).del(),
      'the key ends sooner': (db, { keyHash }) =>
        db('api_keys').where('hash', keyHash).update({ expires_at: EARLIER }),
      'the account is switched off': accountOff,
      'the e-mail changes': anotherEmail,
    },
  },
  {
    name: 'whose session it is',
    read: ({ credentials }, { sessionHash }) => credentials.callerOf(sessionHash, NOW),
    changes: {
      'the session is ended': (db, { sessionHash }) => db('sessions').where('hash', sessionHash).del(),
      'the account is switched off': accountOff,
    },
  },
  {
    name: 'whether it is shared',
    read: ({ assistants }, { assistantId, guest }) => assistants.isSharedWith(assistantId, guest.id),
    changes: {
      'the share is withdrawn': (db, { assistantId }) =>
        db('assistant_shares').where('assistant_id', assistantId).del(),
      'the share goes with its assistant': (db, { assistantId }) =>
        db('assistants').where('id', assistantId).del(),
      'the share goes with its person': (db, { guest }) => db('users').where('id', guest.id).del(),
    },
  },
  {
    name: 'a rubric',
    read: ({ rubrics }, { rubricId }) => rubrics.get(rubricId),
    changes: {
      'it is edited': (db, { rubricId }) => db('rubrics').where('id', rubricId).update({ title: 'Poem' }),
      "its owner's e-mail changes": anotherEmail,
      'it is deleted': (db, { rubricId }) => db('rubrics').where('id', rubricId).del(),
    },
  },
  {
    name: 'a collection',
    read: ({ collections }, { collectionId }) => collections.get(collectionId),
    changes: {
      'it is shared': (db, { collectionId }) =>
        db('collections').where('id', collectionId).update({ is_shared: true }),
      "its owner's e-mail changes": anotherEmail,
      'it is deleted': (db, { collectionId }) => db('collections').where('id', collectionId).del(),
    },
  },
];
