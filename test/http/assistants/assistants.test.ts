import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { AssistantRecord, RequestOptions } from '../../support/service.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  publish,
  shareWith,
} from '../support/users-fixture.js';

const ASSISTANTS = '/lamb/v1/assistants';
const HOSTILE = `'; DROP TABLE assistants; -- "\\" ?? ? :name $1 $& %_ {user_input} \u2028 😀 é <b>`;

interface AssistantList {
  readonly data: readonly AssistantRecord[];
  readonly next_cursor: string | null;
}

let world: TestService;
let owner: Person;
const beforeAll = async () => {
  world = await sharedService();
  owner = await aPerson(world.service);
};

const at = (id: number) => `${ASSISTANTS}/${String(id)}`;
const send = <Body = AssistantRecord>(path: string, options: RequestOptions = {}) =>
  world.service.request<Body>(path, { key: owner.key, ...options });
const create = (body: object, key = owner.key) => send(ASSISTANTS, { body, key });
const read = (id: number, key = owner.key) => send(at(id), { key });
const replace = (id: number, body: object, key = owner.key) => send(at(id), { method: 'PUT', body, key });
const remove = (id: number, key = owner.key) => send(at(id), { method: 'DELETE', key });
const chat = (id: number, key = owner.key) => world.service.chat(id, 'Hello?', { key });
const made = (content: object = {}, key = owner.key) => world.service.createAssistant(content, { key });
/** Answers by itself, so that who may chat can be asked without a model. */
const echo = { connector: 'bypass', llm: 'simple-bypass' };
const list = (query = '', key = owner.key) => send<AssistantList>(`${ASSISTANTS}${query}`, { key });

