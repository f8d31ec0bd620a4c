import { inDatabase } from '../http/support/users-fixture.js';
import { collectionsOf } from '../http/support/collection-client.js';
import type { FakeModel } from '../support/fakes/fakes.js';
import { aLearningPlatform, anActivity, aVisitor } from '../support/launched.js';
import { PICTURES } from '../support/pictures.js';
import { aRubric } from '../support/rubrics.js';
import type { Service } from '../support/service.js';

const PASSWORD = 'a long password 42';

/** What people find there, in their own words and order: each is asked of the original and of the copy. */
export interface Filled {
  readonly gets: readonly (readonly [path: string, key: string | undefined])[];
  readonly collection: string;
  readonly assistant: number;
  readonly teacher: string;
}

async function post<Body = { readonly id: number }>(
  service: Service,
  path: string,
  body: object,
  key?: string,
): Promise<Body> {
  const answer = await service.request<Body>(path, { body, ...(key === undefined ? {} : { key }) });
  if (answer.status >= 300) throw new Error(`${path}: ${String(answer.status)} ${answer.text}`);
  return answer.json;
}

/** An installation that was used, by the front door. */
export async function fill(service: Service, model: FakeModel): Promise<Filled> {
  const teacher = await aTeacher(service, model);
  const { key } = teacher;
  const rubric = await aRubric(service, {}, key);
  await post(service, '/lamb/v1/prompt-templates', { name: 'Short', system_prompt: 'Be short.' }, key);
  await aChangedFile(service, teacher.id);
  const file = new FormData();
  file.append('file', new Blob(['The exam is on Monday.']), 'exam.txt');
  file.append('path', 'course/exam.txt');
  await post(service, '/lamb/v1/files', file, key);

  const collections = collectionsOf(service, service.adminKey);
  const { id: collection } = await collections.make({ name: 'Biology' });
  const { json } = await collections.upload(collection, [
    ['plants.md', `# Plants\n\n${'Vegetation needs light and water. '.repeat(40)}`],
    ['cars.txt', 'An automobile needs a driver, and a driver needs a licence.'],
  ]);
  for (const { id } of json.documents) await collections.settled(collection, id);

  const tools = [
    { type: 'rubric_rag', enabled: true, mode: 'placeholder', config: { rubric_id: rubric.id } },
  ];
  const metadata = { _format_version: 2, connector: 'openai', llm: 'm', tools };
  const assistant = await service.createAssistant(
    { name: 'tutor', system_prompt: 'One.', metadata },
    { key },
  );
  const path = `/lamb/v1/assistants/${String(assistant.id)}`;
  const sheep = new FormData();
  sheep.append('file', new Blob([Uint8Array.from(PICTURES.png)]), 'sheep.png');
  const picture = await post<{ readonly id: string }>(service, '/lamb/v1/attachments', sheep, key);
  const face = { greeting: 'Hello', starters: ['Why?'], avatar: { picture: picture.id }, tags: ['Biology'] };
  const body = { name: 'tutor', system_prompt: 'Two.', metadata, version: assistant.version, ...face };
  await service.request(path, { method: 'PUT', body, key });
  await post(service, `${path}/publish`, { published: true, publish_scope: 'organization' }, key);
  await post(service, `${path}/shares`, { email: teacher.colleague }, key);
  const scope = { type: 'organization', id: teacher.organizationId };
  await post(service, '/lamb/v1/budgets', { scope, unit: 'tokens', amount: 1_000_000, period: 'month' });
  await (await service.stream(assistant.id, 'What is \u{1F331} light?', { key })).whole();
  const conversation = await post<{ readonly id: string }>(
    service,
    '/lamb/v1/conversations',
    { assistant_id: assistant.id },
    key,
  );
  const messages = [{ role: 'user', content: 'And water?' }];
  await service.chat(assistant.id, { messages, conversation_id: conversation.id }, { key });

  const platform = await aLearningPlatform(service, teacher);
  const activity = await anActivity(service, platform, {
    assistants: [{ assistantId: assistant.id, addedBy: teacher.id }],
  });
  const student = await aVisitor(service, platform, { activity });
  await service.chat(assistant.id, 'Why?', { key: student.key });

  return {
    ...{ collection, assistant: assistant.id, teacher: key },
    gets: [
      ...[
        path,
        `${path}/versions`,
        `${path}/versions/1`,
        `${path}/shares`,
        `${path}/export`,
        `${path}/avatar`,
      ],
      ...['assistants', 'assistants?limit=1', 'rubrics', `rubrics/${rubric.id}`, 'prompt-templates'],
      ...[
        'files',
        'files/course/exam.txt',
        'files/notes.md',
        'conversations',
        `conversations/${conversation.id}`,
      ],
      ...['runs', 'runs?limit=1', 'me', 'api-keys', 'usage?group_by=assistant', 'budgets/mine'],
    ]
      .map((each): [string, string | undefined] => [each.startsWith('/') ? each : `/lamb/v1/${each}`, key])
      .concat(
        [
          ...['users', 'organizations', 'budgets', 'audit', 'lti/platforms', 'lti/activities', 'collections'],
          ...[`organizations/${String(teacher.organizationId)}/config`, `collections/${collection}`],
          ...[`collections/${collection}/documents`, `usage?group_by=day`, 'completions/list'],
          ...json.documents.flatMap(({ id }) => [
            `collections/${collection}/documents/${id}`,
            `collections/${collection}/documents/${id}/file`,
            `collections/${collection}/documents/${id}/passages`,
          ]),
        ].map((each) => [`/lamb/v1/${each}`, undefined]),
      ),
  };
}

