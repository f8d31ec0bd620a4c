import { expect } from 'chai';
import type { DraftedAssistant, RubricDraft } from '../../../src/http/contract/gallery/templates.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { configure, providers } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const ASSISTANT = {
  ...{ name: 'Dose coach', description: 'Practises doses.', system_prompt: 'You coach.', greeting: 'Hello!' },
  ...{
    starters: ['How many millilitres?'],
    tags: ['nursing'],
    emoji: '💊',
    color: 'teal',
    tools: ['simple_rag'],
  },
};
const LEVELS = [
  { label: 'Good', score: 2, description: 'All is there.' },
  { label: 'Not yet', score: 1, description: 'Something is missing.' },
];
const RUBRIC = {
  ...{ title: 'Talk', description: 'How well somebody speaks.' },
  criteria: [
    { name: 'Content', description: 'Is it right?', weight: 2, levels: LEVELS },
    { name: 'Voice', description: 'Is it heard?', weight: 1, levels: LEVELS },
  ],
};

describe('drafts by a model', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  async function aTeacher(steps: readonly Step[]): Promise<Person & { readonly model: string }> {
    const [model, person] = [uniqueName('usual'), await aPerson(world.service)];
    await world.model.script(model, steps);
    const usual = { global_default_model: { provider: 'openai', model } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, usual));
    return { ...person, model };
  }
  const answering = (said: object) => aTeacher([say(JSON.stringify(said))]);
  const drafted = <Draft>(kind: 'assistants' | 'rubrics', { key }: Pick<Person, 'key'>, body: object = {}) =>
    world.service.request<Draft>(`/lamb/v1/${kind}/draft`, {
      ...{ key, body: { description: 'Doses for nurses', language: 'ca', ...body } },
    });

  it('of an assistant can be saved as they come, and are stored by nobody else', async () => {
    const teacher = await answering(ASSISTANT);

    const { json, status } = await drafted<DraftedAssistant>('assistants', teacher);
    const { assistant } = json;
    const [asked] = await world.model.ledger(teacher.model);
    const list = () =>
      world.service.request<{ data: object[] }>(`/lamb/v1/assistants?owner=${teacher.email}`, {
        key: teacher.key,
      });

    expect(status).to.equal(200);
    expect(assistant).to.deep.include({ name: 'Dose coach', system_prompt: 'You coach.', tags: ['nursing'] });
    expect(assistant.avatar).to.deep.equal({ emoji: '💊', color: 'teal' });
    expect(String(asked?.body.messages[0]?.content)).to.include('Write everything in Catalan');
    expect(String(asked?.body.messages.at(-1)?.content)).to.include('Doses for nurses');
    expect((await list()).json.data).to.deep.equal([]);
    const saved = await world.service.request('/lamb/v1/assistants', { key: teacher.key, body: assistant });
    expect(saved.status, saved.text).to.equal(201);
  });

  it('hold of what a model said only known fields, in their lengths, and tools that only look', async () => {
    const teacher = await answering({
      ...ASSISTANT,
      ...{
        name: ` A\nname${'!'.repeat(500)}`,
        greeting: 'x'.repeat(5_000),
        emoji: 'no emoji',
        owner: 'root',
      },
      ...{
        starters: ['Same?', 'same?', 7, '', ...Array.from({ length: 9 }, (_, i) => `Number ${String(i)}?`)],
      },
      tools: ['http', 'patch_file', 'mcp', 'weather', 'not_there', 'simple_rag', 'no_rag'],
    });

    const { json } = await drafted<DraftedAssistant>('assistants', teacher);
    const { name, greeting, starters, avatar, metadata } = json.assistant;
    const tools = metadata['tools'] as readonly { type: string; enabled: boolean }[];

    expect(name)
      .to.match(/^A name!+…$/)
      .and.have.length(120);
    expect([greeting.length, starters.length, avatar]).to.deep.equal([1_000, 6, null]);
    expect(tools.map(({ type, enabled }) => [type, enabled])).to.deep.equal([
      ['simple_rag', false],
      ['weather', true],
    ]);
    expect(json.assistant).not.to.have.property('owner');
  });

  it('of a rubric have weights that add up, and can be saved as they come', async () => {
    const teacher = await answering(RUBRIC);

    const { json } = await drafted<RubricDraft>('rubrics', teacher);
    const options = { key: teacher.key, body: json };
    const saved = await world.service.request<{ warnings: string[] }>('/lamb/v1/rubrics', options);

    expect(json.title).to.equal('Talk');
    const criteria = json.rubric_data['criteria'] as readonly { weight: number }[];
    expect(criteria.map(({ weight }) => weight)).to.deep.equal([67, 33]);
    expect([saved.status, saved.json.warnings]).to.deep.equal([201, []]);
  });

  it('cost whoever asks for them, on record like any run', async () => {
    const usage = { prompt_tokens: 700, completion_tokens: 300 };
    const teacher = await aTeacher([{ ...say(JSON.stringify(RUBRIC)), usage }]);

    await drafted('rubrics', teacher);
    const { json } = await world.service.request<{ data: { status: string; usage: object }[] }>(
      ...(['/lamb/v1/runs', { key: teacher.key }] as const),
    );

    expect(json.data).to.have.length(1);
    expect(json.data[0]?.usage).to.include(usage);
  });

  it('are a plain refusal where the model brings none, nothing is wanted, or there is no model', async () => {
    const chatty = await aTeacher([say('Gladly!'), say(JSON.stringify({ title: 'Talk', criteria: [] }))]);
    const without = await aPerson(world.service);

    expect(refusalOf(await drafted('assistants', chatty), 502).message).to.match(
      /^The model brought no assist/,
    );
    expect(refusalOf(await drafted('rubrics', chatty), 502).message).to.match(/^The model brought no rubric/);
    refusalOf(await drafted('assistants', chatty, { description: ' ' }), 400);
    for (const kind of ['assistants', 'rubrics'] as const)
      expect(refusalOf(await drafted(kind, without), 422).code).to.equal('not_configured');
  });
});