describe('an assistant', function () {
  this.timeout(60_000);
  before(beforeAll);

  it('is created as the whole record, with 201', async () => {
    const name = uniqueName('biology');

    const { status, json } = await create({
      name,
      system_prompt: 'Be kind.',
      prompt_template: '{user_input}',
    });

    expect(status).to.equal(201);
    expect(json).to.have.all.keys(
      ...[
        'id',
        'name',
        'description',
        'owner',
        'organization_id',
        'system_prompt',
        'prompt_template',
        'metadata',
      ],
      ...[
        'RAG_collections',
        'RAG_Top_k',
        'published',
        'publish_scope',
        'enabled',
        'version',
        'assistant_type',
      ],
      ...['created_at', 'updated_at', 'may_edit', 'vision', 'attachments', 'tests', 'tools', 'shared_with'],
      ...['greeting', 'starters', 'avatar', 'tags'],
    );
    expect(json).to.include({
      name,
      description: '',
      system_prompt: 'Be kind.',
      prompt_template: '{user_input}',
    });
    expect(json).to.include({ owner: owner.email, organization_id: owner.organizationId, version: 1 });
    expect(json).to.include({ published: false, publish_scope: 'organization', enabled: true });
    expect(json.id).to.be.a('number');
    expect((await read(json.id)).json).to.deep.equal(json);
  });

  it('takes metadata as an object or as JSON text, gives back an object, and loses no unknown key', async () => {
    const metadata = { llm: 'm', custom: { deep: [1, null, { ключ: true }] }, 'odd key': '', tools: [] };

    const fromObject = await made({ metadata });
    const fromText = await made({ metadata: JSON.stringify(metadata) });

    expect((await read(fromObject.id)).json.metadata).to.deep.equal(metadata);
    expect((await read(fromText.id)).json.metadata).to.deep.equal(metadata);
  });

  it('keeps keys that JavaScript has a meaning for as keys like any other', async () => {
    const metadata = '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"custom":{"__proto__":4}}';
    const headers = { 'content-type': 'application/json' };

    const fromObject = await send(ASSISTANTS, { body: `{"name":"odd","metadata":${metadata}}`, headers });
    const fromText = await create({ name: 'odd', metadata });

    expect(JSON.stringify(fromText.json.metadata)).to.equal(metadata);
    expect(JSON.stringify(fromObject.json.metadata)).to.equal(metadata);
  });

  it('keeps unknown keys of its metadata when it is read and saved again', async () => {
    const { id } = await made({
      metadata: { custom: { kept: 1 }, tools: [{ ...weatherFunction, note: 'mine' }] },
    });
    const { name, metadata, version } = (await read(id)).json;

    await replace(id, { name, metadata, version });

    const saved = (await read(id)).json;
    expect(saved.metadata).to.deep.equal(metadata);
    expect(saved.version).to.equal(version + 1);
  });

  it('is of the type its tools and connector say', async () => {
    const types = await Promise.all([
      made({ metadata: { llm: 'm' } }),
      made({ metadata: { _format_version: 2, tools: [{ type: 'weather', config: { city: 'Bilbao' } }] } }),
      made({ metadata: { tools: [weatherFunction] } }),
      made({ metadata: { connector: 'openai_tools' } }),
      made({ metadata: { tools: [{ ...weatherFunction, enabled: false }] } }),
    ]);

    expect(types.map(({ assistant_type }) => assistant_type)).to.deep.equal([
      'classic',
      'multi_tool',
      'orchestrator',
      'orchestrator',
      'multi_tool',
    ]);
  });

  it('keeps every character of its texts, SQL or not, and is found by them', async () => {
    const name = `${uniqueName('n')} ${HOSTILE}`;
    const texts = { name, description: HOSTILE, system_prompt: HOSTILE, prompt_template: HOSTILE };

    const { id } = await made({ ...texts, metadata: { [HOSTILE]: HOSTILE } });
    const found = await list(`?q=${encodeURIComponent(name)}`);

    expect((await read(id)).json).to.deep.include({ ...texts, metadata: { [HOSTILE]: HOSTILE } });
    expect(found.json.data.map((row) => row.id)).to.deep.equal([id]);
  });

  it('is changed by whoever read its newest version', async () => {
    const { id } = await made({ description: 'first' });

    const changed = await replace(id, { name: 'renamed', description: 'second', version: 1 });

    expect(changed.status).to.equal(200);
    expect(changed.json).to.include({ id, name: 'renamed', description: 'second', version: 2 });
    expect((await read(id)).json).to.deep.equal(changed.json);
  });

  it('keeps what a change leaves out', async () => {
    const content = {
      description: 'd',
      system_prompt: 's',
      prompt_template: 't',
      RAG_collections: 'a,b',
      RAG_Top_k: 4,
    };
    const before = await made({ ...content, metadata: { llm: 'm', custom: 1 } });

    const { json } = await replace(before.id, { name: 'renamed', version: 1 });

    expect(json).to.deep.equal({ ...before, name: 'renamed', version: 2, updated_at: json.updated_at });
  });

  it('is not changed from a stale version', async () => {
    const { id, name } = await made();
    await replace(id, { name, description: 'newest', version: 1 });

    const stale = await replace(id, { name: 'lost', version: 1 });
    const ahead = await replace(id, { name: 'lost', version: 7 });

    expect(refusalOf(stale, 409).code).to.equal('conflict');
    refusalOf(ahead, 409);
    expect((await read(id)).json).to.include({ name, description: 'newest', version: 2 });
  });

  it('is changed by exactly one of many who save the same version at once', async () => {
    const { id } = await made();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => replace(id, { name: `writer ${String(i)}`, version: 1 })),
    );

    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).to.have.length(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(9);
    expect((await read(id)).json).to.deep.equal(winners[0]!.json);
  });

  it('cannot be changed without saying which version was read', async () => {
    const { id } = await made();

    expect(refusalOf(await replace(id, { name: 'x' }), 400).message).to.contain('version');
  });

  it('is gone once deleted: for reading, changing, deleting, chatting and in both lists', async () => {
    const { id, name } = await made({ metadata: echo });

    const deleted = await remove(id);

    const models = await send<{ data: { id: string }[] }>('/v1/models');
    expect(deleted.status).to.equal(204);
    refusalOf(await read(id), 404);
    refusalOf(await replace(id, { name, version: 1 }), 404);
    refusalOf(await remove(id), 404);
    refusalOf(await chat(id), 404);
    expect((await list(`?q=${name}`)).json.data).to.deep.equal([]);
    expect(models.json.data.map((model) => model.id)).not.to.include(`lamb_assistant.${String(id)}`);
  });

  it('whose stored metadata cannot be read is shown, not run, and not overwritten by a change of its name', async () => {
    const { id, version } = await made();
    const unreadable = '{"llm": "cut short';
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id }).update({ metadata: unreadable }),
    );

    const shown = await read(id);
    const run = await chat(id);
    const renamed = await replace(id, { name: 'renamed', version });

    const stored = await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id }).first<{ metadata: string }>('metadata'),
    );
    expect(shown.status).to.equal(200);
    refusalOf(run, 422);
    expect(renamed.status).to.be.oneOf([200, 422]);
    expect(stored.metadata).to.equal(unreadable);
  });

  it('is not made by a student', async () => {
    const student = await aPerson(world.service, { role: 'student' });

    refusalOf(await create({ name: 'mine' }, student.key), 403);
    expect((await auditOf(world.service, student)).map(({ outcome }) => outcome)).to.deep.equal(['denied']);
  });
});

