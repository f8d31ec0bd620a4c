import { expect } from 'chai';
import { call, calls, fail, hang, reset, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { ErrorBody, eventsIn, ResponseResource, type StreamingEvent } from '../support/open-responses.js';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Neither description nor strictness: both may be left out. */
const LOOK_UP = { type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } };
const MIXED: readonly Step[] = [
  call('get_weather', { city: 'Bilbao' }),
  calls([
    { name: 'get_weather', arguments: { city: 'Oslo' } },
    { name: 'look_up', arguments: '{"word":"sirimiri"}' },
  ]),
  say('A fine rain, at 18.4 degrees [1].'),
];
const user = (content: unknown) => ({ type: 'message', role: 'user', content });
const TEXT_EVENTS = [
  ...['response.created', 'response.in_progress', 'response.output_item.added'],
  ...['response.content_part.added', 'response.output_text.delta', 'response.output_text.done'],
  ...['response.content_part.done', 'response.output_item.done', 'response.completed'],
];

/** The cases of the public compliance suite of Open Responses, and what its specification says beside them. */
describe('Open Responses', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const anAssistant = (steps: readonly Step[], more: object = {}) =>
    world.assistant(steps, { tools: [weatherFunction], metadata: { client_tools: 'allow', ...more } });
  const send = ({ id }: { readonly id: number }, body: object) =>
    world.service.request('/v1/responses', { body: { model: `lamb_assistant.${String(id)}`, ...body } });
  /** The same request whole and streamed: each in its shape, and the last event holds what the whole would be. */
  const respond = async (assistant: { readonly id: number }, stream: boolean, body: object) => {
    const { status, text } = await send(assistant, { ...body, stream });
    expect(status, text).to.equal(200);
    if (!stream) return { response: ResponseResource.parse(JSON.parse(text)), events: [] };
    const events = eventsIn(text);
    const last = events.at(-1);
    if (!last || !('response' in last)) throw new Error('The last event holds no response.');
    expect(events.map(({ sequence_number }) => sequence_number)).to.deep.equal(events.map((_, i) => i));
    return { response: last.response, events };
  };
  const typesOf = (events: readonly StreamingEvent[]) =>
    events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
  const messagesTo = async (model: string, nth = 0) => (await world.model.ledger(model))[nth]!.body.messages;

  for (const stream of [false, true]) {
    const how = stream ? 'streamed' : 'whole';

    it(`basic text, ${how}: a message that is completed, and all that a response has`, async () => {
      const assistant = await anAssistant([say('Good morning, friend.')]);

      const { response, events } = await respond(assistant, stream, { input: [user('Three words?')] });

      expect(response).to.deep.include({ status: 'completed', error: null, incomplete_details: null });
      expect(response.completed_at).to.be.at.least(response.created_at);
      expect(response.output).to.have.length(1);
      expect(response.output[0]).to.deep.include({
        ...{ type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Good morning, friend.', annotations: [], logprobs: [] }],
      });
      expect(response.usage).to.include({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
      if (stream) expect(typesOf(events)).to.deep.equal(TEXT_EVENTS);
    });

    it(`system prompt, ${how}: system and developer messages and instructions reach the model as such`, async () => {
      const assistant = await anAssistant([say('Arr.')]);

      const { response } = await respond(assistant, stream, {
        instructions: 'Be brief.',
        input: [
          ...[{ type: 'message', role: 'system', content: 'Talk like a pirate.' }],
          ...[{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'In verse.' }] }],
          user('Hello?'),
        ],
      });

      expect(response).to.include({ status: 'completed', instructions: 'Be brief.' });
      const [system, ...rest] = await messagesTo(assistant.model);
      for (const words of ['Be brief.', 'Talk like a pirate.', 'In verse.'])
        expect(system).to.have.property('content').that.includes(words);
      expect(rest.map(({ role }) => role)).to.deep.equal(['user']);
    });

    it(`tool calling, ${how}: a function_call with our id, its events in order, and the answer after its output`, async () => {
      const assistant = await anAssistant(MIXED);
      const asked = { tools: [LOOK_UP], tool_choice: 'auto', input: [user('Both?')] };

      const first = await respond(assistant, stream, asked);
      const theirs = first.response.output.find((item) => item.type === 'function_call')!;
      const call_id = 'call_id' in theirs ? String(theirs.call_id) : '';
      const last = await respond(assistant, stream, {
        previous_response_id: first.response.id,
        input: [{ type: 'function_call_output', call_id, output: 'a fine rain' }],
      });

      expect(first.response.tools).to.deep.equal([{ ...LOOK_UP, description: null, strict: null }]);
      expect(first.response.output.map(({ type }) => type)).to.deep.equal(['function_call']);
      expect(theirs).to.include({ name: 'look_up', arguments: '{"word":"sirimiri"}', status: 'completed' });
      expect(last.response.previous_response_id).to.equal(first.response.id);
      expect(last.response.output[0]).to.have.nested.property('content[0].annotations').with.length(1);
      if (!stream) return;
      expect(typesOf(first.events)).to.deep.equal([
        ...['response.created', 'response.in_progress', 'response.output_item.added'],
        ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
        ...['response.output_item.done', 'response.completed'],
      ]);
      expect(typesOf(last.events)).to.deep.equal(
        TEXT_EVENTS.toSpliced(5, 0, 'response.output_text.annotation.added'),
      );
    });

    it(`image input, ${how}: the picture reaches a model that looks at pictures`, async () => {
      const assistant = await anAssistant([say('A dot.')], { capabilities: { vision: true } });
      const parts = [
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', image_url: PIXEL, detail: 'low' },
      ];

      const { response } = await respond(assistant, stream, { input: [user(parts)] });

      expect(response.status).to.equal('completed');
      expect((await messagesTo(assistant.model)).at(-1)?.content).to.deep.equal([
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } },
      ]);
    });

    it(`multi-turn, ${how}: earlier messages are told in their order, those the client sends and those that are kept`, async () => {
      const assistant = await anAssistant([say('Alice.'), say('Still Alice.')]);
      const before = {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello!' }],
      };

      const first = await respond(assistant, stream, {
        input: [user('I am Alice.'), before, user('Who am I?')],
      });
      const second = await respond(assistant, stream, {
        ...{ previous_response_id: first.response.id, input: 'And now?' },
      });

      expect(second.response.output[0]).to.have.nested.property('content[0].text', 'Still Alice.');
      const [, ...told] = (await messagesTo(assistant.model, 1)).map(({ role, content }) => [role, content]);
      expect(told).to.deep.equal([
        ...[
          ['user', 'I am Alice.'],
          ['assistant', 'Hello!'],
          ['user', 'Who am I?'],
        ],
        ...[
          ['assistant', 'Alice.'],
          ['user', 'And now?'],
        ],
      ]);
    });

    it(`incomplete, ${how}: an answer that was too long says so, as does its item`, async () => {
      const assistant = await anAssistant([say('And then', { finish: 'length' })]);

      const { response, events } = await respond(assistant, stream, {
        ...{ input: 'Tell me.', max_output_tokens: 16 },
      });

      expect(response).to.deep.include({
        ...{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        ...{ completed_at: null, max_output_tokens: 16 },
      });
      expect(response.output[0]).to.include({ status: 'incomplete' });
      if (stream) expect(events.at(-1)?.type).to.equal('response.incomplete');
    });
  }

  it('echoes what was asked for, with every key that the specification has', async () => {
    const assistant = await anAssistant([say('{"so":1}')]);
    const schema = { type: 'object', properties: { so: { type: 'number' } } };
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look_up' }] };

    const { response } = await respond(assistant, false, {
      ...{ input: 'Hello?', temperature: 0.5, top_p: 0.9, presence_penalty: 1, frequency_penalty: -1 },
      ...{ metadata: { course: 'BIO101' }, truncation: 'auto', store: false, parallel_tool_calls: false },
      text: { format: { type: 'json_schema', name: 'so', schema } },
      ...{ tools: [LOOK_UP, { ...LOOK_UP, name: 'other' }], tool_choice: allowed },
    });

    expect(response).to.deep.include({
      ...{ temperature: 0.5, top_p: 0.9, presence_penalty: 1, frequency_penalty: -1 },
      ...{ metadata: { course: 'BIO101' }, truncation: 'auto', store: false, parallel_tool_calls: false },
      text: { format: { type: 'json_schema', name: 'so', schema, description: null, strict: false } },
      tool_choice: allowed,
    });
    const { body } = (await world.model.ledger(assistant.model))[0]!;
    const offered = (body as unknown as { tools: { function: { name: string } }[] }).tools;
    expect(offered.map((tool) => tool.function.name)).to.deep.equal(['get_weather', 'look_up']);
  });

  it('is read again as it was answered, citations included', async () => {
    const assistant = await anAssistant([call('get_weather', { city: 'Bilbao' }), say('18.4 degrees [1].')]);
    const { response } = await respond(assistant, false, { input: 'Weather?' });

    const { json } = await world.service.request(`/v1/responses/${response.id}`);

    expect(ResponseResource.parse(json).output).to.deep.equal(response.output);
    expect(response.output[0]).to.have.nested.property('content[0].annotations[0].type', 'url_citation');
  });

  it('tells a fault before the stream as an HTTP error, and a later one as response.failed, the last event', async () => {
    const [refusing, breaking] = [await anAssistant([fail(401)]), await anAssistant([reset(2)])];

    const early = await send(refusing, { input: [{ type: 'unheard_of' }], stream: true });
    const whole = await send(refusing, { input: 'Hello?' });
    const { response, events } = await respond(breaking, true, { input: 'Hello?' });

    for (const { json } of [early, whole]) ErrorBody.parse(json);
    expect([early.status, whole.status]).to.deep.equal([400, 502]);
    expect(events.at(-1)?.type).to.equal('response.failed');
    expect(response.error).to.have.all.keys('code', 'message');
  });

  it('ends the run when its client leaves', async () => {
    const assistant = await anAssistant([hang(1)]);
    const leaving = new AbortController();
    const { headers, body } = await fetch(`${world.service.url}/v1/responses`, {
      ...{ method: 'POST', signal: leaving.signal },
      headers: { authorization: `Bearer ${world.service.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: String(assistant.id), input: 'Hello?', stream: true }),
    });
    await body!.getReader().read();
    await world.model.waitFor(assistant.model, { requests: 1 });
    leaving.abort();

    await world.model.waitFor(assistant.model, { closed: 1 });
    const runId = headers.get('x-run-id');
    await world.service.waitForLog((line) => line['runId'] === runId && line['msg'] === 'run ended');
    const { json } = await world.service.request<{ status: string }>(`/lamb/v1/runs/${String(runId)}`);
    expect(json.status).to.equal('cancelled');
  });
});
