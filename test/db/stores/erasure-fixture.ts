import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { createStores } from '../../../db/stores.js';
import { createErasure, type Erasures } from '../../../src/activities/erasure.js';
import { createSweep, type Swept } from '../../../src/activities/retention.js';
import { picturesFolder } from '../../../src/assistants/pictures.js';
import type { Activity } from '../../../src/core/lti/activity.js';
import type { User } from '../../../src/core/stores.js';
import { aModelStep, aRun, aToolStep, catalogue } from '../fixtures.js';
import { type ActivityFixture, anActivityFixture } from './activity-fixture.js';
import { countUsersFrom, tracesOf } from './run-traces.js';
import { SMALL_RUBRIC } from './submission-fixture.js';

/** Somebody of whom something stands in every table, and what to look for. */
export interface Student {
  readonly user: User;
  readonly needles: readonly (string | number)[];
  readonly picture: string;
}

export interface ErasureFixture extends ActivityFixture {
  readonly erasure: Erasures;
  student(name: string, activity?: Activity): Promise<Student>;
  /** All that stands of them, by table and column. */
  traces(student: Student): Promise<string[]>;
  pictures(student: Student): Promise<string[]>;
  /** As if all they ever did was so long ago. */
  age(student: Student, days: number): Promise<void>;
  sweep(options?: { readonly runsKeepMonths: number; readonly now: Date }): Promise<Swept>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Ids that stand nowhere by chance. */
const FIRST_ID = 77_700_000;

export async function anErasureFixture(db: Knex): Promise<ErasureFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-erasure-'));
  const options = {
    filesFolder: join(folder, 'files'),
    documentsFolder: join(folder, 'documents'),
    attachmentsFolder: join(folder, 'attachments'),
  };
  const stores = createStores(db, { ...options, catalogue });
  const scene = await anActivityFixture(db, stores);
  await countUsersFrom(db, FIRST_ID);
  await stores.activities.change(scene.activity.id, { transcriptPolicy: 'named', retentionDays: 30 });

  return {
    ...scene,
    erasure: createErasure(stores),
    async student(name, activity = scene.activity) {
      const subject = `canary-subject-${name}`;
      const user = await scene.somebody({ subject, activity });
      const picture = `${picturesFolder(activity.id)}/${randomUUID()}.png`;
      await fill(scene, { user, activity, name });
      await stores.files.ofOwner(user.id).write(picture, Buffer.from('a picture'));
      const needles = [user.id, subject, `canary-name-${name}`, `canary-words-${name}`, user.email];
      return { user, needles, picture };
    },
    traces: ({ needles }) => tracesOf(db, needles),
    async pictures({ user }) {
      const { data } = await stores.files.ofOwner(user.id).list({}, { limit: 10 });
      return data.map(({ path }) => path);
    },
    age: ({ user }, days) => age(db, user.id, days),
    sweep: ({ runsKeepMonths, now } = { runsKeepMonths: 0, now: new Date() }) =>
      createSweep({ ...stores, runsKeepMonths })(new AbortController().signal, now.getTime()),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Something in every table that may hold something of a student. */
async function fill(
  { stores, ask, assistantId, platform }: ActivityFixture,
  { user, activity, name }: { readonly user: User; readonly activity: Activity; readonly name: string },
): Promise<void> {
  const [words, at] = [`canary-words-${name}`, new Date().toISOString()];
  const who = { user, assistantId };
  const run = { activityId: activity.id, startedAt: at, via: 'lti' };
  await ask(user, { at, activity, policy: 'named', question: words, answer: `You said ${words}.` });
  const parent = aRun(who, { ...run, steps: [aToolStep({ detail: { note: words } })] });
  await stores.runs.record(parent);
  await stores.runs.record(aRun(who, { ...run, parentRunId: parent.id, steps: [aModelStep()] }));
  await stores.approvals.ask({
    ...{ runId: parent.id, callId: 'c1', userId: user.id, tool: 'moodle', label: words, args: { words } },
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  const entry = { userId: user.id, organizationId: user.organizationId, outcome: 'denied' } as const;
  for (const runId of [parent.id, null]) {
    await stores.audit.record({ ...entry, action: 'use', resource: 'file', reason: 'not theirs', runId });
  }
  await stores.handovers.keep({
    ...{ id: randomUUID(), runId: parent.id, userId: user.id, assistantId, activityId: activity.id },
    ...{ conversationId: undefined, calls: [{ id: randomUUID(), name: 'look_up', arguments: words }] },
    state: { messages: [], sources: [], tools: [], rounds: 1, specs: [], answered: [], modelIds: {} },
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  const resumable = randomUUID();
  await stores.runFrames.begin({
    ...{ id: resumable, userId: user.id, activityId: activity.id, conversationId: undefined },
    ...{ textFrame: { head: '', tail: '' }, startedAt: at },
  });
  await stores.runFrames.append([{ runId: resumable, lastId: 1, frames: [words] }]);
  await stores.participants.giveConsent(activity.id, user.id, `canary-name-${name}`);
  await stores.submissions.submit({
    ...{ activityId: activity.id, userId: user.id, text: words, who: `canary-name-${name}` },
    rubric: SMALL_RUBRIC,
  });
  await stores.launches.open({
    ...{ id: randomUUID(), userId: user.id, platformId: platform.id, activityId: activity.id },
    ...{ role: 'learner', courseId: '2', browserHash: randomUUID(), tokenHash: randomUUID() },
    ...{ facts: `canary-name-${name}`, expiresAt: new Date(Date.now() + 60_000).toISOString() },
  });
}

/** Every time that stands with somebody. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  lti_participants: ['first_seen_at', 'last_seen_at'],
  lti_sessions: ['created_at', 'expires_at'],
  lti_submissions: ['created_at', 'updated_at'],
  lti_people: ['created_at'],
  conversations: ['created_at', 'updated_at'],
  runs: ['started_at'],
  usage_ledger: ['created_at'],
  approvals: ['expires_at'],
  handovers: ['expires_at'],
  resumable_runs: ['started_at'],
};

async function age(db: Knex, userId: number, days: number): Promise<void> {
  const then = new Date(Date.now() - days * DAY_MS).toISOString();
  for (const [table, columns] of Object.entries(TIMES)) {
    await db(table)
      .where('user_id', userId)
      .update(Object.fromEntries(columns.map((column) => [column, then])));
  }
}