describe('the body of an assistant', function () {
  this.timeout(60_000);
  before(beforeAll);

  it('takes no unknown key, names each, and gives nobody another owner, organisation, id or publication', async () => {
    const sly = {
      id: 1,
      owner: 'x@example.test',
      organization_id: 1,
      published: true,
      enabled: false,
      version: 9,
    };

    const refused = await create({ name: 'x', ...sly });

    const { message } = refusalOf(refused, 400);
    for (const key of Object.keys(sly)) expect(message).to.contain(`"${key}"`);
  });

  it('takes none in a change either, and nothing changes', async () => {
    const { id, name, version } = await made();
    const before = (await read(id)).json;

    const refused = await replace(id, { name, version, owner: 'x@example.test', published: true });

    expect(refusalOf(refused, 400).message).to.contain('owner').and.to.contain('published');
    expect((await read(id)).json).to.deep.equal(before);
  });

  it('has all its faults listed at once', async () => {
    const body = {
      name: ' ',
      description: 7,
      system_prompt: null,
      metadata: [],
      RAG_Top_k: 1.5,
      colour: 'red',
    };

    const { message } = refusalOf(await create(body), 400);

    for (const key of Object.keys(body)) expect(message).to.contain(key);
  });

  it('has a name of 1 to 200 characters', async () => {
    refusalOf(await create({}), 400);
    refusalOf(await create({ name: '' }), 400);
    refusalOf(await create({ name: 'n'.repeat(201) }), 400);
    expect((await create({ name: 'n'.repeat(200) })).status).to.equal(201);
  });

  it('has no number that a database cannot hold', async () => {
    const { id, name } = await made();

    const topK = await create({ name: 'x', RAG_Top_k: 2 ** 50 });
    const version = await replace(id, { name, version: 2 ** 50 });

    expect(refusalOf(topK, 400).param).to.equal('RAG_Top_k');
    refusalOf(version, version.status === 409 ? 409 : 400);
  });

  for (const [what, metadata] of [
    ['text that is not JSON', '{"llm":'],
    ['text of a list', '[1]'],
    ['text of a number', '7'],
    ['a number', 7],
    ['null', null],
  ] as const) {
    it(`has no metadata that is ${what}`, async () => {
      const { message, param } = refusalOf(await create({ name: 'x', metadata }), 400);

      expect(message).to.contain('metadata');
      expect(param).to.equal('metadata');
    });
  }

  it('says what metadata must be when its text is not JSON', async () => {
    const { message } = refusalOf(await create({ name: 'x', metadata: '{"llm":' }), 400);

    expect(message).to.contain('JSON');
  });

  for (const depth of [40, 100_000]) {
    it(`has no metadata ${String(depth)} levels deep, as an object or as text`, async () => {
      const nested = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
      const headers = { 'content-type': 'application/json' };

      const asObject = await send(ASSISTANTS, { body: `{"name":"deep","metadata":${nested}}`, headers });
      const asText = await create({ name: 'deep', metadata: nested });

      for (const answer of [asObject, asText])
        expect(refusalOf(answer, 422)).to.include({ code: 'too_complex' });
      await expectAlive(world.service);
    });
  }
});

