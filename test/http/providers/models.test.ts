import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import type { Completion } from '../../support/chat-client.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import {
  aColleagueOf,
  aPerson,
  inDatabase,
  type Person,
  publish,
  shareWith,
} from '../support/users-fixture.js';
import { refusalOf } from '../support/refusal.js';

interface ModelList {
  readonly object: string;
  readonly data: readonly {
    readonly id: string;
    readonly object: string;
    readonly [other: string]: unknown;
  }[];
}

const echo = { connector: 'bypass', llm: 'simple-bypass' };
const messages = [{ role: 'user', content: 'Hello?' }];
const modelId = ({ id }: { readonly id: number }) => `lamb_assistant.${String(id)}`;

let world: TestService;
let owner: Person;
const beforeAll = async () => {
  world = await sharedService();
  owner = await aPerson(world.service);
};
const made = (content: object = {}, { key }: Person = owner) =>
  world.service.createAssistant({ metadata: echo, ...content }, { key });
const ask = (model: unknown, { key }: Person = owner) =>
  world.service.request<Completion>('/v1/chat/completions', { key, body: { model, messages } });

describe('the list of models', function () {
  this.timeout(60_000);
  before(beforeAll);
  const list = ({ key }: Person) => world.service.request<ModelList>('/v1/models', { key });
  const ids = async (person: Person) => (await list(person)).json.data.map(({ id }) => id);

  it('is OpenAI’s, with the name of each', async () => {
    const person = await aPerson(world.service);
    const assistant = await made({ name: 'Biology', system_prompt: 'canary' }, person);

    const { status, json, text } = await list(person);

    expect(status).to.equal(200);
    expect(json.object).to.equal('list');
    const shown = json.data.find(({ id }) => id === modelId(assistant));
    expect(shown).to.include({ object: 'model', name: 'Biology' }).and.to.include.keys('created', 'owned_by');
    expect(text).not.to.contain('canary');
  });

  it('is exactly what the caller may chat with', async () => {
    const [person, stranger] = await Promise.all([aPerson(world.service), aPerson(world.service)]);
    const colleague = await aColleagueOf(world.service, person);
    const [own, hidden, inOrganization] = await Promise.all([
      made({}, person),
      made({}, colleague),
      made({}, colleague),
    ]);
    const [shared, foreign, everywhere] = await Promise.all([1, 2, 3].map(() => made({}, stranger)));
    await shareWith(world.service, shared!.id, person);
    await publish(world.service, inOrganization.id, 'organization', colleague);
    await publish(world.service, everywhere!.id, 'everyone', stranger);
    const all = [own, hidden, inOrganization, shared!, foreign!, everywhere!].map(modelId);

    const listed = await ids(person);

    const answered = await Promise.all(
      all.map(async (id) => ({ id, status: (await ask(id, person)).status })),
    );
    const open = answered.filter(({ status }) => status === 200).map(({ id }) => id);
    expect(open).to.have.members([own, inOrganization, shared!, everywhere!].map(modelId));
    expect(answered.filter(({ status }) => status === 404)).to.have.length(2);
    expect(listed.filter((id) => all.includes(id))).to.have.members(open);
  });

  it('holds all of them, however many', async () => {
    const person = await aPerson(world.service);
    const { id: first } = await made({}, person);
    await inDatabase(world.service, async ({ assistants }) => {
      const content = { ...BLANK_CONTENT, name: 'many', metadata: echo };
      for (let i = 0; i < 220; i++) await assistants.create(person, content);
    });

    const listed = await ids(person);

    expect(listed.length).to.be.at.least(221);
    expect(listed).to.include(modelId({ id: first }));
    expect(new Set(listed).size).to.equal(listed.length);
  });

  it('leaves out an assistant that is switched off, which answers 403', async () => {
    const person = await aPerson(world.service);
    const { id } = await made({}, person);
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id }).update({ enabled: false }),
    );

    expect(await ids(person)).not.to.include(modelId({ id }));
    refusalOf(await ask(modelId({ id }), person), 403);
  });
});

describe('one model', function () {
  this.timeout(60_000);
  before(beforeAll);
  const read = (model: string, { key }: Person = owner) =>
    world.service.request<ModelList['data'][number]>(`/v1/models/${model}`, { key });

  it('is what the list says of it, by its id, its number or its unique name', async () => {
    const name = uniqueName('Plants / cells (100 %)');
    const { id } = await made({ name, description: 'Green ones' });
    const { json } = await world.service.request<ModelList>('/v1/models', { key: owner.key });
    const listed = json.data.find((one) => one.id === modelId({ id }));

    const answers = await Promise.all(
      [modelId({ id }), String(id), encodeURIComponent(name)].map((one) => read(one)),
    );
    const unencodedSlash = await read(encodeURIComponent(name).replace('%2F', '/'));

    for (const answer of [...answers, unencodedSlash]) {
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.deep.equal(listed);
    }
  });

  it('does not exist, in the same words, when it is unknown, hidden, ambiguous or switched off', async () => {
    const stranger = await aPerson(world.service);
    const [hidden, twice] = [uniqueName('hidden'), uniqueName('twice')];
    const { id } = await made({ name: hidden }, stranger);
    await Promise.all([made({ name: twice }), made({ name: twice })]);
    const off = await made();
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id: off.id }).update({ enabled: false }),
    );

    const answers = await Promise.all(
      ['lamb_assistant.999999999', 'gpt-4o', modelId({ id }), hidden, twice, String(off.id)].map((model) =>
        read(encodeURIComponent(model)),
      ),
    );

    const errors = answers.map((answer) => refusalOf(answer, 404));
    for (const error of errors) expect(error).to.deep.equal(errors[0]);
    expect(errors[0]).to.include({ type: 'invalid_request_error' });
  });

  it('is a fault of the address where that is not encoded correctly', async () => {
    refusalOf(await read('%E0%A4%A'), 400);
  });
});

