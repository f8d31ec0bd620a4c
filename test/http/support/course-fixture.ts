import type { Activity, TranscriptPolicy } from '../../../src/core/lti/activity.js';
import type { LtiPlatform } from '../../../src/core/lti/platform.js';
import { aLearningPlatform, anActivity, aVisitor, type Visitor } from '../../support/launched.js';
import type { ScriptedAssistant, TestService } from '../../support/test-service.js';
import { aPerson, inDatabase, type Person, publish } from './users-fixture.js';
import { say, type Step } from '../../support/fakes/model-script.js';
import { speakingTo } from './users-fixture.js';

/** An activity with an assistant in it, and people who come there. */
export interface Classroom {
  readonly owner: Person;
  readonly platform: LtiPlatform;
  readonly activity: Activity;
  readonly assistant: ScriptedAssistant;
  readonly teacher: Visitor;
  students(count: number): Promise<readonly Visitor[]>;
  /** Asks in a new conversation; its id. */
  ask(who: Visitor, question: string): Promise<string>;
  setPolicy(policy: TranscriptPolicy): Promise<void>;
}

export async function aClassroom(
  world: TestService,
  policy: TranscriptPolicy,
  {
    steps = [say('A room.')],
    ...parts
  }: { readonly steps?: readonly Step[]; readonly [part: string]: unknown } = {},
): Promise<Classroom> {
  const { service } = world;
  const owner = await aPerson(service, { config: speakingTo(world.model) });
  const assistant = await world.assistant(steps, { repeat: true, ...parts });
  await inDatabase(service, async (_, db) => {
    const { id: owner_id, organizationId: organization_id } = owner;
    await db('assistants').where('id', assistant.id).update({ owner_id, organization_id });
  });
  await publish(service, assistant.id, 'organization', owner);
  const platform = await aLearningPlatform(service, owner);
  const activity = await anActivity(service, platform, {
    assistants: [{ assistantId: assistant.id, addedBy: owner.id }],
    transcriptPolicy: policy,
  });
  return {
    ...{ owner, platform, activity, assistant },
    teacher: await aVisitor(service, platform, { role: 'instructor', activity }),
    async students(count) {
      const visitors: Visitor[] = [];
      // One after the other: each opens the database for itself.
      for (let n = 0; n < count; n++) visitors.push(await aVisitor(service, platform, { activity }));
      await inDatabase(service, async ({ participants }) => {
        for (const { id } of visitors) await participants.giveConsent(activity.id, id, undefined);
      });
      return visitors;
    },
    async ask({ key }, question) {
      const messages = [{ role: 'user', content: question }];
      const { headers } = await service.chat(assistant.id, { messages, conversation_id: 'new' }, { key });
      return headers.get('x-conversation-id') ?? '';
    },
    setPolicy: (transcriptPolicy) =>
      inDatabase(service, async ({ activities }) => {
        await activities.change(activity.id, { transcriptPolicy });
      }),
  };
}
