import { expect } from 'chai';
import OpenAI from 'openai';
import { type FakeModel, startFakeModel } from '../../support/fakes/fakes.js';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { aBudgetedClass, organization } from '../support/budget-fixture.js';
import { aPerson, inDatabase, LONG_AGO } from '../support/users-fixture.js';

const LOOK_UP = {
  type: 'function' as const,
  function: {
    name: 'look_up',
    description: 'Looks up a word in the client’s own dictionary.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
};
const QUESTION = { role: 'user' as const, content: 'What does it mean, and how is the weather?' };

describe('tools of the client beside ours', () => {
  let world: TestService;
  let client: OpenAI;
  before(async () => {
    world = await sharedService();
    client = new OpenAI({ baseURL: `${world.service.url}/v1`, apiKey: world.service.adminKey });
  });

  const mixed = [
    calls([
      { name: 'get_weather', arguments: '{"city":"Bilbao"}' },
      { name: 'look_up', arguments: '{"word":"sirimiri"}' },
    ]),
    say('A fine rain, at 18.4 degrees.'),
  ];
  const anAssistant = (steps: Parameters<TestService['assistant']>[0], more: object = {}) =>
    world.assistant(steps, { tools: [weatherFunction], metadata: { client_tools: 'allow' }, ...more });

  it('are called by the model in the same round: ours run here, theirs end the answer, and the run goes on', async () => {
    const { id, model } = await anAssistant(mixed);
    const asked = { model: `lamb_assistant.${String(id)}`, tools: [LOOK_UP] };

    const first = await client.chat.completions.create({ ...asked, messages: [QUESTION] }).withResponse();
    const { message, finish_reason } = first.data.choices[0]!;
    const [theirs] = message.tool_calls ?? [];
    const answer = { role: 'tool' as const, tool_call_id: theirs!.id, content: 'a fine rain' };
    const last = await client.chat.completions
      .create({ ...asked, messages: [QUESTION, message, answer] })
      .withResponse();

    expect(finish_reason).to.equal('tool_calls');
    expect(message.tool_calls).to.have.length(1);
    expect(theirs).to.deep.include({
      type: 'function',
      function: { name: 'look_up', arguments: '{"word":"sirimiri"}' },
    });
    expect(theirs!.id).to.match(/^call_[\w-]{1,35}$/);
    expect(last.data.choices[0]!.message.content).to.equal('A fine rain, at 18.4 degrees.');
    const runId = first.response.headers.get('x-run-id');
    expect(last.response.headers.get('x-run-id')).to.equal(runId);
    const requests = await world.model.ledger(model);
    const brought = requests[1]!.body.messages.filter(({ role }) => role === 'tool');
    expect(brought.map(({ content }) => content).join())
      .to.include('18.4')
      .and.to.include('a fine rain');
    const { json } = await world.service.request<{
      status: string;
      iterations: number;
      usage: { prompt_tokens: number };
      steps: { kind: string }[];
    }>(`/lamb/v1/runs/${runId!}`);
    expect(json).to.include({ status: 'completed', iterations: 2 });
    expect(json.usage.prompt_tokens).to.equal(20);
    expect(json.steps.map(({ kind }) => kind)).to.deep.equal(['model', 'tool', 'model']);
  });

  it('are streamed as OpenAI streams them', async () => {
    const { id } = await anAssistant(mixed);
    const asked = { model: `lamb_assistant.${String(id)}`, tools: [LOOK_UP] };
    const stream = client.chat.completions.stream({ ...asked, messages: [QUESTION] });

    const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0]!;
    const [theirs] = message.tool_calls ?? [];
    const back = client.chat.completions.stream({
      ...asked,
      messages: [QUESTION, message, { role: 'tool', tool_call_id: theirs!.id, content: 'a fine rain' }],
    });

    expect(finish_reason).to.equal('tool_calls');
    expect(theirs!.function.name).to.equal('look_up');
    expect(await back.finalContent()).to.equal('A fine rain, at 18.4 degrees.');
  });

  it('are refused where the assistant’s author has not allowed them, and under a name that is taken', async () => {
    const closed = await world.assistant([say('No.')], {});
    const open = await anAssistant([say('No.')]);
    const messages = [QUESTION];
    const taken = { ...LOOK_UP, function: { ...LOOK_UP.function, name: 'get_weather' } };

    const answers = [
      await world.service.chat(closed.id, { messages, tools: [LOOK_UP] }),
      await world.service.chat(open.id, { messages, tools: [taken] }),
      await world.service.chat(open.id, { messages, tools: [LOOK_UP, LOOK_UP] }),
      await world.service.chat(open.id, { messages, tools: Array.from({ length: 65 }, () => LOOK_UP) }),
      await world.service.chat(open.id, {
        messages,
        tools: [LOOK_UP],
        tool_choice: { type: 'function', function: { name: 'other' } },
      }),
    ];

    expect(answers.map(({ status }) => status)).to.deep.equal([400, 400, 400, 400, 400]);
    expect(answers.map(({ json }) => json.error?.code)).to.deep.equal([
      ...['client_tools_not_allowed', 'tool_name_conflict', 'tool_name_conflict', 'bad_request'],
      'unsupported_parameter',
    ]);
    expect(await world.model.ledger(open.model)).to.deep.equal([]);
  });

  it('that are refused leave a budget as it was', async () => {
    const more = { client_tools: 'allow', tools: [weatherFunction] };
    const { ask, limit, teacher } = await aBudgetedClass(world, [say('Yes.')], more);
    await limit(organization(teacher), { unit: 'requests', amount: 1 });
    const taken = { ...LOOK_UP, function: { ...LOOK_UP.function, name: 'get_weather' } };

    const refused = await ask(undefined, { tools: [taken] });
    const asked = await ask();

    expect(refused.json.error?.code).to.equal('tool_name_conflict');
    expect(asked.status, asked.text).to.equal(200);
  });

  it('are answered all at once, each once, by whoever was asked, and no other call is known', async () => {
    const { id, model } = await anAssistant([
      calls([
        { name: 'look_up', arguments: '{"word":"one"}' },
        { name: 'look_up', arguments: '{"word":"two"}' },
      ]),
      say('Both.'),
    ]);
    const { json } = await world.service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const [one, two] = message.tool_calls.map((each) => each.id);
    const answering = (ids: readonly (string | undefined)[], key?: string) =>
      world.service.chat(
        id,
        {
          messages: [
            QUESTION,
            message,
            ...ids.map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'A word.' })),
          ],
        },
        key === undefined ? {} : { key },
      );
    const stranger = await aPerson(world.service, { role: 'system_admin' });

    const refused = [
      await answering([one]),
      await answering([one, one]),
      await answering([one, two, 'call_unheard_of']),
      await answering(['call_unheard_of']),
      await answering([one, two], stranger.key),
    ];
    const [last, again] = [await answering([one, two]), await answering([one, two])];

    expect(refused.map(({ json: { error } }) => error?.code)).to.deep.equal(
      refused.map(() => 'unknown_tool_call'),
    );
    expect(last.json.choices[0]!.message.content).to.equal('Both.');
    expect(again.json.error?.code).to.equal('unknown_tool_call');
    expect(await world.model.ledger(model)).to.have.length(2);
  });

  it('are history once somebody asks again: told to the model as they were, and left out when nobody knows them', async () => {
    const { id, model } = await anAssistant([
      call('look_up', { word: 'sirimiri' }),
      say('A fine rain.'),
      say('You asked that.'),
    ]);
    const first = await world.service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = first.json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a fine rain' };
    await world.service.chat(id, { messages: [QUESTION, message, result] });
    const foreign = { ...message, tool_calls: [{ ...message.tool_calls[0], id: 'call_of_nobody' }] };

    const { json } = await world.service.chat(id, {
      messages: [
        ...[QUESTION, foreign, { ...result, tool_call_id: 'call_of_nobody' }],
        ...[QUESTION, message, result, { role: 'assistant', content: 'A fine rain.' }],
        { role: 'user', content: 'What did I ask?' },
      ],
    });

    expect(json.choices[0]!.message.content).to.equal('You asked that.');
    const told = (await world.model.ledger(model))[2]!.body.messages;
    expect(told.map(({ role }) => role)).to.deep.equal([
      ...['system', 'user', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(JSON.stringify(told)).to.not.include('call_of_nobody');
  });

  it('count as rounds: after five the model must answer, however often it is gone on with', async () => {
    const { id, model } = await anAssistant([call('look_up', { word: 'more' })], { repeat: true });
    const messages: object[] = [QUESTION];
    const finished: string[] = [];

    for (let asked = 1; asked <= 8 && finished.at(-1) !== 'stop'; asked++) {
      const { json } = await world.service.chat(id, { messages, tools: [LOOK_UP] });
      const { message, finish_reason } = json.choices[0]!;
      const [theirs] = (message as { tool_calls?: { id: string }[] }).tool_calls ?? [];
      finished.push(finish_reason);
      messages.push(message, { role: 'tool', tool_call_id: theirs?.id, content: 'a word' });
    }

    expect(finished).to.deep.equal([...Array.from({ length: 5 }, () => 'tool_calls'), 'stop']);
    const choices = (await world.model.ledger(model)).map(({ body }) => body.tool_choice);
    expect(choices).to.deep.equal([...Array.from({ length: 5 }, () => 'auto'), 'none']);
  });

  it('must be those that the run began with, and may be left out when it goes on', async () => {
    const { id } = await anAssistant([call('look_up', { word: 'x' }), say('A letter.')]);
    const first = await world.service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = first.json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a letter' };
    const messages = [QUESTION, message, result];
    const another = { ...LOOK_UP, function: { ...LOOK_UP.function, name: 'look_away' } };

    const altered = await world.service.chat(id, { messages, tools: [LOOK_UP, another] });
    const without = await world.service.chat(id, { messages });

    expect([altered.status, altered.json.error?.param]).to.deep.equal([400, 'tools']);
    expect(without.json.choices[0]!.message.content).to.equal('A letter.');
  });

  const chosen = async (model: string) =>
    (await world.model.ledger(model)).map(({ body }) => ({
      choice: body.tool_choice,
      offered: (body as unknown as { tools?: { function: { name: string } }[] }).tools?.map(
        (tool) => tool.function.name,
      ),
    }));
  const wordAsked = async (id: number) => {
    const { json } = await world.service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a letter' };
    return [QUESTION, message, result];
  };

  it('are withheld from a run that goes on when the client wants none of them called', async () => {
    const { id, model } = await anAssistant([call('look_up', { word: 'x' }), say('A letter.')]);

    const { json } = await world.service.chat(id, {
      ...{ messages: await wordAsked(id), tools: [LOOK_UP], tool_choice: 'none' },
    });

    expect(json.choices[0]!.message.content).to.equal('A letter.');
    expect((await chosen(model))[1]).to.deep.equal({ choice: 'auto', offered: ['get_weather'] });
  });

  for (const tool_choice of ['required', { type: 'function', function: { name: 'look_up' } }]) {
    it(`are called in a run that goes on as the client wants it: ${JSON.stringify(tool_choice)}`, async () => {
      const { id, model } = await anAssistant([call('look_up', { word: 'x' }), say('A letter.')]);

      // With its tools left out, as they may be then.
      await world.service.chat(id, { messages: await wordAsked(id), tool_choice });

      expect((await chosen(model))[1]).to.deep.equal({
        choice: tool_choice,
        offered: ['get_weather', 'look_up'],
      });
    });
  }

  it('need not be there for a choice among those of the assistant', async () => {
    const get = (name: string) => ({ type: 'function', function: { name } });
    const closed = () => world.assistant([say('Fine.')], { tools: [weatherFunction] });
    const [named, required, unknown] = [await closed(), await closed(), await closed()];
    const plain = await world.assistant([say('Fine.')], {});
    const messages = [QUESTION];

    await world.service.chat(named.id, { messages, tool_choice: get('get_weather') });
    await world.service.chat(required.id, { messages, tool_choice: 'required' });
    const refused = await world.service.chat(unknown.id, { messages, tool_choice: get('look_up') });
    const inVain = await world.service.chat(plain.id, { messages, tool_choice: 'required' });

    expect((await chosen(named.model))[0]?.choice).to.deep.equal(get('get_weather'));
    expect((await chosen(required.model))[0]?.choice).to.equal('required');
    expect([refused.status, refused.json.error?.param]).to.deep.equal([400, 'tool_choice']);
    expect(await chosen(unknown.model)).to.deep.equal([]);
    expect(inVain.headers.get('x-ignored-parameters')).to.equal('tool_choice');
  });

  it('that bring a picture are not told to have brought nothing, in either API', async () => {
    const picture = 'data:image/png;base64,iVBORw0KGgo=';
    const asked = async (path: string, body: object) => (await world.service.request(path, { body })).text;
    const brought = async (model: string) =>
      (await world.model.ledger(model))[1]!.body.messages.at(-1)?.content;
    const steps = [call('look_up', { word: 'x' }), say('A picture.')];
    const [chat, response] = [await anAssistant(steps), await anAssistant(steps)];
    const [, message, result] = await wordAsked(chat.id);
    const { tools, input } = { tools: [{ ...LOOK_UP.function, type: 'function' }], input: 'What?' };
    const model = `lamb_assistant.${String(response.id)}`;

    await world.service.chat(chat.id, {
      messages: [
        ...[QUESTION, message!],
        { ...result, content: [{ type: 'image_url', image_url: { url: picture } }] },
      ],
    });
    const first = await asked('/v1/responses', { model, tools, input });
    const output = [{ type: 'input_image', image_url: picture }];
    const call_id = /call_[\w-]{20,}/.exec(first)![0];
    await asked('/v1/responses', { model, input: [{ type: 'function_call_output', call_id, output }] });

    expect(await brought(chat.model)).to.match(/cannot read: image_url/);
    expect(await brought(response.model)).to.match(/cannot read: input_image/);
  });

  it('are answered once, also when the answer comes many times at once', async () => {
    const { id, model } = await anAssistant([call('look_up', { word: 'x' }), say('A letter.')]);
    const first = await world.service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = first.json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a letter' };

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.service.chat(id, { messages: [QUESTION, message, result] })),
    );

    const told = answers.map(({ status, json }) => (status === 200 ? 'answered' : json.error?.code));
    expect(told.sort()).to.deep.equal(['answered', ...Array.from({ length: 5 }, () => 'unknown_tool_call')]);
    expect(await world.model.ledger(model)).to.have.length(2);
  });
});