describe('the list of assistants', function () {
  this.timeout(60_000);
  before(beforeAll);
  const ids = (answer: { json: AssistantList }) => answer.json.data.map(({ id }) => id);

  it('can be narrowed by type, text, owner and publication', async () => {
    const person = await aPerson(world.service);
    const classic = await made({ name: 'Algebra', description: 'for the FIRST year' }, person.key);
    const orchestrator = await made({ name: 'Weather', metadata: { tools: [weatherFunction] } }, person.key);
    await publish(world.service, classic.id, 'organization', person);

    const byQuery = async (query: string) => ids(await list(`?owner=${person.email}${query}`, person.key));

    expect(await byQuery('')).to.have.members([classic.id, orchestrator.id]);
    expect(await byQuery('&type=orchestrator')).to.deep.equal([orchestrator.id]);
    expect(await byQuery('&type=classic')).to.deep.equal([classic.id]);
    expect(await byQuery('&q=ALGEBRA')).to.deep.equal([classic.id]);
    expect(await byQuery('&q=first%20year')).to.deep.equal([classic.id]);
    expect(await byQuery('&q=%25')).to.deep.equal([]);
    expect(await byQuery('&published=true')).to.deep.equal([classic.id]);
    expect(await byQuery('&published=false')).to.deep.equal([orchestrator.id]);
    expect(ids(await list(`?owner=${person.email.toUpperCase()}`, person.key))).to.have.length(2);
    expect(ids(await list('?owner=nobody%40example.test', person.key))).to.deep.equal([]);
    expect(await byQuery('&type=classic&published=false')).to.deep.equal([]);
  });

  it('can be narrowed to what others share with the caller by name', async () => {
    const owner = await aPerson(world.service);
    const colleague = await aColleagueOf(world.service, owner);
    const [shared, published] = [await made({}, owner.key), await made({}, owner.key)];
    await publish(world.service, published.id, 'organization', owner);
    await shareWith(world.service, shared.id, colleague);

    expect(ids(await list('?shared=true', colleague.key))).to.deep.equal([shared.id]);
    expect(ids(await list('?shared=true', owner.key))).to.deep.equal([]);
  });

  it('is paged by a cursor, each assistant once, also when one is added meanwhile', async () => {
    const person = await aPerson(world.service);
    const all: number[] = [];
    for (let i = 0; i < 5; i++) all.push((await made({}, person.key)).id);

    const page = (cursor = '') => list(`?owner=${person.email}&limit=2${cursor}`, person.key);

    const first = await page();
    const added = await made({}, person.key);
    const second = await page(`&cursor=${first.json.next_cursor!}`);
    const third = await page(`&cursor=${second.json.next_cursor!}`);

    expect([first, second, third].map(({ json }) => json.data.length)).to.deep.equal([2, 2, 1]);
    expect([first, second, third].flatMap(ids).filter((id) => id !== added.id)).to.have.members(all);
    expect(third.json.next_cursor).to.equal(null);
  });

  for (const query of [
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=nonsense',
    'type=odd',
    'published=maybe',
    'shared=false',
    'q=a&q=b',
  ]) {
    it(`refuses ?${query}`, async () => {
      refusalOf(await list(`?${query}`), 400);
    });
  }

  it('holds no name, owner or count of what the caller may not chat with', async () => {
    const [person, stranger] = await Promise.all([aPerson(world.service), aPerson(world.service)]);
    const { name } = await made({ description: 'secret plans' }, person.key);

    const answers = await Promise.all([
      list(`?q=${name}`, stranger.key),
      list('?q=secret%20plans', stranger.key),
      list(`?owner=${encodeURIComponent(person.email)}`, stranger.key),
    ]);
    const whole = await list('?limit=200', stranger.key);

    for (const { json } of answers) expect(json).to.deep.equal({ data: [], next_cursor: null });
    expect(whole.text).not.to.contain(name).and.not.to.contain(person.email);
  });
});

