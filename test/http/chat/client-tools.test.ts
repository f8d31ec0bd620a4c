import { expect } from 'chai';
import OpenAI from 'openai';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { aPerson } from '../support/users-fixture.js';

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
});
