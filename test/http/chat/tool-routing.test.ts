import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, hang, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aPerson } from '../support/users-fixture.js';

const ALL = ['get_weather', 'get_moodle_courses', 'get_moodle_deadlines'];
const tools = [
  weatherFunction,
  { type: 'moodle', mode: 'function', enabled: true },
  { type: 'moodle_deadlines', mode: 'function', enabled: true },
];
const picking = (...functions: readonly string[]) => [say(JSON.stringify({ functions }))];

interface RunView {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly usage: { readonly prompt_tokens: number };
}

describe('tool_routing', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  async function anAssistant(
    small: readonly Step[] | undefined,
    {
      main = [say('Answer.')],
      metadata = { tool_routing: 'fast' },
    }: { readonly main?: readonly Step[]; readonly metadata?: object } = {},
  ) {
    const [smallModel, mainModel] = [uniqueName('small'), uniqueName('main')];
    await world.model.script(mainModel, main, { repeat: true });
    if (small) await world.model.script(smallModel, small, { repeat: true });
    const person = await aPerson(world.service);
    const more = small ? { small_fast_model: { provider: 'openai', model: smallModel } } : {};
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, more));
    const about = { connector: 'openai', llm: mainModel, tools, ...metadata };
    const { id } = await assistantOf(world.service, person, about);
    return {
      ask: () => world.service.chat(id, 'Is it dry in Bilbao?', { key: person.key }),
      stream: async () => (await world.service.stream(id, 'Is it dry?', { key: person.key })).whole(),
      /** The functions of each question to the large model. */
      offered: async () =>
        (await world.model.ledger(mainModel)).map(({ body }) =>
          (body.tools as readonly { readonly function: { readonly name: string } }[]).map(
            ({ function: { name } }) => name,
          ),
        ),
      smallCalls: () => world.model.ledger(smallModel),
      runOf: async (headers: Headers) => {
        const path = `/lamb/v1/runs/${String(headers.get('x-run-id'))}`;
        return (await world.service.request<RunView>(path, { key: person.key })).json;
      },
    };
  }

  it('offers in the first round what the small model picks, and all of it afterwards', async () => {
    const main = [call('get_weather', { city: 'Bilbao' }), say('Dry.')];
    const { ask, offered, smallCalls } = await anAssistant(picking('get_weather'), { main });

    const { json } = await ask();

    expect(json.choices[0]?.message.content).to.equal('Dry.');
    expect(await offered()).to.deep.equal([['get_weather'], ALL]);
    const [asked] = await smallCalls();
    const material = String(asked?.body.messages.at(-1)?.content);
    for (const name of ALL) expect(material).to.contain(`- ${name}: `);
    expect(material).to.match(/\nuser: Is it dry in Bilbao\?$/);
  });

  it('is told and on record as a step, with what was picked and what it cost', async () => {
    const { ask, stream, runOf } = await anAssistant(picking('get_weather', 'get_moodle_courses', 'no_such'));

    const { headers, json } = await ask();
    const { statuses } = await stream();

    const run = await runOf(headers);
    expect(run.steps).to.have.length(2);
    expect(run.steps[0]).to.include({ kind: 'model', tool: 'tool_routing', ok: true });
    expect(run.steps[0]?.['detail']).to.deep.equal({
      purpose: 'route',
      picked: 'get_weather, get_moodle_courses',
    });
    // Ten each of the small and of the large model.
    expect([json.usage.prompt_tokens, run.usage.prompt_tokens]).to.deep.equal([20, 20]);
    expect(json.x_bellwether).to.include({ iterations: 1 });
    const labels = statuses.map(({ type, label }) => [type, label]);
    expect(labels).to.deep.include(['model.started', 'choosing tools']);
    expect(labels).to.deep.include(['prompt.composed', 'offering get_weather, get_moodle_courses']);
  });

  it('refuses at the gate what was not offered in the first round', async () => {
    const main = [call('get_weather', { city: 'Bilbao' }), say('Never mind.')];
    const { stream } = await anAssistant(picking('get_moodle_courses'), { main });

    const { statuses } = await stream();

    expect(statuses.map(({ type }) => type))
      .to.include('tool.denied')
      .and.not.include('tool.completed');
  });

  for (const [why, small] of [
    ['there is no small model', undefined],
    ['it fails', [fail(400)]],
    ['it takes too long', [hang()]],
    ['it picks nothing', picking()],
    ['it picks what is not there', picking('no_such')],
    ['it says something else', [say('I would rather not.')]],
  ] as const) {
    it(`offers everything at once when ${why}`, async () => {
      const { ask, offered } = await anAssistant(small);

      const { status } = await ask();

      expect(status).to.equal(200);
      expect(await offered()).to.deep.equal([ALL]);
    });
  }

  it('is off unless the assistant asks for it', async () => {
    const { ask, offered, smallCalls } = await anAssistant(picking('get_weather'), { metadata: {} });

    await ask();

    expect(await offered()).to.deep.equal([ALL]);
    expect(await smallCalls()).to.have.length(0);
  });

  for (const value of ['slow', true, ['fast'], ''])
    it(`is refused as ${JSON.stringify(value)} when the assistant is saved`, async () => {
      const answer = await world.service.request('/lamb/v1/assistants', {
        body: { name: uniqueName('assistant'), metadata: { tools, tool_routing: value } },
      });

      expect(refusalOf(answer, 422)).to.include({ param: 'metadata.tool_routing' });
    });
});