describe('what would not run is not saved', function () {
  this.timeout(60_000);
  before(beforeAll);
  const faultOf = async (metadata: object) => {
    const error = refusalOf(await create({ name: 'faulty', metadata }), 422);
    expect(error.code).to.equal('invalid_configuration');
    return error.message;
  };
  const withTool = (entry: unknown) => faultOf({ tools: [entry] });

  it('an unknown tool', async () => {
    expect(await withTool({ type: 'teleport' }))
      .to.contain('tools.0')
      .and.to.contain('teleport');
  });

  it('an unknown connector and an unknown prompt processor, both named', async () => {
    const message = await faultOf({ connector: 'warp', prompt_processor: 'magic' });

    expect(message).to.contain('connector').and.to.contain('warp');
    expect(message).to.contain('prompt_processor').and.to.contain('magic');
  });

  it('a tool with a bad configuration, every fault of it named', async () => {
    const message = await faultOf({
      tools: [
        { ...weatherFunction, config: { city: 7, units: 'kelvin' } },
        { type: 'single_file_rag', config: { max_chars: 0 } },
      ],
    });

    expect(message).to.contain('tools.0').and.to.contain('config.city').and.to.contain('config.units');
    expect(message)
      .to.contain('tools.1')
      .and.to.contain('config.file_path')
      .and.to.contain('config.max_chars');
  });

  for (const [what, entry] of [
    ['a configuration that is not an object', { type: 'weather', config: 'Bilbao' }],
    ['a mode that does not exist', { type: 'weather', mode: 'functon' }],
    ['"enabled" that is neither true nor false', { type: 'weather', enabled: 'false' }],
    ['an on_error that does not exist', { type: 'weather', on_error: 'explode' }],
    ['no type', { enabled: true, mode: 'function' }],
    ['nothing but a number', 7],
  ] as const) {
    it(`a tool entry with ${what}`, async () => {
      expect(await withTool(entry)).to.contain('tools');
    });
  }

  it('tools that are not a list, and a format newer than known', async () => {
    expect(await faultOf({ tools: { weather: true } })).to.contain('tools');
    expect(await faultOf({ _format_version: 3 })).to.contain('version');
  });

  for (const placeholder of ['user_input', '__proto__', 'a}{b', 'Context', '{user_input}']) {
    it(`a placeholder named ${placeholder}`, async () => {
      const message = await withTool({
        type: 'weather',
        mode: 'placeholder',
        placeholder,
        config: { city: 'Bilbao' },
      });

      expect(message).to.contain('tools.0').and.to.contain('placeholder');
    });
  }

  it('a tool in a mode it does not have', async () => {
    expect(await withTool({ type: 'no_rag', mode: 'function' }))
      .to.contain('no_rag')
      .and.to.contain('function');
  });

  it('a tool twice that an assistant can hold only once', async () => {
    const message = await faultOf({ tools: [weatherFunction, weatherFunction] });

    expect(message).to.contain('tools.1').and.to.contain('weather').and.to.contain('once');
  });

  it('by a change either, and the assistant stays as it was', async () => {
    const { id, name, version } = await made({ metadata: { llm: 'm' } });
    const before = (await read(id)).json;

    refusalOf(await replace(id, { name, version, metadata: { tools: ['teleport'] } }), 422);

    expect((await read(id)).json).to.deep.equal(before);
  });
});

