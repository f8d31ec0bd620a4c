import { randomBytes } from 'node:crypto';
import { type FakeModel, startFakeModel } from '../fakes/fakes.js';
import { say } from '../fakes/model-script.js';
import type { RequestOptions, Service } from '../service.js';

const levels = (...descriptions: readonly string[]) =>
  descriptions.map((description, i) => ({
    ...{ label: ['Excellent', 'Good', 'Sufficient', 'Missing'][i], score: 3 - i, description },
  }));

const RUBRIC = {
  title: 'Laboratory report',
  rubric_data: {
    scoringType: 'points',
    maxScore: 10,
    criteria: [
      {
        ...{ name: 'Method', description: 'Could somebody else do it again?', weight: 40 },
        levels: levels('In every detail.', 'But for a detail.', 'In outline only.', 'It is not described.'),
      },
      {
        ...{ name: 'Results', description: 'Are they there, and readable?', weight: 30 },
        levels: levels('All, in tables or figures.', 'Most of them.', 'Some.', 'None.'),
      },
      {
        ...{ name: 'Discussion', description: 'Does it follow from the results?', weight: 30 },
        levels: levels('Yes, with its limits.', 'Yes.', 'In parts.', 'There is none.'),
      },
    ],
  },
};

const ALWAYS_THE_SAME = 'This is a stand-in for a language model, which always proposes the same.';
const CHAT = 'stand-in';
const JUDGE = 'stand-in-judge';

export interface ReportAssistant {
  readonly name: string;
  stop(): Promise<unknown>;
}

/**
 * An assistant whose rubric proposes grades, for everybody to choose. The offline demo of the service judges nothing, so
 * where no model is set up a department of its own has one that always says the same.
 */
export async function addReportAssistant(service: Service, hasModel: boolean): Promise<ReportAssistant> {
  if (hasModel) return { name: await addAssistant(service, {}), stop: () => Promise.resolve() };
  const model = await startStandIn();
  const key = await keyOfDepartment(service, model);
  return { name: await addAssistant(service, { key, llm: CHAT, judge: JUDGE }), stop: () => model.stop() };
}

async function startStandIn(): Promise<FakeModel> {
  const model = await startFakeModel();
  const judged = RUBRIC.rubric_data.criteria.map((_, i) => [
    `criterion_${String(i + 1)}`,
    { reason: ALWAYS_THE_SAME, level: 'level_2' },
  ]);
  await model.script(CHAT, [say(`${ALWAYS_THE_SAME} Hand in your report on the next tab.`)], {
    repeat: true,
  });
  await model.script(JUDGE, [say(JSON.stringify(Object.fromEntries(judged)))], { repeat: true });
  return model;
}

async function keyOfDepartment(service: Service, { url }: FakeModel): Promise<string> {
  const post = <Made>(path: string, body: object) => made<Made>(service, path, { body });
  const { id } = await post<{ id: number }>('/lamb/v1/organizations', {
    ...{ slug: 'chemistry', name: 'Department of chemistry' },
  });
  const openai = { base_url: `${url}/v1`, api_key: 'none', models: [CHAT, JUDGE] };
  await made(service, `/lamb/v1/organizations/${String(id)}/config`, {
    ...{ method: 'PUT', body: { setups: { default: { providers: { openai } } } } },
  });
  const person = { email: 'chemistry@example.test', name: 'Department of chemistry', organization_id: id };
  await post('/lamb/v1/users', { ...person, password: randomBytes(12).toString('base64url') });
  const { key } = await post<{ key: string }>('/lamb/v1/api-keys', {
    ...{ name: 'demo', user_email: person.email },
  });
  return key;
}

interface Speaking {
  readonly key?: string;
  readonly llm?: string;
  readonly judge?: string;
}

async function addAssistant(service: Service, { key, llm, judge }: Speaking): Promise<string> {
  const as = key === undefined ? {} : { key };
  const rubric = await made<{ id: string }>(service, '/lamb/v1/rubrics', { ...as, body: RUBRIC });
  const config = { rubric_id: rubric.id, ...(judge === undefined ? {} : { llm: judge }) };
  const { id, name } = await service.createAssistant(
    {
      name: 'Laboratory report',
      description: 'Answers questions about the report, and proposes a grade for one that is handed in.',
      system_prompt: 'You help students to write a laboratory report. You do not write it for them.',
      metadata: {
        ...{ _format_version: 2, tools: [{ type: 'rubric_eval', mode: 'function', config }] },
        ...(llm === undefined ? {} : { connector: 'openai', llm }),
      },
    },
    as,
  );
  const body = { published: true, publish_scope: 'everyone' };
  await made(service, `/lamb/v1/assistants/${String(id)}/publish`, { ...as, body });
  return name;
}

/** What the service answers; fails when it refuses. */
async function made<Answer>(service: Service, path: string, options: RequestOptions): Promise<Answer> {
  const { status, json, text } = await service.request<Answer>(path, options);
  if (status >= 300) throw new Error(`${path} was answered ${String(status)}: ${text}`);
  return json;
}
