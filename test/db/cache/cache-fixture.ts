import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
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
  readonly onServer: Collection;
  readonly keyHash: string;
  readonly sessionHash: string;
  readonly visitor: { readonly userId: number; readonly tokenHash: string };
  readonly activityId: number;
}

export async function setFixture(stores: Stores): Promise<Scene> {
  const [owner, guest] = [await aUser(stores), await aUser(stores)];
  const { id: assistantId } = await stores.assistants.create(owner, content());
  await stores.assistants.share(assistantId, guest.id, owner.id);
  const rubric = { title: 'Essay', description: '', data: { levels: [{ score: 1 }] }, isPublic: false };
  const { id: rubricId } = await stores.rubrics.create(owner, rubric);
  const cache = { name: 'Cells', description: '', isShared: false };
  const { id: collectionId } = await stores.collections.create(owner, cache);
  const onServer = await stores.collections.create(owner, cache, '7');
  const [keyHash, sessionHash] = [randomUUID(), randomUUID()];
  const key = { userId: owner.id, name: 'Laptop', prefix: 'bw_1', hash: keyHash, trustedProxy: false };
  await stores.credentials.addKey({ ...key, expiresAt: LATER });
  await stores.credentials.addSession({ userId: owner.id, hash: sessionHash, expiresAt: LATER });
  const launched = await setLaunch(stores, { owner, assistantId });
  return { owner, guest, assistantId, rubricId, collectionId, onServer, keyHash, sessionHash, ...launched };
}

async function setLaunch(
  { activities, launches, ltiPeople, participants, platforms }: Stores,
  { owner, assistantId }: Pick<Scene, 'owner' | 'assistantId'>,
): Promise<Pick<Scene, 'visitor' | 'activityId'>> {
  const platform = await platforms.create(owner.organizationId, {
    ...{ kind: '1.1', name: 'Sakai', enabled: true, consumerKey: randomUUID(), sharedSecret: 'sealed' },
    siteUrl: 'https://sakai.example',
  });
  const { userId } = await ltiPeople.findOrCreate(platform, '4');
  const { id: activityId } = await activities.findOrCreate(owner.organizationId, {
    ...{ kind: 'activity', link: { id: '1', title: 'Tutor' }, platformId: platform.id, deploymentId: '' },
    ...{ subject: '4', role: 'learner', name: '', custom: {}, services: { gradeScopes: [] } },
  });
  await activities.change(activityId, {
    assistants: [{ assistantId, addedBy: owner.id }],
    transcriptPolicy: 'named',
  });
  await participants.giveConsent(activityId, userId);
  const tokenHash = randomUUID();
  await launches.open({
    ...{ id: randomUUID(), userId, platformId: platform.id, activityId, role: 'learner', courseId: '2' },
    ...{ browserHash: randomUUID(), tokenHash, facts: 'sealed', expiresAt: LATER },
  });
  return { visitor: { userId, tokenHash }, activityId };
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
  {
    name: 'a collection of the server',
    read: ({ collections }, { onServer }) => collections.onServer(onServer.organizationId, '7'),
    changes: {
      'it is shared': (db, { onServer }) =>
        db('collections').where('id', onServer.id).update({ is_shared: true }),
      'it is deleted': (db, { onServer }) => db('collections').where('id', onServer.id).del(),
    },
  },
  {
    name: 'whose visit it is',
    read: ({ credentials }, { visitor }) => credentials.callerOf(visitor.tokenHash, NOW),
    changes: {
      'the visit is ended': (db, { visitor }) =>
        db('lti_sessions').where('token_hash', visitor.tokenHash).del(),
      'the account is switched off': (db, { visitor }) =>
        db('users').where('id', visitor.userId).update({ enabled: false }),
      'the platform is switched off': (db) => db('lti_platforms').update({ enabled: false }),
      'the person is called otherwise': (db, { visitor }) =>
        db('lti_people').where('user_id', visitor.userId).update({ subject: randomUUID() }),
    },
  },
  {
    name: 'an activity',
    read: ({ activities }, { activityId }) => activities.get(activityId),
    changes: {
      'it is pinned': (db, { activityId }) =>
        db('lti_activities').where('id', activityId).update({ pinned_version: 1 }),
      'an assistant is taken out': (db, { activityId }) =>
        db('lti_activity_assistants').where('activity_id', activityId).del(),
      'the platform is switched off': (db) => db('lti_platforms').update({ enabled: false }),
    },
  },
  {
    name: 'whether somebody agreed to be named',
    read: ({ participants }, { activityId, visitor }) => participants.consentOf(activityId, visitor.userId),
    changes: {
      'it is withdrawn': (db, { visitor }) => db('lti_consents').where('user_id', visitor.userId).del(),
    },
  },
];