describe('an assistant as a tool', function () {
  this.timeout(60_000);
  before(beforeAll);
  const calling = (assistant_id: number, mode = 'function') => ({
    tools: [{ type: 'assistant', mode, config: { assistant_id } }],
  });
  const fault = async (id: number, key = owner.key) =>
    refusalOf(await create({ name: 'caller', metadata: calling(id) }, key), 422).message;

  it('may be one the owner may chat with', async () => {
    const colleague = await aColleagueOf(world.service, owner);
    const [own, shared, published] = await Promise.all([
      made(),
      made({}, colleague.key),
      made({}, colleague.key),
    ]);
    await shareWith(world.service, shared.id, owner);
    await publish(world.service, published.id, 'organization', colleague);

    for (const { id } of [own, shared, published]) {
      expect((await create({ name: 'caller', metadata: calling(id) })).status).to.equal(201);
    }
  });

  it('is refused in the same words when it is absent, private of a colleague or of another organisation', async () => {
    const stranger = await aPerson(world.service);
    const colleague = await aColleagueOf(world.service, owner);
    const [foreign, private_] = await Promise.all([made({}, stranger.key), made({}, colleague.key)]);
    const absent = 999_999_999;

    const faults = await Promise.all(
      [absent, foreign.id, private_.id].map(async (id) => (await fault(id)).replaceAll(String(id), 'N')),
    );

    expect(new Set(faults).size).to.equal(1);
    expect(faults.join()).not.to.contain(stranger.email).and.not.to.contain(foreign.name);
  });

  it('is refused for its own reason when it calls functions itself', async () => {
    const { id } = await made({ metadata: { tools: [weatherFunction] } });

    const reason = await fault(id);

    expect(reason).to.contain(String(id)).and.to.contain('functions');
    expect(reason).not.to.equal((await fault(999_999_999)).replaceAll('999999999', String(id)));
  });

  it('that calls functions itself but is not the owner’s to use is refused as absent', async () => {
    const stranger = await aPerson(world.service);
    const { id } = await made({ metadata: { tools: [weatherFunction] } }, stranger.key);

    const absent = await fault(999_999_999);

    expect(await fault(id)).to.equal(absent.replaceAll('999999999', String(id)));
  });

  for (const mode of ['function', 'placeholder']) {
    it(`cannot be itself, in ${mode} mode`, async () => {
      const { id, name, version } = await made();

      const answer = await replace(id, { name, version, metadata: calling(id, mode) });

      expect(refusalOf(answer, 422).message).to.contain(String(id));
    });
  }

  it('is judged by the owner’s rights, not by those of an administrator who saves it', async () => {
    const stranger = await aPerson(world.service);
    const admin = await aColleagueOf(world.service, owner, 'system_admin');
    const [foreign, mine] = await Promise.all([made({}, stranger.key), made()]);

    const answer = await replace(
      mine.id,
      { name: 'x', version: 1, metadata: calling(foreign.id) },
      admin.key,
    );

    refusalOf(answer, 422);
  });
});