/** Whose state of before is kept, as a tool that changes it leaves it. */
async function aChangedFile(service: Service, userId: number): Promise<void> {
  await inDatabase(service, async ({ files }) => {
    const own = files.ofOwner(userId);
    await own.write('notes.md', Buffer.from('Before'));
    const options = { within: '.', maxBytes: 100, signal: new AbortController().signal };
    await own.change('notes.md', () => Buffer.from('After'), options);
  });
}

async function aTeacher(service: Service, model: FakeModel) {
  const providers = { openai: { base_url: `${model.url}/v1`, api_key: 'sk-of-the-school-0123456789' } };
  const { id: organizationId } = await post(service, '/lamb/v1/organizations', {
    ...{ slug: 'school', name: 'School', config: { setups: { default: { providers } } } },
  });
  const person = { name: 'Ada', password: PASSWORD, organization_id: organizationId };
  const { id } = await post(service, '/lamb/v1/users', { ...person, email: 'ada@school.test' });
  const colleague = 'bo@school.test';
  await post(service, '/lamb/v1/users', { ...person, email: colleague });
  const { key } = await post<{ readonly key: string }>(service, '/lamb/v1/api-keys', {
    ...{ name: 'laptop', user_email: 'ada@school.test' },
  });
  return { id, organizationId, key, colleague };
}

/** What both have to say, without what is a matter of the moment. */
export async function answersOf(service: Service, { gets, collection, assistant, teacher }: Filled) {
  const answers: unknown[] = [];
  for (const [path, key] of gets) {
    const { status, text } = await service.request(path, key === undefined ? {} : { key });
    answers.push([path, status, text]);
  }
  for (const query_text of ['light for plants', 'vehicle', 'nothing of this']) {
    const path = `/lamb/v1/collections/${collection}/query`;
    answers.push(await post(service, path, { query_text, top_k: 5, keep_weak: true }));
  }
  const chat = await service.chat(assistant, 'Hello?', { key: teacher });
  const { status } = await service.request('/lamb/v1/auth/login', {
    ...{ body: { email: 'ada@school.test', password: PASSWORD }, key: null },
  });
  return [...answers, chat.json.choices[0]?.message, status].map((answer) =>
    JSON.stringify(answer).replaceAll(service.url, ''),
  );
}
