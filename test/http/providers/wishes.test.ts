import { expect } from 'chai';
import { type FakeProviders, startFakeProviders, uniqueName } from '../../support/fakes/fakes.js';
import { call, calls, raw, say, type Step } from '../../support/fakes/model-script.js';
import type { ChatInput } from '../../support/service.js';
import {
  type AssistantParts,
  createTestServiceProcess,
  endWorld,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { aCustomerOf, PROVIDERS, type ProviderCase, speakingThrough } from '../support/provider-cases.js';
import { assistantOf, configure } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const ENVIRONMENT = {
  OLLAMA_BASE_URL: 'http://127.0.0.1:9',
  ANTHROPIC_API_KEY: 'canary-environment-anthropic',
  GOOGLE_API_KEY: 'canary-environment-google',
  // Read by the libraries themselves, if they were let.
  ANTHROPIC_AUTH_TOKEN: 'canary-environment-token',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  GEMINI_API_KEY: 'canary-environment-gemini',
  AZURE_OPENAI_API_KEY: 'canary-environment-azure',
  LANGSMITH_TRACING: 'true',
  LANGSMITH_API_KEY: 'canary-environment-tracing',
};

const schema = {
  type: 'object',
  properties: { grade: { type: 'integer', minimum: 0 } },
  required: ['grade'],
  additionalProperties: false,
};

describe('what is asked of a provider', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeProviders;
  const people = new Map<string, Person>();
  before(async () => {
    fake = await startFakeProviders();
    world = await createTestServiceProcess({ ...ENVIRONMENT, LANGSMITH_ENDPOINT: fake.url });
    for (const each of PROVIDERS) people.set(each.name, await aCustomerOf(world.service, each, fake));
  });
  after(() => Promise.all([endWorld(world), fake.stop()]));

  const caseOf = (name: string) => PROVIDERS.find((each) => each.name === name) as ProviderCase;
  const bodiesOf = async (
    name: string,
    steps: readonly Step[],
    more: object = {},
    parts: AssistantParts = {},
  ) => {
    const person = people.get(name)!;
    const customer = { fake, provider: caseOf(name), person };
    const { id, model } = await speakingThrough(world.service, customer, steps, parts);
    const input: ChatInput = { messages: [{ role: 'user', content: 'Hello?' }], ...more };
    const answer = await world.service.chat(id, input, { key: person.key });
    expect(answer.status, answer.text).to.equal(200);
    return { answer, bodies: (await fake.ledger(model)).map(({ body }) => body) };
  };
  const bodyOf = async (name: string, more: object) => (await bodiesOf(name, [say('{}')], more)).bodies[0]!;

  const taste = { temperature: 0.3, top_p: 0.8, seed: 7, stop: ['END'], max_tokens: 50 };
  const format = { type: 'json_schema', json_schema: { name: 'grade', schema, strict: true } };

  it('but not which function it has to call, of Ollama: the client is told', async () => {
    const parts = { tools: [weatherFunction] };
    const { answer } = await bodiesOf('ollama', [say('Fine.')], { tool_choice: 'required' }, parts);

    expect(answer.headers.get('x-ignored-parameters')).to.equal('tool_choice');
    expect(answer.json.x_bellwether.ignored).to.deep.equal(['tool_choice']);
  });

  it('in Ollama’s words: options, and a format', async () => {
    const body = await bodyOf('ollama', { ...taste, response_format: format });

    expect(body['options']).to.deep.equal({
      temperature: 0.3,
      top_p: 0.8,
      seed: 7,
      stop: ['END'],
      num_predict: 50,
    });
    expect(body['format']).to.deep.equal(schema);
    expect(await bodyOf('ollama', { response_format: { type: 'json_object' } })).to.include({
      format: 'json',
    });
  });

  it('in Google’s words: a generation config', async () => {
    const body = await bodyOf('google', { ...taste, response_format: format });

    expect(body['generationConfig']).to.deep.include({
      temperature: 0.3,
      topP: 0.8,
      seed: 7,
      stopSequences: ['END'],
      maxOutputTokens: 50,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  it('in Azure’s words, which are OpenAI’s', async () => {
    const body = await bodyOf('azure_openai', { ...taste, response_format: format });

    expect(body).to.deep.include({ ...taste, response_format: format });
  });

  it('in Anthropic’s words: one of temperature and top_p, and the format in the instructions', async () => {
    const body = await bodyOf('anthropic', { ...taste, temperature: 1.7, response_format: format });

    expect(body).to.deep.include({ temperature: 1, stop_sequences: ['END'], max_tokens: 50 });
    expect(body).not.to.have.any.keys('top_p', 'seed');
    expect(body['system']).to.contain(JSON.stringify(schema));
  });

  it('leaves out what Anthropic’s newest models refuse, rather than failing', async () => {
    const person = people.get('anthropic')!;
    const llm = 'claude-opus-5';
    await fake.script(llm, [say('Hello.')]);
    const { id } = await assistantOf(world.service, person, { connector: 'anthropic', llm });

    const input = { messages: [{ role: 'user', content: 'Hi' }], temperature: 0.2 };
    const { status } = await world.service.chat(id, input, { key: person.key });

    expect(status).to.equal(200);
    expect((await fake.ledger(llm))[0]?.body).not.to.have.property('temperature');
  });

  for (const name of ['anthropic', 'azure_openai']) {
    it(`arguments that ${name} sends cut off reach the gate as they are, and are refused there`, async () => {
      const steps = [call('get_weather', '{"city": "Gir', { fragments: 3 }), say('Sorry.')];

      const { answer, bodies } = await bodiesOf(name, steps, {}, { tools: [weatherFunction] });

      expect(answer.json.choices[0]?.message.content).to.equal('Sorry.');
      expect(caseOf(name).results(bodies[1]!)[0]).to.match(/^Error: /);
      expect(answer.json.x_bellwether.tools).to.have.length(1);
      expect(answer.json.x_bellwether.tools[0]).to.include({ ok: false });
    });
  }

  it('tells Gemini the answers to the calls of one turn in one turn', async () => {
    const towns = [{ city: 'Girona' }, { city: 'Bilbao' }];
    const several = calls(towns.map((args) => ({ name: 'get_weather', arguments: args })));

    const { bodies } = await bodiesOf('google', [several, say('Mild.')], {}, { tools: [weatherFunction] });

    const turns = bodies[1]!['contents'] as { role: string; parts: object[] }[];
    expect(turns.map(({ role, parts }) => `${role} ${String(parts.length)}`)).to.deep.equal([
      'user 1',
      'model 2',
      'user 2',
    ]);
  });

  it('counts what Gemini thinks to itself, and takes a blocked prompt for filtered', async () => {
    const usageMetadata = {
      promptTokenCount: 5,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 90,
      totalTokenCount: 97,
    };
    const event = (response: object) => `data: ${JSON.stringify(response)}\r\n\r\n`;
    const thinking = [
      event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hmm', thought: true }] } }] }),
      event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] } }] }),
      event({ candidates: [{ finishReason: 'STOP' }], usageMetadata }),
    ];

    const thought = await bodiesOf('google', [raw(thinking)]);
    const blocked = await bodiesOf('google', [raw([event({ promptFeedback: { blockReason: 'OTHER' } })])]);

    expect(thought.answer.json.choices[0]?.message.content).to.equal('Yes.');
    expect(thought.answer.json.usage).to.include({ prompt_tokens: 5, completion_tokens: 92 });
    expect(blocked.answer.json.choices[0]?.finish_reason).to.equal('content_filter');
  });

  it('never carries a key of the environment to an address that an administrator has set', async () => {
    const me = (await world.service.request<{ organization_id: number }>('/lamb/v1/me')).json;
    const person = await aPerson(world.service, { organizationId: me.organization_id });
    const bare = Object.fromEntries(PROVIDERS.map(({ name }) => [name, { base_url: fake.url }]));
    await configure(world.service, person, { setups: { default: { providers: bare } } });

    for (const { name } of PROVIDERS) {
      const llm = uniqueName('model');
      const { id } = await assistantOf(world.service, person, { connector: name, llm });
      const answer = await world.service.chat(id, 'Hello?', { key: person.key });

      const [row] = await fake.ledger(llm);
      expect(answer.status, answer.text).to.equal(200);
      expect(JSON.stringify(row?.headers)).not.to.contain('canary');
    }
    await configure(world.service, person, {});
  });

  it('is asked of the environment’s providers by the default organisation alone', async () => {
    const listed = async (key?: string) =>
      (
        await world.service.request<{ connectors: Record<string, { available_llms: string[] }> }>(
          '/lamb/v1/completions/list',
          key === undefined ? {} : { key },
        )
      ).json.connectors;
    const stranger = await aPerson(world.service);

    const [ours, theirs] = [await listed(), await listed(stranger.key)];

    for (const name of ['ollama', 'anthropic', 'google', 'banana_img']) {
      expect(ours[name]?.available_llms, name).to.not.be.empty;
      expect(theirs[name]?.available_llms, name).to.deep.equal([]);
    }
    expect(ours['azure_openai']?.available_llms).to.deep.equal([]);
  });

  it('goes to the models an organisation has named, pictures’ apart from the others', async () => {
    const person = await aPerson(world.service);
    const google = { api_key: 'canary-x', models: ['gemini-a', 'gemini-a-image'], default_model: 'gemini-b' };
    await configure(world.service, person, { setups: { default: { providers: { google } } } });

    const { json } = await world.service.request<{
      connectors: Record<string, { available_llms: string[] }>;
    }>('/lamb/v1/completions/list', { key: person.key });

    expect(json.connectors['google']?.available_llms).to.deep.equal(['gemini-b', 'gemini-a']);
    expect(json.connectors['banana_img']?.available_llms).to.deep.equal(['gemini-a-image']);
  });

  it('is for the provider alone: LangChain’s tracing, though the environment asks for it, hears nothing', async () => {
    // Whatever the tests above asked would have been told by now.
    const others = (await fake.ledger()).filter(({ path }) => /run|info|batch/.test(path));
    expect(others).to.deep.equal([]);
  });
});
