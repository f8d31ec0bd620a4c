import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { AssistantRecord, RequestOptions } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  shareWith,
} from '../support/users-fixture.js';

const TEMPLATES = '/lamb/v1/prompt-templates';

interface Template {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly [field: string]: unknown;
}

let world: TestService;
let owner: Person;

const at = (id: number, more = '') => `${TEMPLATES}/${String(id)}${more}`;
const send = <Body = Template>(path: string, options: RequestOptions = {}) =>
  world.service.request<Body>(path, { key: owner.key, ...options });
const create = async (body: object = {}, key = owner.key): Promise<Template> => {
  const texts = { system_prompt: 'Ask back.', prompt_template: 'Q: {user_input}' };
  const made = await send(TEMPLATES, { body: { name: uniqueName('template'), ...texts, ...body }, key });
  expect(made.status, made.text).to.equal(201);
  return made.json;
};
const namesFor = async (key: string, query = '') =>
  (await send<{ data: Template[] }>(`${TEMPLATES}${query}`, { key })).json.data.map(({ name }) => name);
const apply = (id: number, body: object, key = owner.key) =>
  send<AssistantRecord>(at(id, '/apply'), { body, key });

describe('a prompt template', function () {
  this.timeout(60_000);
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
  });

  it('is made as the whole record, changed in parts, and deleted', async () => {
    const made = await create({ name: `  ${uniqueName('socratic')} ` });
    const changed = await send(at(made.id), { method: 'PUT', body: { name: made.name, is_shared: true } });
    const gone = await send(at(made.id), { method: 'DELETE' });

    expect(made).to.have.all.keys(
      ...['id', 'name', 'description', 'owner', 'organization_id', 'system_prompt', 'prompt_template'],
      ...['is_shared', 'created_at', 'updated_at'],
    );
    expect(made).to.include({ owner: owner.email, organization_id: owner.organizationId, is_shared: false });
    expect(changed.json).to.include({ ...made, is_shared: true, updated_at: changed.json['updated_at'] });
    expect(gone.status).to.equal(204);
    refusalOf(await send(at(made.id)), 404);
    expect((await auditOf(world.service, owner)).map(({ resource }) => resource)).to.include(
      `prompt template ${String(made.id)}`,
    );
  });

  it('is refused a name its owner uses already, and a body with faults', async () => {
    const { name } = await create();

    refusalOf(await send(TEMPLATES, { body: { name } }), 409);
    const { message } = refusalOf(
      await send(TEMPLATES, { body: { name: ' ', owner: 'x', is_shared: 1 } }),
      400,
    );
    expect(message).to.include('name').and.to.include('owner').and.to.include('is_shared');
  });

  it('is for the organisation once shared, to read and to apply, not to change', async () => {
    const colleague = await aColleagueOf(world.service, owner);
    const [shared, kept] = [await create({ is_shared: true }), await create()];

    expect(await namesFor(colleague.key))
      .to.include(shared.name)
      .and.not.to.include(kept.name);
    expect((await send(at(shared.id), { key: colleague.key })).json).to.deep.equal(shared);
    refusalOf(await send(at(kept.id), { key: colleague.key }), 404);
    for (const method of ['PUT', 'DELETE']) {
      const attempt = { method, body: { name: 'mine now' }, key: colleague.key };
      refusalOf(await send(at(shared.id), attempt), 403);
      refusalOf(await send(at(kept.id), attempt), 404);
    }
    const rows = await auditOf(world.service, colleague);
    expect(rows.map(({ outcome }) => outcome)).to.deep.equal([
      'denied',
      'denied',
      'denied',
      'denied',
      'denied',
    ]);
  });

  it('does not exist for another organisation, in the same words as one that is not there', async () => {
    const stranger = await aPerson(world.service, { role: 'org_admin' });
    const { id, name } = await create({ is_shared: true });

    const foreign = refusalOf(await send(at(id), { key: stranger.key }), 404);
    const missing = refusalOf(await send(at(2_000_000_000), { key: stranger.key }), 404);

    expect(foreign).to.deep.equal(missing);
    expect(await namesFor(stranger.key, `?q=${name}`)).to.deep.equal([]);
    refusalOf(await apply(id, { assistant_id: 1 }, stranger.key), 404);
  });

  it('may be changed by administrators of the organisation and of the service', async () => {
    const admin = await aColleagueOf(world.service, owner, 'org_admin');
    const { id, name } = await create();

    for (const key of [admin.key, world.service.adminKey]) {
      const changed = await send(at(id), { method: 'PUT', body: { name, description: key }, key });
      expect(changed.json, changed.text).to.include({ owner: owner.email, description: key });
    }
  });

  it('is nothing for students, shared or not', async () => {
    const student = await aColleagueOf(world.service, owner, 'student');
    const { id } = await create({ is_shared: true });

    for (const path of [TEMPLATES, at(id)]) refusalOf(await send(path, { key: student.key }), 403);
    refusalOf(await send(TEMPLATES, { body: { name: 'x' }, key: student.key }), 403);
  });

  it('is listed page by page, and found by words', async () => {
    const word = uniqueName('word');
    for (const n of [1, 2, 3]) await create({ name: `${word} ${String(n)}` });

    const first = await send<{ data: Template[]; next_cursor: string }>(
      `${TEMPLATES}?q=${word.toUpperCase()}&limit=2`,
    );
    const rest = await namesFor(owner.key, `?q=${word}&limit=2&cursor=${first.json.next_cursor}`);

    expect(first.json.data.map(({ name }) => name)).to.deep.equal([`${word} 3`, `${word} 2`]);
    expect(rest).to.deep.equal([`${word} 1`]);
  });
});

