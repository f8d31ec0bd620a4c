import { expect } from 'chai';
import OpenAI from 'openai';
import { calls, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { aPerson } from '../support/users-fixture.js';

const LOOK_UP = {
  type: 'function' as const,
  strict: false,
  name: 'look_up',
  description: 'Looks up a word in the client’s own dictionary.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

describe('the Responses API', () => {
  let world: TestService;
  let client: OpenAI;
  before(async () => {
    world = await sharedService();
    client = new OpenAI({ baseURL: `${world.service.url}/v1`, apiKey: world.service.adminKey });
  });
  const modelOf = ({ id }: { readonly id: number }) => `lamb_assistant.${String(id)}`;

  it('answers a question, goes on from a response, and gives back what was kept', async () => {
    const assistant = await world.assistant([say('In Bilbao.'), say('As I said: in Bilbao.')]);
    const model = modelOf(assistant);

    const first = await client.responses.create({ model, input: 'Where?', instructions: 'Be brief.' });
    const second = await client.responses.create({
      ...{ model, input: 'Where again?', previous_response_id: first.id },
    });
    const read = await client.responses.retrieve(second.id);

    expect(first).to.include({ object: 'response', status: 'completed', model, output_text: 'In Bilbao.' });
    expect(first.usage).to.include({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    expect(second.output_text).to.equal('As I said: in Bilbao.');
    const told = (await world.model.ledger(assistant.model))[1]!.body.messages;
    expect(told.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
    expect(JSON.stringify(told)).to.not.include('Be brief.');
    expect(read.id).to.equal(second.id);
    expect(read.output).to.deep.equal(second.output);
  });

  for (const [finish, reason] of [
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const) {
    it(`is read again as incomplete where it was cut short: ${reason}`, async () => {
      const model = modelOf(await world.assistant([say('In Bil', { finish })]));

      const first = await client.responses.create({ model, input: 'Where?' });
      const read = await client.responses.retrieve(first.id);

      expect(first).to.deep.include({ status: 'incomplete', incomplete_details: { reason } });
      expect(read).to.deep.include({ status: 'incomplete', incomplete_details: { reason } });
      expect(read.output).to.deep.equal(first.output);
    });
  }

  it('is gone on from, read and deleted also where the model had nothing to say', async () => {
    const assistant = await world.assistant([say(''), say('In Bilbao.')]);
    const model = modelOf(assistant);
    const input = [
      { role: 'user' as const, content: 'Who?' },
      { role: 'assistant' as const, content: 'Somebody.' },
      { role: 'user' as const, content: 'Where?' },
    ];

    const first = await client.responses.create({ model, input });
    const read = await client.responses.retrieve(first.id);
    await client.responses.create({ model, input: 'Well?', previous_response_id: first.id });
    await client.responses.delete(first.id);

    expect([read.status, read.output_text]).to.deep.equal(['completed', '']);
    const told = (await world.model.ledger(assistant.model))[1]!.body.messages;
    expect(told.map(({ content }) => content)).to.deep.equal(['Who?', 'Somebody.', 'Where?', 'Well?']);
    const { status } = await world.service.request(`/v1/responses/${first.id}`);
    expect(status).to.equal(404);
  });

  it('streams the events of the specification, in its order', async () => {
    const assistant = await world.assistant([say('Mild and dry.')]);

    const events = [];
    for await (const event of await client.responses.create({
      ...{ model: modelOf(assistant), input: 'Weather?', stream: true },
    })) {
      events.push(event);
    }

    const types = events.map(({ type }) => type);
    const deltas = types.filter((type) => type === 'response.output_text.delta').length;
    expect(deltas).to.be.greaterThan(0);
    expect(types.filter((type, i) => type !== types[i - 1])).to.deep.equal([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).to.deep.equal(events.map((_, i) => i));
    const last = events.at(-1)!;
    expect(last.type === 'response.completed' && last.response.output[0]).to.deep.include({
      type: 'message',
      role: 'assistant',
    });
  });

  it('runs our tools and hands over the client’s in one run; steps are told only to those who ask', async () => {
    const script = [
      calls([
        { name: 'get_weather', arguments: '{"city":"Bilbao"}' },
        { name: 'look_up', arguments: '{"word":"sirimiri"}' },
      ]),
      say('A fine rain, at 18.4 degrees.'),
    ];
    for (const stream of [false, true]) {
      const assistant = await world.assistant(script, {
        ...{ tools: [weatherFunction], metadata: { client_tools: 'allow' } },
      });
      const asked = { model: modelOf(assistant), tools: [LOOK_UP] };
      const respond = async (body: object): Promise<OpenAI.Responses.Response> =>
        stream
          ? await client.responses.stream({ ...asked, ...body } as never).finalResponse()
          : await client.responses.create({ ...asked, ...body } as never);

      const first = await respond({ input: 'Both?', include: ['bellwether:steps'] });
      const theirs = first.output.find((item) => item.type === 'function_call')!;
      const last = await respond({
        previous_response_id: first.id,
        input: [{ type: 'function_call_output', call_id: theirs.call_id, output: 'a fine rain' }],
      });

      expect(first.output.map(({ type }) => type as string)).to.deep.equal([
        'bellwether:tool_step',
        'function_call',
      ]);
      expect(theirs).to.include({ name: 'look_up', arguments: '{"word":"sirimiri"}' });
      expect(last.output.map(({ type }) => type)).to.deep.equal(['message']);
      expect(last.output_text).to.equal('A fine rain, at 18.4 degrees.');
      expect(last.id).to.not.equal(first.id);
    }
  });

  it('refuses in OpenAI’s shape what it cannot do, and knows nothing of others', async () => {
    const assistant = await world.assistant([say('Mine.')], { repeat: true });
    const model = modelOf(assistant);
    const { id } = await client.responses.create({ model, input: 'Whose?' });
    const stranger = await aPerson(world.service, { role: 'system_admin' });
    const send = (body: object, key?: string) =>
      world.service.request<{ error?: { code: string; param: string } }>('/v1/responses', {
        ...{ method: 'POST', body: { model, input: 'Hello?', ...body } },
        ...(key === undefined ? {} : { key }),
      });

    const answers = [
      await send({ tools: [{ type: 'web_search' }] }),
      await send({ background: true }),
      await send({ include: ['everything'] }),
      await send({ input: [{ type: 'unheard_of' }] }),
      await send({ tools: [LOOK_UP] }),
      await send({ previous_response_id: 'resp_unknown' }),
      await send({ previous_response_id: id }, stranger.key),
    ];
    const foreign = await world.service.request(`/v1/responses/${id}`, { key: stranger.key });

    expect(answers.map(({ status, json }) => [status, json.error?.code])).to.deep.equal([
      [400, 'unsupported_parameter'],
      [400, 'unsupported_parameter'],
      [400, 'bad_request'],
      [400, 'bad_request'],
      [400, 'client_tools_not_allowed'],
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect(foreign.status).to.equal(404);
  });

  it('keeps nothing when it is told not to, and deletes what it is told to', async () => {
    const assistant = await world.assistant([say('Here.')], { repeat: true });
    const model = modelOf(assistant);
    const unkept = await client.responses.create({ model, input: 'Where?', store: false });
    const kept = await client.responses.create({ model, input: 'Where?' });

    await client.responses.delete(kept.id);

    for (const { id } of [unkept, kept]) {
      const { status } = await world.service.request(`/v1/responses/${id}`);
      expect(status).to.equal(404);
    }
  });
});
