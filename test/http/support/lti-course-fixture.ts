import type { Activity, ActivityChange } from '../../../src/core/lti/activity.js';
import type { LtiPlatform } from '../../../src/core/lti/platform.js';
import {
  aLearningPlatform,
  anActivity,
  aVisitor,
  type VisitFacts,
  type Visitor,
} from '../../support/launched.js';
import type { Step } from '../../support/fakes/model-script.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { essayRubric } from '../../support/rubrics.js';
import type { AssistantRecord, Service } from '../../support/service.js';
import type { TestService } from '../../support/test-service.js';
import { aPerson, type Person, publish, speakingTo } from './users-fixture.js';

/** A course with an assistant that its owner placed there, published to the whole organisation. */
export interface Course {
  readonly owner: Person;
  readonly platform: LtiPlatform;
  readonly assistant: AssistantRecord;
  readonly activity: Activity;
  readonly model: string;
  visitor(facts?: Omit<VisitFacts, 'activity'>): Promise<Visitor>;
}

export async function aCourse(
  { service, model }: TestService,
  steps: readonly Step[] = [],
  { change = {}, tools = [] }: { readonly change?: ActivityChange; readonly tools?: readonly object[] } = {},
): Promise<Course> {
  const owner = await aPerson(service, { config: speakingTo(model) });
  const llm = uniqueName('model');
  await model.script(llm, steps, { repeat: steps.length === 1 });
  const metadata = { _format_version: 2, connector: 'openai', llm, tools };
  const assistant = await service.createAssistant({ metadata, system_prompt: 'One.' }, { key: owner.key });
  await publish(service, assistant.id, 'organization', owner);
  const platform = await aLearningPlatform(service, owner);
  const assistants = [{ assistantId: assistant.id, addedBy: owner.id }];
  const activity = await anActivity(service, platform, { assistants, ...change });
  return {
    ...{ owner, platform, assistant, activity, model: llm },
    visitor: (facts = {}) => aVisitor(service, platform, { activity, ...facts }),
  };
}

/** The tools of an assistant that can propose grades, by a rubric of the person's own. */
export async function judging(service: Service, { key }: Pick<Person, 'key'>): Promise<readonly object[]> {
  const body = { title: 'Essay', rubric_data: essayRubric() };
  const rubric = await service.request<{ id: string }>('/lamb/v1/rubrics', { key, body });
  const config = { rubric_id: rubric.json.id };
  return [{ type: 'rubric_eval', enabled: true, mode: 'function', config }];
}

/** What teachers and administrators ask of an activity. */
export const configuring = (
  { service }: TestService,
  { id }: Pick<Activity, 'id'>,
  { key }: Pick<Person, 'key'>,
  body?: object,
) =>
  service.request<Shown>(`/lamb/v1/lti/activities/${String(id)}`, {
    key,
    ...(body ? { method: 'PATCH', body } : {}),
  });

export interface Shown {
  readonly id: number;
  readonly configured: boolean;
  readonly assistants: readonly { readonly id: number; readonly may_use?: boolean }[];
  readonly pinned_version: number | null;
  readonly evaluation: { readonly assistant_id: number } | null;
  readonly [other: string]: unknown;
}