describe('applying a prompt template', function () {
  this.timeout(60_000);
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
  });
  const anAssistant = (content: object = {}) => world.service.createAssistant(content, { key: owner.key });

  it('writes its prompts into the assistant as a new version, and touches nothing else', async () => {
    const metadata = { custom: { kept: true }, llm: 'm' };
    const assistant = await anAssistant({ metadata, description: 'mine', RAG_Top_k: 4 });
    const { id } = await create();

    const { status, json } = await apply(id, { assistant_id: assistant.id, version: 1 });

    expect(status).to.equal(200);
    expect(json).to.deep.include({
      ...assistant,
      system_prompt: 'Ask back.',
      prompt_template: 'Q: {user_input}',
      version: 2,
      updated_at: json['updated_at'],
    });
  });

  it('leaves the prompt it says nothing about', async () => {
    const assistant = await anAssistant({ system_prompt: 'mine', prompt_template: 'mine too' });
    const { id } = await create({ system_prompt: '' });

    const { json } = await apply(id, { assistant_id: assistant.id });

    expect(json).to.include({ system_prompt: 'mine', prompt_template: 'Q: {user_input}' });
  });

  it('keeps metadata that nobody can read, byte for byte', async () => {
    const { id: assistantId } = await anAssistant();
    const broken = '{"llm": "gpt-4o",, ';
    const stored = (work: (text: string[]) => void) =>
      inDatabase(world.service, async (_stores, db) => {
        work(await db('assistants').where({ id: assistantId }).pluck('metadata'));
      });
    await inDatabase(world.service, async (_stores, db) => {
      await db('assistants').where({ id: assistantId }).update({ metadata: broken });
    });
    const { id } = await create();

    expect((await apply(id, { assistant_id: assistantId })).status).to.equal(200);

    await stored((texts) => expect(texts).to.deep.equal([broken]));
  });

  it('is refused when the assistant has changed since it was read', async () => {
    const assistant = await anAssistant();
    const { id } = await create();
    await apply(id, { assistant_id: assistant.id, version: 1 });

    refusalOf(await apply(id, { assistant_id: assistant.id, version: 1 }), 409);
  });

  it('is refused on an assistant that the caller may not change or know of', async () => {
    const colleague = await aColleagueOf(world.service, owner);
    const assistant = await anAssistant();
    const { id } = await create({ is_shared: true });

    const hidden = refusalOf(await apply(id, { assistant_id: assistant.id }, colleague.key), 404);
    const missing = refusalOf(await apply(id, { assistant_id: 2_000_000_000 }, colleague.key), 404);
    await shareWith(world.service, assistant.id, colleague);
    refusalOf(await apply(id, { assistant_id: assistant.id }, colleague.key), 403);

    expect(hidden).to.deep.equal(missing);
    refusalOf(await apply(id, {}), 400);
  });
});
