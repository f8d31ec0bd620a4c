import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Activity, ActivityChange, TranscriptPolicy } from '../../../src/core/lti/activity.js';
import type { LaunchFacts, LaunchRole } from '../../../src/core/lti/launch.js';
import type { LtiPlatform } from '../../../src/core/lti/platform.js';
import type { AnswerDetails } from '../../../src/core/runs/conversation.js';
import type { RunRecord } from '../../../src/core/runs/record.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { aModelStep, aRun, aToolStep, aUser, content, storesOn } from '../fixtures.js';

/** A course with people in it, and what they say. */
export interface ActivityFixture {
  readonly db: Knex;
  readonly stores: Stores;
  readonly owner: User;
  readonly assistantId: number;
  readonly platform: LtiPlatform;
  readonly activity: Activity;
  /** Another link in the same course, with the same assistant. */
  another(change?: ActivityChange): Promise<Activity>;
  somebody(facts?: {
    readonly role?: LaunchRole;
    readonly activity?: Activity;
    readonly subject?: string;
  }): Promise<User>;
  /** One question and its answer, in a conversation of its own; its id. */
  ask(who: User, asked?: Asked): Promise<string>;
}

export interface Asked {
  readonly at?: string;
  readonly activity?: Activity;
  readonly policy?: TranscriptPolicy;
  readonly question?: string;
  /** Null for none. */
  readonly answer?: string | null;
  readonly incomplete?: boolean;
  readonly details?: AnswerDetails;
  readonly run?: Partial<RunRecord>;
}

export async function anActivityFixture(db: Knex, stores: Stores = storesOn(db)): Promise<ActivityFixture> {
  const owner = await aUser(stores);
  const assistantId = (await stores.assistants.create(owner, content())).id;
  const platform = await aPlatform(stores, owner.organizationId);
  const another = async (change: ActivityChange = {}) => {
    const { id } = await stores.activities.findOrCreate(owner.organizationId, aLink(platform));
    const assistants = [{ assistantId, addedBy: owner.id }];
    return (await stores.activities.change(id, { assistants, ...change }))!;
  };
  const activity = await another();

  return {
    ...{ db, stores, owner, assistantId, platform, activity, another },
    async somebody({ role = 'learner', activity: to = activity, subject = randomUUID() } = {}) {
      const { userId } = await stores.ltiPeople.findOrCreate(platform, subject);
      await stores.participants.join(to.id, userId, role);
      return (await stores.users.byId(userId))!;
    },
    async ask(user, asked = {}) {
      const { at = '2026-01-07T10:00:00.000Z', activity: where = activity, policy = 'none' } = asked;
      const { question = 'What is a cell?', answer = 'A room.', incomplete = false, details, run } = asked;
      const whose = { userId: user.id, activityId: where.id };
      const made = { ...whose, assistantId, title: question, transcriptPolicy: policy };
      const { id: conversationId } = await stores.conversations.create(made);
      const steps = [aModelStep({ startedAt: at }), aToolStep({ tool: 'weather', startedAt: at })];
      const record = aRun(
        { user, assistantId },
        { conversationId, activityId: where.id, startedAt: at, via: 'lti', steps, ...run },
      );
      await stores.runs.record(record);
      await stores.conversations.append(whose, conversationId, [
        { role: 'user', content: question, runId: record.id, incomplete: false },
        ...(answer === null
          ? []
          : [{ role: 'assistant' as const, content: answer, runId: record.id, incomplete, details }]),
      ]);
      await db('conversations').where('id', conversationId).update({ created_at: at, updated_at: at });
      await db('messages').where('conversation_id', conversationId).update({ created_at: at });
      return conversationId;
    },
  };
}

function aPlatform(stores: Stores, organizationId: number): Promise<LtiPlatform> {
  const issuer = `https://${randomUUID()}.example`;
  return stores.platforms.create(organizationId, {
    ...{ kind: '1.3', name: 'Moodle', enabled: true, issuer, clientId: 'client', deploymentIds: ['1'] },
    ...{ authLoginUrl: `${issuer}/auth`, authTokenUrl: `${issuer}/token`, keySetUrl: `${issuer}/certs` },
  });
}

function aLink(platform: LtiPlatform): LaunchFacts & { readonly kind: 'activity' } {
  return {
    ...{ kind: 'activity', link: { id: randomUUID(), title: 'AI tutor' }, platformId: platform.id },
    ...{ deploymentId: '1', subject: 'teacher', role: 'instructor', name: '', custom: {} },
    ...{ course: { id: '2', title: 'Biology 101' }, services: { gradeScopes: [] } },
  };
}