describe('somebody else’s assistant', function () {
  this.timeout(60_000);
  before(beforeAll);
  const absent = 999_999_999;
  const tryAll = async (id: number, key: string) => [
    await read(id, key),
    await replace(id, { name: 'stolen', version: 1 }, key),
    await remove(id, key),
    await chat(id, key),
  ];

  for (const who of [
    'another organisation',
    'the same organisation',
    'another organisation’s administrators',
  ]) {
    it(`is for ${who} as if it did not exist, and nothing changes`, async () => {
      const { id } = await made({ metadata: echo });
      const before = (await read(id)).json;
      const other =
        who === 'the same organisation'
          ? await aColleagueOf(world.service, owner)
          : await aPerson(world.service, { role: who.endsWith('administrators') ? 'org_admin' : 'creator' });

      const denied = await tryAll(id, other.key);
      const unknown = await tryAll(absent, other.key);

      for (const answer of denied) refusalOf(answer, 404);
      expect(denied.map(({ text }) => text)).to.deep.equal(unknown.map(({ text }) => text));
      expect((await read(id)).json).to.deep.equal(before);
    });
  }

  it('leaves a line in the audit for each attempt, with who, what and why', async () => {
    const { id } = await made({ metadata: echo });
    const other = await aPerson(world.service);

    await tryAll(id, other.key);

    const rows = await auditOf(world.service, other);
    expect(rows).to.have.length(4);
    for (const row of rows) {
      expect(row).to.include({ outcome: 'denied', organization_id: other.organizationId });
      expect(row.resource).to.contain(String(id));
      expect(row.reason).not.to.equal('');
    }
  });

  it('that is shared may be read without how it is made, and chatted with', async () => {
    const secrets = { system_prompt: 'canary-system', prompt_template: 'canary-template {user_input}' };
    const { id } = await made({
      ...secrets,
      RAG_collections: 'canary-collection',
      metadata: { ...echo, note: 'canary-note' },
    });
    const guest = await aPerson(world.service);
    await shareWith(world.service, id, guest);

    const shown = await read(id, guest.key);
    const listed = await list(`?owner=${encodeURIComponent(owner.email)}&published=false`, guest.key);
    const answer = await chat(id, guest.key);

    expect(shown.status).to.equal(200);
    expect(shown.json).to.include({ id, owner: owner.email });
    expect(shown.json).not.to.have.any.keys(
      'system_prompt',
      'prompt_template',
      'metadata',
      'RAG_collections',
      'RAG_Top_k',
    );
    expect(listed.json.data).to.deep.equal([shown.json]);
    expect(shown.text + listed.text).not.to.contain('canary');
    expect(answer.status).to.equal(200);
  });

  it('that is shared may not be changed or deleted: 403, nothing changes, and both are audited', async () => {
    const { id, name } = await made();
    const guest = await aPerson(world.service);
    await shareWith(world.service, id, guest);

    refusalOf(await replace(id, { name: 'stolen', version: 1 }, guest.key), 403);
    refusalOf(await remove(id, guest.key), 403);

    const rows = await auditOf(world.service, guest);
    expect((await read(id)).json).to.include({ name, version: 1 });
    expect(rows.map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['change', 'denied'],
      ['delete', 'denied'],
    ]);
    for (const row of rows) {
      expect(row).to.include({ resource: `assistant ${String(id)}`, organization_id: guest.organizationId });
      expect(row.reason).not.to.equal('');
    }
  });

  it('that is no longer shared is gone at the next request', async () => {
    const { id } = await made({ metadata: echo });
    const guest = await aPerson(world.service);
    await shareWith(world.service, id, guest);
    const before = await chat(id, guest.key);

    await inDatabase(world.service, ({ assistants }) => assistants.unshare(id, guest.id));

    expect(before.status).to.equal(200);
    refusalOf(await chat(id, guest.key), 404);
    refusalOf(await read(id, guest.key), 404);
  });

  it('that is published is for its organisation alone, unless it is for everyone', async () => {
    const [inside, everywhere] = await Promise.all([made({ metadata: echo }), made({ metadata: echo })]);
    const [colleague, stranger] = await Promise.all([
      aColleagueOf(world.service, owner),
      aPerson(world.service),
    ]);
    await publish(world.service, inside.id, 'organization', owner);
    await publish(world.service, everywhere.id, 'everyone', owner);

    const statuses = async (key: string) =>
      (await Promise.all([inside.id, everywhere.id].flatMap((id) => [read(id, key), chat(id, key)]))).map(
        ({ status }) => status,
      );

    expect(await statuses(colleague.key)).to.deep.equal([200, 200, 200, 200]);
    expect(await statuses(stranger.key)).to.deep.equal([404, 404, 200, 200]);
    refusalOf(await replace(everywhere.id, { name: 'x', version: 2 }, stranger.key), 403);
    expect((await read(everywhere.id, stranger.key)).json).not.to.have.property('system_prompt');
  });

  it('is open to the administrators of its organisation and of the system', async () => {
    const { id } = await made({ system_prompt: 'Be kind.', metadata: echo });
    const admins = await Promise.all([
      aColleagueOf(world.service, owner, 'org_admin'),
      aPerson(world.service, { role: 'system_admin' }),
    ]);

    for (const { key } of admins) {
      expect((await read(id, key)).json).to.include({ system_prompt: 'Be kind.' });
      expect((await chat(id, key)).status).to.equal(200);
    }
  });

  it('stays the owner’s when an administrator changes it', async () => {
    const { id, name } = await made();
    const admin = await aColleagueOf(world.service, owner, 'org_admin');

    const changed = await replace(id, { name, description: 'by the admin', version: 1 }, admin.key);

    expect(changed.json).to.include({
      owner: owner.email,
      organization_id: owner.organizationId,
      version: 2,
    });
  });
});
