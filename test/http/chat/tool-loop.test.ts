import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, calls, held, say } from '../../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';

interface RunView {
  readonly status: string;
  readonly iterations: number;
  readonly capped: string | false;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly steps: readonly {
    readonly kind: string;
    readonly tool?: string;
    readonly ok: boolean;
    readonly iteration: number;
  }[];
}

describe('the tool loop', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const run = async (id: string) => (await world.service.request<RunView>(`/lamb/v1/runs/${id}`)).json;
  const toolMessages = async (model: string) => {
    const requests = await world.model.ledger(model);
    return requests.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
  };

  it('runs the tool a model asks for, hands it the result, and streams the answer', async () => {
    const assistant = await world.assistant([call('get_weather', { city: 'Bilbao' }), say('It is mild.')], {
      tools: [weatherFunction],
    });

    const stream = await (await world.service.stream(assistant.id, 'Weather in Bilbao?')).whole();

    const [message] = await toolMessages(assistant.model);
    expect(stream.text).to.equal('It is mild.');
    expect(message!.content).to.contain('Bilbao').and.to.contain('18.4');
    expect(stream.statuses.map(({ type }) => type)).to.deep.equal([
      'run.started',
      'prompt.composed',
      'model.started',
      'tool.started',
      'tool.completed',
      'model.started',
      'run.completed',
    ]);
  });

  it('executes five rounds, then asks once more with tool_choice none, and marks the run capped', async () => {
    const assistant = await world.assistant(
      [...Array.from({ length: 5 }, () => call('get_weather', { city: 'Bilbao' })), say('Enough.')],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'Again and again?');

    const requests = await world.model.ledger(assistant.model);
    expect(json.choices[0]!.message.content).to.equal('Enough.');
    expect(json.x_bellwether).to.include({ iterations: 6, capped: 'rounds' });
    expect(json.x_bellwether.tools).to.have.length(5);
    expect(requests.map(({ body }) => body.tool_choice)).to.deep.equal([
      'auto',
      'auto',
      'auto',
      'auto',
      'auto',
      'none',
    ]);
  });

  it('never executes a sixth round, even when the model ignores tool_choice none, and still answers', async () => {
    const assistant = await world.assistant([call('get_weather', { city: 'Girona' })], {
      tools: [weatherFunction],
      repeat: true,
    });

    const { json } = await world.service.chat(assistant.id, 'For ever?');

    expect(await world.model.ledger(assistant.model)).to.have.length(6);
    expect(json.x_bellwether.tools).to.have.length(5);
    expect(json.choices[0]!.message.content).to.have.length.greaterThan(10);
    expect(json.choices[0]).to.include({ finish_reason: 'stop' });
  });

  it('asks for no answer twice: one model call for each round and one for the answer', async () => {
    const assistant = await world.assistant(
      [call('get_weather', { city: 'Bilbao' }), call('get_weather', { city: 'Girona' }), say('Done.')],
      { tools: [weatherFunction] },
    );

    await world.service.chat(assistant.id, 'Two towns?');

    expect(await world.model.ledger(assistant.model)).to.have.length(3);
  });

  it('runs the calls of one round at the same time and answers them in call order', async () => {
    const towns = ['a', 'b', 'c'].map((letter) => uniqueName(`Slowtown-${letter}`));
    const assistant = await world.assistant(
      [calls(towns.map((city) => ({ name: 'get_weather', arguments: { city } }))), say('All three.')],
      { tools: [weatherFunction] },
    );

    const answer = world.service.chat(assistant.id, 'Three towns?');
    // Each is asked while the others are still unanswered: were they run in turn, this would wait for ever.
    await Promise.all(towns.map((town) => world.weather.waitFor(town, { requests: 1 })));
    await Promise.all(towns.toReversed().map((town) => world.weather.release(town)));
    await answer;

    const contents = (await toolMessages(assistant.model)).map(({ content }) => String(content));
    expect(contents.map((content, i) => content.includes(towns[i]!))).to.deep.equal([true, true, true]);
  });

  it('executes calls whatever finish_reason says, and calls that come in fragments', async () => {
    const assistant = await world.assistant(
      [call('get_weather', { city: 'Barcelona' }, { finish: 'stop', fragments: 9 }), say('Warm.')],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'Barcelona?');

    expect(json.x_bellwether.tools).to.have.length(1);
    expect(json.x_bellwether.tools[0]).to.include({ tool: 'weather', ok: true });
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['cut JSON', '{"city": "Bil', 'not valid JSON'],
    ['null', 'null', 'do not fit'],
    ['an array', '["Bilbao"]', 'do not fit'],
    ['a wrong type', '{"city": 7}', 'do not fit'],
    ['an unknown key', '{"city": "Bilbao", "user_id": 3}', 'do not fit'],
    ['__proto__ as a key', '{"city": "Bilbao", "__proto__": {"admin": true}}', 'do not fit'],
    ['one key twice', '{"city": "Bilbao", "city": "Girona"}', 'twice'],
    ['a megabyte', JSON.stringify({ city: 'x'.repeat(1_000_000) }), 'larger than'],
    ['thirty thousand levels', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'deeper than'],
  ];
  for (const [what, text, reason] of refused) {
    it(`refuses arguments that are ${what}, tells the model why, and goes on`, async () => {
      const city = uniqueName('nowhere');
      const assistant = await world.assistant(
        [call('get_weather', text.replace('Bilbao', city)), say('Sorry.')],
        {
          tools: [weatherFunction],
        },
      );

      const { json } = await world.service.chat(assistant.id, 'Weather?');

      const [message] = await toolMessages(assistant.model);
      expect(message!.content)
        .to.match(/^Error: /)
        .and.to.contain(reason);
      expect(String(message!.content).length).to.be.lessThan(1000);
      expect(json.choices[0]!.message.content).to.equal('Sorry.');
      expect(await world.weather.ledger(city)).to.deep.equal([]);
    });
  }

  it('refuses what was not offered: a tool the assistant does not hold, one that is off, one that does not exist', async () => {
    const city = uniqueName('Delaytown');
    const assistant = await world.assistant(
      [
        calls([
          { name: 'read_file', arguments: {} },
          { name: 'get_weather', arguments: { city } },
          { name: 'rm_rf', arguments: {} },
        ]),
        say('I may not.'),
      ],
      {
        tools: [
          { ...weatherFunction, enabled: false },
          { type: 'no_rag', enabled: true, mode: 'placeholder' },
        ],
      },
    );

    const stream = await (await world.service.stream(assistant.id, 'Do it')).whole();

    const contents = (await toolMessages(assistant.model)).map(({ content }) => content);
    expect(new Set(contents).size).to.equal(1);
    expect(stream.statuses.filter(({ type }) => type === 'tool.denied')).to.have.length(3);
    expect(await world.weather.ledger(city)).to.deep.equal([]);
    expect(stream.text).to.equal('I may not.');
  });

  it('stops using a tool the owner switches off while a run is going on', async () => {
    const gate = uniqueName('gate');
    const city = uniqueName('Delaytown');
    const assistant = await world.assistant(
      [held(gate, call('get_weather', { city })), say('It is off now.')],
      {
        tools: [weatherFunction],
      },
    );

    const answer = world.service.chat(assistant.id, 'Weather?');
    await world.model.waitFor(assistant.model, { requests: 1 });
    const { id, name, version, metadata } = assistant;
    const off = { ...metadata, tools: [{ ...weatherFunction, enabled: false }] };
    await world.service.request(`/lamb/v1/assistants/${String(id)}`, {
      method: 'PUT',
      body: { name, version, metadata: off },
    });
    await world.model.release(gate);

    expect((await answer).json.x_bellwether.tools[0]).to.include({ tool: 'weather', ok: false });
    expect(await world.weather.ledger(city)).to.deep.equal([]);
  });

  it('runs at most 32 calls of a round, at most eight at a time, and answers every one', async () => {
    const assistant = await world.assistant(
      [
        calls(
          Array.from({ length: 100 }, (_, i) => ({
            name: 'get_weather',
            arguments: { city: `Nowhere ${String(i)}` },
          })),
        ),
        say('Too many.'),
      ],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'A hundred towns?');

    expect(json.x_bellwether.tools).to.have.length(32);
    expect(await toolMessages(assistant.model)).to.have.length(100);
  });

  it('runs one call once though its id comes twice, and answers every id once', async () => {
    const twice = { name: 'get_weather', arguments: { city: 'Bilbao' }, id: 'same' };
    const assistant = await world.assistant(
      [
        calls([twice, twice, { ...twice, arguments: { city: 'Girona' } }, { ...twice, id: '' }]),
        say('Done.'),
      ],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'Twice?');

    const ids = (await toolMessages(assistant.model)).map(({ tool_call_id }) => tool_call_id);
    expect(json.x_bellwether.tools).to.have.length(3);
    expect(new Set(ids).size).to.equal(3);
  });

  it('sums the usage of every call into the answer and keeps a trace that holds no contents', async () => {
    const assistant = await world.assistant(
      [
        call('get_weather', { city: 'Donostia' }, { usage: { prompt_tokens: 100, completion_tokens: 20 } }),
        say('Mild by the sea.', { usage: { prompt_tokens: 150, completion_tokens: 30 } }),
      ],
      { tools: [weatherFunction] },
    );

    const { json, headers } = await world.service.chat(assistant.id, 'How is Donostia today?');

    const record = await run(headers.get('x-run-id')!);
    expect(json.usage).to.deep.equal({ prompt_tokens: 250, completion_tokens: 50, total_tokens: 300 });
    expect(record.usage).to.deep.equal({ prompt_tokens: 250, completion_tokens: 50 });
    expect(record).to.include({ status: 'completed', iterations: 2, capped: false });
    expect(record.steps.map(({ kind, tool, iteration }) => [kind, tool, iteration])).to.deep.equal([
      ['model', undefined, 1],
      ['tool', 'weather', 1],
      ['model', undefined, 2],
    ]);
    expect(JSON.stringify(record)).not.to.match(/Donostia|Mild/);
  });

  it('lets a tool that hangs, breaks or answers far too much harm neither the run nor the service', async () => {
    const towns = ['Brokentown', 'Hugetown', 'Stormtown'].map(uniqueName);
    const assistant = await world.assistant(
      [
        calls(towns.map((city) => ({ name: 'get_weather', arguments: { city } }))),
        say('None of them worked.'),
      ],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'Weather?');

    expect(json.choices[0]!.message.content).to.equal('None of them worked.');
    expect(json.x_bellwether.tools.map(({ ok }) => ok)).to.deep.equal([false, false, false]);
    expect((await world.service.request('/healthz')).status).to.equal(200);
  });
});
