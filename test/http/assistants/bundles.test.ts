import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { giveFile } from '../../support/owner-files.js';
import { type AssistantRecord } from '../../support/service.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf, type Listed } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  publish,
} from '../support/users-fixture.js';

type Needs = Readonly<Record<'tools' | 'collections' | 'rubrics' | 'files' | 'assistants', unknown[]>>;
interface Bundle {
  readonly format: string;
  readonly version: number;
  readonly assistant: Readonly<Record<string, unknown>>;
  readonly requires: Needs;
}
interface Imported {
  readonly assistant: AssistantRecord & {
    readonly metadata: { readonly tools: readonly { enabled: boolean }[] };
  };
  readonly missing: Needs;
}

const NOTHING: Needs = { tools: [], collections: [], rubrics: [], files: [], assistants: [] };

describe('a bundle', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const made = (content: object, key = owner.key) => world.service.createAssistant(content, { key });
  const exported = async (id: number, client = mine) =>
    (await client.get<Bundle>(`/${String(id)}/export`)).json;
  const imported = (bundle: object, client = mine, more: object = {}) =>
    client.post<Imported>('/import', { bundle, ...more });
  const parts = ({
    name,
    description,
    system_prompt,
    prompt_template,
    metadata,
    RAG_collections,
    RAG_Top_k,
  }: Record<string, unknown>) => ({
    ...{ name, description, system_prompt, prompt_template, metadata, RAG_collections, RAG_Top_k },
  });

  it('carries an assistant whole: what comes back is what went out', async () => {
    const before = await made({
      description: 'd',
      system_prompt: 's {x}',
      prompt_template: '{weather} {user_input}',
      metadata: { llm: 'm', custom: { deep: [1, null] }, tools: [weatherFunction] },
      RAG_collections: 'a',
      RAG_Top_k: 3,
    });

    const bundle = await exported(before.id);
    const { status, json } = await imported(bundle);

    expect(bundle).to.include({ format: 'bellwether.assistant', version: 1 });
    expect(bundle.requires).to.deep.equal({ ...NOTHING, tools: ['weather'] });
    expect(status).to.equal(201);
    expect(json.missing).to.deep.equal(NOTHING);
    expect(parts(json.assistant)).to.deep.equal(parts(before));
    expect(json.assistant).to.include({ owner: owner.email, version: 1, published: false });
    expect(json.assistant.id).not.to.equal(before.id);
    expect(await exported(json.assistant.id)).to.deep.equal(bundle);
  });

  it('comes in as the file that was exported, exactly as it is', async () => {
    const before = await made({
      system_prompt: 'As it was.',
      metadata: { llm: 'm', tools: [weatherFunction] },
    });
    const { text: file } = await mine.get<Bundle>(`/${String(before.id)}/export`);
    const lamb = {
      id: 7,
      name: '3_biology',
      system_prompt: 'Be kind.',
      api_callback: '{"connector":"bypass"}',
    };

    const { status, json } = await mine.post<Imported>('/import', JSON.parse(file) as object);
    const ofLamb = await mine.post<Imported>('/import', lamb);

    expect(status).to.equal(201);
    expect(parts(json.assistant)).to.deep.equal(parts(before));
    expect(ofLamb.status, ofLamb.text).to.equal(201);
    expect(ofLamb.json.assistant).to.include({ name: '3_biology', system_prompt: 'Be kind.' });
  });

  it('holds nothing about people and no secret', async () => {
    const { id } = await made({
      metadata: { api_key: 'sk-1', nested: [{ shared_secret: 'x', max_tokens: 5, token: 'y' }] },
    });
    await publish(world.service, id, 'everyone', owner);

    const bundle = await exported(id);

    expect(bundle).to.have.all.keys('format', 'version', 'assistant', 'requires', 'names', 'attachments');
    expect(bundle.assistant).to.have.all.keys(
      ...[
        'name',
        'description',
        'system_prompt',
        'prompt_template',
        'metadata',
        'RAG_collections',
        'RAG_Top_k',
      ],
      ...['greeting', 'starters', 'avatar', 'tags'],
    );
    expect(bundle.assistant['metadata']).to.deep.equal({ nested: [{ max_tokens: 5 }] });
    expect(JSON.stringify(bundle)).not.to.contain(owner.email);
  });

  it('names what a classic assistant leans on, in its own words', async () => {
    const { id } = await inDatabase(world.service, ({ assistants }) =>
      assistants.create(
        { id: owner.id, organizationId: owner.organizationId },
        {
          ...BLANK_CONTENT,
          ...{ name: 'classic', promptTemplate: '{context}' },
          metadata: {
            rag_processor: 'rubric_rag',
            rubric_id: 'r-1',
            tools: [{ type: 'simple_rag', config: { collections: ['c1', 'c2'] } }],
          },
        },
      ),
    );

    const { requires } = await exported(id);

    expect(requires).to.deep.include({
      tools: ['rubric_rag', 'simple_rag'],
      collections: ['c1', 'c2'],
      rubrics: ['r-1'],
    });
  });

  it('comes in with what is missing switched off and named: tools, files, assistants', async () => {
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, 'text');
    const target = await world.service.createAssistant({});
    const root = clientOf(world, { key: world.service.adminKey });
    const before = await world.service.createAssistant({
      metadata: {
        tools: [
          { type: 'single_file_rag', mode: 'placeholder', config: { file_path: path } },
          { type: 'assistant', mode: 'function', config: { assistant_id: target.id } },
          weatherFunction,
          { type: 'teleport', enabled: false },
        ],
      },
    });
    const bundle = await exported(before.id, root);
    const withMore = {
      ...bundle,
      assistant: {
        ...bundle.assistant,
        metadata: {
          tools: [...(before.metadata['tools'] as object[]), { type: 'warp', config: { speed: 9 } }],
        },
      },
    };

    const own = await imported(bundle, root);
    const { status, json } = await imported(withMore);

    expect(own.json.missing).to.deep.equal(NOTHING);
    expect(status).to.equal(201);
    expect(json.missing).to.deep.equal({
      ...NOTHING,
      tools: ['warp'],
      files: [path],
      assistants: [target.id],
    });
    const { tools } = json.assistant.metadata;
    expect(tools.map(({ enabled }) => enabled)).to.deep.equal([false, false, true, false, false]);
    expect(tools[4]).to.deep.include({ type: 'warp', config: { speed: 9 } });
  });

  it('that came in with something missing can be changed and saved like any other', async () => {
    const { json } = await imported({ name: 'x', metadata: { tools: ['warp'] } });
    const { id, metadata } = json.assistant;

    const saved = await mine.put(`/${String(id)}`, { name: 'y', metadata, version: 1 });
    const on = { ...metadata, tools: [{ type: 'warp', enabled: true }] };
    const switchedOn = await mine.put(`/${String(id)}`, { name: 'y', metadata: on, version: 2 });

    expect(saved.status).to.equal(200);
    expect(refusalOf(switchedOn, 422).message).to.contain('warp');
  });

  it('switches off the one tool of a classic assistant too, and loses none of its keys', async () => {
    const metadata = { rag_processor: 'single_file_rag', file_path: uniqueName('nowhere'), note: 1 };

    const { json } = await imported({
      format: 'bellwether.assistant',
      version: 1,
      assistant: { name: 'x', metadata },
    });

    expect(json.missing.files).to.deep.equal([metadata.file_path]);
    expect(json.assistant.metadata).to.deep.include(metadata);
    expect(json.assistant.metadata.tools).to.have.length(1);
    expect(json.assistant.metadata.tools[0]).to.include({
      type: 'single_file_rag',
      enabled: false,
      placeholder: 'context',
    });
  });

  it('does not take another assistant for the one it means only because the id is the same', async () => {
    const target = await made({ name: 'Maths expert' });
    const before = await made({
      metadata: { tools: [{ type: 'assistant', mode: 'function', config: { assistant_id: target.id } }] },
    });
    const bundle = await exported(before.id);
    await mine.put(`/${String(target.id)}`, { name: 'Something else', version: 1 });

    const { json } = await imported(bundle);

    expect(json.missing.assistants).to.deep.equal([target.id]);
  });

  it('of LAMB’s own shape comes in too, under another name if wished', async () => {
    const record = {
      ...{ id: 7, name: '3_biology', description: null, owner: 'x@example.org', group_id: 'g' },
      ...{ system_prompt: 'Be kind.', prompt_template: '{user_input}', RAG_Top_k: 3, RAG_collections: '' },
      api_callback: '{"connector":"bypass","llm":"simple-bypass","rag_processor":"no_rag"}',
    };

    const { status, json } = await imported(record, mine, { name: 'Biology' });

    expect(status).to.equal(201);
    expect(json.assistant).to.deep.include({
      name: 'Biology',
      owner: owner.email,
      system_prompt: 'Be kind.',
      RAG_Top_k: 3,
    });
    expect(json.assistant.metadata).to.deep.equal({
      connector: 'bypass',
      llm: 'simple-bypass',
      rag_processor: 'no_rag',
    });
  });

  it('with faults makes nothing at all', async () => {
    const person = await aPerson(world.service);
    const theirs = clientOf(world, person);
    const whole = { format: 'bellwether.assistant', version: 1, assistant: { name: 'x' } };

    for (const body of [
      {},
      [whole],
      { ...whole, version: 2 },
      { ...whole, assistant: { name: 'x', owner: 'me' } },
      { bundle: 7 },
      { bundle: whole, owner: 'me' },
      { bundle: { ...whole, version: 2 } },
      { bundle: { ...whole, format: 'other' } },
      { bundle: { ...whole, assistant: { name: 'x', owner: 'me' } } },
      { bundle: { description: 'no name' } },
    ]) {
      refusalOf(await theirs.post('/import', body), 400);
    }
    for (const metadata of [
      { _format_version: 3 },
      { connector: 'warp' },
      { tools: [{ type: 'weather', config: { units: 'kelvin' } }] },
    ]) {
      refusalOf(await imported({ ...whole, assistant: { name: 'x', metadata } }, theirs), 422);
    }

    const own = `?owner=${encodeURIComponent(person.email)}`;
    expect((await theirs.get<Listed>(own)).json.data).to.deep.equal([]);
  });

  it('is not for students to make, and whoever imports is on the books', async () => {
    const student = await aColleagueOf(world.service, owner, 'student');
    const teacher = await aPerson(world.service);

    refusalOf(await imported({ name: 'x' }, clientOf(world, student)), 403);
    const { json } = await imported({ name: 'x' }, clientOf(world, teacher));

    expect(await auditOf(world.service, student)).to.have.length(1);
    const [row] = await auditOf(world.service, teacher);
    expect(row).to.include({
      action: 'import',
      outcome: 'done',
      resource: `assistant ${String(json.assistant.id)}`,
    });
  });
});
