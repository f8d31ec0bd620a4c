import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { inDatabase } from '../http/support/users-fixture.js';
import { collectionsOf } from '../http/support/collection-client.js';
import { freshPostgresTarget } from '../support/databases.js';
import {
  type FakeEmbeddings,
  type FakeModel,
  startFakeEmbeddings,
  startFakeModel,
} from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { aLearningPlatform, anActivity, aVisitor } from '../support/launched.js';
import { type Program, startProgram } from '../support/program.js';
import { aRubric } from '../support/rubrics.js';
import { type FakeS3, S3_ENV, startFakeS3 } from '../support/s3-server.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../support/service.js';

const PASSWORD = 'a long password 42';
const KILLS = 4;

/** What people find there, in their own words and order: each is asked of the original and of the copy. */
interface Filled {
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
async function fill(service: Service, model: FakeModel): Promise<Filled> {
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
  const body = { name: 'tutor', system_prompt: 'Two.', metadata, version: assistant.version };
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
      ...[path, `${path}/versions`, `${path}/versions/1`, `${path}/shares`, `${path}/export`],
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
async function answersOf(service: Service, { gets, collection, assistant, teacher }: Filled) {
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

const digestOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

describe('npm run db:copy', function () {
  this.timeout(120_000);
  let model: FakeModel;
  let embeddings: FakeEmbeddings;
  let s3: FakeS3;
  let filled: Filled;
  const folders: string[] = [];
  const aFolder = async () => {
    const made = await makeDataDir();
    folders.push(made);
    return made;
  };
  let home: string;
  const original = () => `sqlite:${join(home, 'bellwether.db')}`;
  const settings = () => ({
    ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${embeddings.url}/v1`, EMBEDDINGS: 'openai:e' },
    RATE_LIMIT: '0',
  });
  const copy = (args: readonly string[], DATA_DIR = home): Program =>
    startProgram('dist/src/commands/db-copy.js', args, { DATA_DIR, ...S3_ENV });

  before(async () => {
    [model, embeddings, s3, home] = await Promise.all([
      ...([startFakeModel(), startFakeEmbeddings(), startFakeS3(), aFolder()] as const),
    ]);
    await model.script('m', [say('abcd', { chunks: 2 })], { repeat: true });
    const service = await startService(settings(), { dataDir: home });
    filled = await fill(service, model).finally(() => service.stop());
  });
  after(async () => {
    await Promise.all([model.stop(), embeddings.stop(), s3.stop(), ...folders.map(removeDataDir)]);
  });

  it('moves an installation to PostgreSQL and object storage, which answers as the original does, and back', async () => {
    const [server, there, back] = [await freshPostgresTarget(), await aFolder(), await aFolder()];
    const url = server.kind === 'postgres' ? server.url : '';
    const before = await digestOf(join(home, 'bellwether.db'));

    const bucket = s3.blobsUrl('school');
    const args = ['--from', original(), '--to', url, '--to-blobs', bucket];
    const first = await copy(args).exited;
    const second = await copy(args).exited;
    const returned = await copy([
      ...['--from', url, '--from-blobs', bucket, '--to', `sqlite:${join(back, 'bellwether.db')}`],
    ]).exited;
    const compared = await copy(['--from', original(), '--to', `sqlite:${join(back, 'bellwether.db')}`])
      .exited;

    expect(first.code, first.said).to.equal(0);
    expect(first.out)
      .to.match(/^copying messages: \d+ of \d+$/m)
      .and.to.match(/Copied \d+ rows and 5 files\./);
    expect(first.out).to.include(`take ${join(home, 'secret.key')} along`);
    expect(second.code, second.said).to.equal(0);
    expect(second.out).to.include('Nothing was left to copy.');
    expect(returned.code, returned.said).to.equal(0);
    expect(compared.out, compared.said).to.include('Nothing was left to copy.');
    expect(await digestOf(join(home, 'bellwether.db'))).to.equal(before);

    await copyFile(join(home, 'secret.key'), join(there, 'secret.key'));
    const services = await Promise.all([
      startService({ ...settings(), ...S3_ENV, DATABASE_URL: url, BLOBS_URL: bucket }, { dataDir: there }),
      startService(settings(), { dataDir: home }),
    ]);
    try {
      const [copied, kept] = await Promise.all(services.map((service) => answersOf(service, filled)));
      for (const [i, answer] of (kept ?? []).entries()) expect(copied?.[i]).to.equal(answer);
      expect(JSON.stringify(kept)).to.include('exam.txt').and.to.include('plants.md');
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  it('killed at any moment goes on where it was, and ends as one that was never killed', async () => {
    const [server, there] = [await freshPostgresTarget(), await aFolder()];
    const url = server.kind === 'postgres' ? server.url : '';
    const args = ['--from', original(), '--to', url, '--to-blobs', there];

    for (let n = 1; n <= KILLS; n++) {
      const program = copy(args);
      await Promise.race([saidLines(program, n * 6), program.exited]);
      await delay(Math.random() * 5);
      program.kill();
      await program.exited;
    }
    const last = await copy(args).exited;
    const again = await copy(args).exited;

    expect(last.code, last.said).to.equal(0);
    expect(again.out, again.said)
      .to.include('Nothing was left to copy.')
      .and.to.include('and 5 files are the same');
  });

  for (const [args, code, said] of [
    [['--help'], 0, /npm run db:copy -- --from <database> --to <database>/],
    [['--form', 'sqlite:x'], 2, /Unknown option '--form'/],
    [['--to', 'sqlite:x'], 2, /^--from is missing/],
    [
      ['--from', 'mysql://u:geheim@h/d', '--to', 'sqlite:x'],
      2,
      /^--from must begin with sqlite: or postgres:/,
    ],
    [['--from', 'sqlite:nowhere.db', '--to', 'sqlite:x'], 1, /There is no file .*nowhere\.db/],
    [
      ['--from', 'sqlite:nowhere.db', '--to', 'sqlite:x', '--to-blobs', 's3://b?x=1'],
      2,
      /^--to-blobs must name a bucket/,
    ],
    [
      ['--from', 'postgres://u:geheim@127.0.0.1:1/d', '--to', 'sqlite:x'],
      1,
      /The copy failed: The database cannot be reached/,
    ],
  ] as const) {
    it(`ends with ${String(code)}, and tells no password, for ${args.join(' ')}`, async () => {
      const program = await copy(args).exited;

      expect(program.code, program.said).to.equal(code);
      expect(code === 0 ? program.out : program.err).to.match(said);
      expect(program.said).not.to.include('geheim');
    });
  }
});

/** Resolves when it has told of so many steps. */
const saidLines = (program: Program, count: number) =>
  new Promise<void>((resolve) => {
    program.onOutput((said) => {
      if (said.split('\n').length > count) resolve();
    });
  });