describe('the model of a chat', function () {
  this.timeout(60_000);
  before(beforeAll);

  it('may be lamb_assistant.N, N, or the exact name when only one bears it', async () => {
    const name = uniqueName('Biology (1st year): cells');
    const { id } = await made({ name });

    const answers = await Promise.all([modelId({ id }), String(id), name].map((model) => ask(model)));

    for (const { status, json } of answers) {
      expect(status).to.equal(200);
      expect(json.model).to.equal(modelId({ id }));
      expect(json.choices[0]!.message.content).to.equal('Hello?');
    }
  });

  it('is not found by a name that two visible assistants bear, and is by one that somebody else’s hidden one bears', async () => {
    const [twice, once] = [uniqueName('twice'), uniqueName('once')];
    const stranger = await aPerson(world.service);
    await Promise.all([made({ name: twice }), made({ name: twice }), made({ name: once }, stranger)]);
    const mine = await made({ name: once });

    refusalOf(await ask(twice), 404);
    expect((await ask(once)).json.model).to.equal(modelId(mine));
  });

  it('is found by name only as it is written', async () => {
    const name = uniqueName('Exact');
    await made({ name });

    const answers = await Promise.all(
      [name.toLowerCase(), name.slice(0, -1), `${name.slice(0, 3)}%`, ` ${name}`].map((model) => ask(model)),
    );

    for (const answer of answers) refusalOf(answer, 404);
  });

  it('is refused in the same words whether it is unknown, hidden or ambiguous', async () => {
    const stranger = await aPerson(world.service);
    const [hidden, twice] = [uniqueName('hidden'), uniqueName('twice')];
    const { id } = await made({ name: hidden }, stranger);
    await Promise.all([made({ name: twice }), made({ name: twice })]);

    const answers = await Promise.all(
      [
        'lamb_assistant.999999999',
        '999999999999999',
        'no such name',
        String(id),
        hidden,
        twice,
        'gpt-4o',
      ].map((model) => ask(model)),
    );

    const errors = answers.map((answer) => refusalOf(answer, 404));
    for (const error of errors) expect(error).to.deep.equal(errors[0]);
  });

  it('must be there, and be a text', async () => {
    const answers = await Promise.all([undefined, null, '', {}, ['1']].map((model) => ask(model)));

    for (const answer of answers) expect(refusalOf(answer, 400)).to.include({ param: 'model' });
  });

  it('gives nobody a way to another upstream or key', async () => {
    const assistant = await world.assistant([say('Fine.')]);
    const body = {
      ...{
        messages,
        api_base: 'http://127.0.0.1:1',
        base_url: 'http://127.0.0.1:1',
        api_key: 'sk-other-0123456789',
      },
      ...{ connector: 'bypass', llm: 'other', metadata: { connector: 'bypass' } },
    };

    const { json } = await world.service.chat(assistant.id, body);

    const [row] = await world.model.ledger(assistant.model);
    expect(json.choices[0]!.message.content).to.equal('Fine.');
    expect(row!.authorization).to.equal('Bearer sk-canary-0123456789abcdef');
    expect(row!.body).to.include({ model: assistant.model });
    expect(row!.body).not.to.have.any.keys('api_base', 'base_url', 'api_key', 'metadata');
  });
});

describe('LAMB’s own completions route', function () {
  this.timeout(60_000);
  before(beforeAll);
  const complete = (query: string, body: object = { messages }) =>
    world.service.request<Completion>(`/lamb/v1/completions${query}`, { key: owner.key, body });

  it('takes the assistant from ?assistant=N or ?assistant_id=N, whatever model the body names', async () => {
    const { id } = await made();

    const answers = await Promise.all([
      complete(`?assistant=${String(id)}`),
      complete(`?assistant_id=${String(id)}`),
      complete(`?assistant=${String(id)}`, { messages, model: 'lamb_assistant.999999999' }),
    ]);

    for (const { status, json, headers } of answers) {
      expect(status).to.equal(200);
      expect(json).to.include({ object: 'chat.completion', model: modelId({ id }) });
      expect(headers.get('x-run-id')).to.equal(json.x_bellwether.run_id);
    }
  });

  it('streams too', async () => {
    const { id } = await made();

    const { text, headers } = await complete(`?assistant=${String(id)}`, { messages, stream: true });

    expect(headers.get('content-type')).to.contain('text/event-stream');
    expect(text)
      .to.contain('"content":"Hello?"')
      .and.to.match(/data: \[DONE\]\n\n$/);
  });

  for (const query of [
    '',
    '?',
    '?assistant=',
    '?assistant=x',
    '?assistant=0',
    '?assistant=-1',
    '?assistant=1.5',
    '?assistant=1&assistant=2',
  ]) {
    it(`refuses "${query}" with 400 and says how to name the assistant`, async () => {
      expect(refusalOf(await complete(query), 400).message).to.contain('assistant');
    });
  }

  it('knows nothing of an assistant that is hidden or absent', async () => {
    const stranger = await aPerson(world.service);
    const { id } = await made({}, stranger);

    const hidden = refusalOf(await complete(`?assistant=${String(id)}`), 404);

    expect(hidden).to.deep.equal(refusalOf(await complete('?assistant=999999999'), 404));
  });
});