describe('tools of the client, while services come and go', function () {
  this.timeout(60_000);
  let dataDir: string;
  let model: FakeModel;
  let running: Service[];
  beforeEach(async () => {
    [dataDir, model] = await Promise.all([makeDataDir(), startFakeModel()]);
    running = [];
  });
  afterEach(async () => {
    for (const service of running) await service.stop();
    await model.stop();
    await removeDataDir(dataDir);
  });

  const start = async () => {
    const settings = { OPENAI_API_KEY: 'sk-canary-0123456789abcdef', OPENAI_BASE_URL: `${model.url}/v1` };
    const service = await startService({ ...settings, RATE_LIMIT: '0' }, { dataDir });
    running.push(service);
    return service;
  };
  const handedOverBy = async (service: Service) => {
    await model.script('clerk', [call('look_up', { word: 'x' }), say('A letter.')]);
    const { id } = await service.createAssistant({
      metadata: { _format_version: 2, connector: 'openai', llm: 'clerk', client_tools: 'allow' },
    });
    const { json, headers } = await service.chat(id, { messages: [QUESTION], tools: [LOOK_UP] });
    const message = json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a letter' };
    return { id, runId: headers.get('x-run-id'), messages: [QUESTION, message, result] };
  };

  it('are answered to another process than the one that asked', async () => {
    const [first, second] = [await start(), await start()];
    const { id, runId, messages } = await handedOverBy(first);

    const { json, headers } = await second.chat(id, { messages });

    expect(json.choices[0]!.message.content).to.equal('A letter.');
    expect(headers.get('x-run-id')).to.equal(runId);
  });

  it('are answered to a service that was started again since', async () => {
    const first = await start();
    const { id, runId, messages } = await handedOverBy(first);
    await first.stop();
    running = [];

    const { json, headers } = await (await start()).chat(id, { messages });

    expect(json.choices[0]!.message.content).to.equal('A letter.');
    expect(headers.get('x-run-id')).to.equal(runId);
  });

  it('are not known any more after an hour', async () => {
    const service = await start();
    const { id, messages } = await handedOverBy(service);
    const expires = await inDatabase(service, (_stores, db) => db('handovers').first('expires_at'));
    await inDatabase(service, (_stores, db) => db('handovers').update({ expires_at: LONG_AGO }));

    const late = await service.chat(id, { messages });

    const inMinutes = (Date.parse((expires as { expires_at: string }).expires_at) - Date.now()) / 60_000;
    expect(inMinutes).to.be.within(55, 60);
    expect([late.status, late.json.error?.code]).to.deep.equal([400, 'unknown_tool_call']);
    expect(await model.ledger('clerk')).to.have.length(1);
  });
});
