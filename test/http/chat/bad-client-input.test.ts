import { expect } from 'chai';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { ErrorBody } from '../support/open-responses.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const MEGABYTE = 1_000_000;
const DEEP = 40;
const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };

/** None is a JSON Schema of an object. */
const BROKEN_SCHEMAS: readonly unknown[] = [
  ...['text', 7, [], { type: 'string' }, { type: 'objekt' }],
  ...[
    { type: 'object', properties: [] },
    { type: 'object', properties: { word: 'string' } },
  ],
  ...[
    { type: 'object', properties: { word: { type: 'text' } } },
    { type: 'object', required: 'word' },
  ],
  ...[{ type: 'object', properties: { words: { type: 'array', items: 'string' } } }, nested(DEEP)],
];
const BROKEN_NAMES: readonly unknown[] = ['', 'has blank', 'x'.repeat(65), 'é', 7, null];

interface Refused {
  readonly status: number;
  readonly json: unknown;
}

/** The same requests in the words of each API. */
interface Api {
  readonly name: string;
  readonly path: string;
  readonly param: string;
  asking(): object;
  tool(name: unknown, parameters: unknown): object;
  readonly unknownItems: readonly object[];
  results(answers: readonly (readonly [callId: string, content: string])[]): object;
  callIdsIn(json: unknown): readonly string[];
}

const CHAT: Api = {
  name: 'chat completions',
  path: '/v1/chat/completions',
  param: 'messages',
  asking: () => ({ messages: [{ role: 'user', content: 'Hello?' }] }),
  tool: (name, parameters) => ({ type: 'function', function: { name, parameters } }),
  unknownItems: [
    { messages: [{ role: 'wizard', content: 'Hello?' }] },
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] },
    { messages: [{ role: 'user', content: 7 }] },
    { messages: 'Hello?' },
    { messages: [] },
  ],
  results: (answers) => ({
    messages: [
      { role: 'user', content: 'Hello?' },
      {
        role: 'assistant',
        tool_calls: answers.map(([id]) => ({ id, function: { name: 'f', arguments: '' } })),
      },
      ...answers.map(([tool_call_id, content]) => ({ role: 'tool', tool_call_id, content })),
    ],
  }),
  callIdsIn: (json) =>
    (json as { choices: { message: { tool_calls: { id: string }[] } }[] }).choices[0]!.message.tool_calls.map(
      ({ id }) => id,
    ),
};

const RESPONSES: Api = {
  name: 'responses',
  path: '/v1/responses',
  param: 'input',
  asking: () => ({ input: 'Hello?' }),
  tool: (name, parameters) => ({ type: 'function', name, parameters }),
  unknownItems: [
    { input: [{ type: 'unheard_of' }] },
    { input: [{ type: 'computer_call', id: 'x' }] },
    { input: [{ role: 'wizard', content: 'Hello?' }] },
    { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'eA==' }] }] },
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
    { input: [{ role: 'user', content: 7 }] },
    {
      input: [
        { type: 'item_reference', id: 'msg_of_nobody' },
        { role: 'user', content: 'And?' },
      ],
    },
    { input: [{ role: 'system', content: 'Nobody asks.' }] },
    { input: [] },
    { input: 7 },
  ],
  results: (answers) => ({
    input: answers.map(([call_id, output]) => ({ type: 'function_call_output', call_id, output })),
  }),
  callIdsIn: (json) =>
    (json as { output: { type: string; call_id: string }[] }).output
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id }) => call_id),
};

describe('bad input of clients: 4xx in OpenAI’s shape, and nothing is run', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  for (const api of [CHAT, RESPONSES]) {
    const aScene = async () => {
      const assistant = await world.assistant(
        [call('look_up', { word: 'one' }, {}), say('Never said.'), say('Never said.')],
        { tools: [weatherFunction], metadata: { client_tools: 'allow' } },
      );
      const send = async (body: object, person?: Person): Promise<Refused> =>
        world.service.request(api.path, {
          body: { model: `lamb_assistant.${String(assistant.id)}`, ...body },
          ...(person ? { key: person.key } : {}),
        });
      const ledger = () => world.model.ledger(assistant.model);
      return { assistant, send, ledger };
    };
    const expectRefused = ({ status, json }: Refused, why: unknown) => {
      expect(status, JSON.stringify(why).slice(0, 200)).to.be.within(400, 499);
      const { error } = ErrorBody.parse(json);
      expect(error.message).to.not.match(/\bat .*:\d+:\d+|node_modules|Zod/);
      return error;
    };

    it(`${api.name}: items, roles and parts that nobody knows`, async () => {
      const { send, ledger } = await aScene();

      for (const body of api.unknownItems) {
        const { param } = expectRefused(await send(body), body);
        expect(param, JSON.stringify(body)).to.satisfy(
          (name: string | null) => name === null || name.startsWith(api.param),
        );
      }
      expect(await ledger()).to.deep.equal([]);
    });

    it(`${api.name}: tools with broken schemas or names, and two hundred of them`, async () => {
      const { send, ledger } = await aScene();
      const sound = { type: 'object', properties: {} };
      const refused = [
        ...BROKEN_SCHEMAS.map((schema) => [api.tool('look_up', schema)]),
        ...BROKEN_NAMES.map((name) => [api.tool(name, sound)]),
        ...[[{ type: 'function' }], [{ type: 'web_search' }], [7], 'look_up'],
        Array.from({ length: 200 }, (_, i) => api.tool(`tool_${String(i)}`, sound)),
      ];

      for (const tools of refused) {
        const { param } = expectRefused(await send({ ...api.asking(), tools }), tools);
        expect(param, JSON.stringify(tools).slice(0, 200)).to.match(/^tools/);
      }
      expect(await ledger()).to.deep.equal([]);
    });

    it(`${api.name}: calls that are unknown, of somebody else, or of another assistant`, async () => {
      const [mine, other] = [await aScene(), await aScene()];
      const stranger = await aPerson(world.service, { role: 'system_admin' });
      const tools = [api.tool('look_up', { type: 'object', properties: {} })];
      const begun = await mine.send({ ...api.asking(), tools });
      const [callId = ''] = api.callIdsIn(begun.json);
      const answer = api.results([[callId, 'a word']]);
      const refused = [
        await mine.send(api.results([['call_unheard_of', 'a word']])),
        await mine.send(
          api.results([
            [callId, 'a word'],
            ['call_unheard_of', 'a word'],
          ]),
        ),
        await mine.send(
          api.results([
            [callId, 'a word'],
            [callId, 'a word'],
          ]),
        ),
        await mine.send(answer, stranger),
        await other.send(answer),
        await mine.send(api.results([['x'.repeat(500), 'a word']])),
      ];

      const errors = refused.map((one) => expectRefused(one, answer));

      expect(errors.slice(0, -1).map(({ code, param }) => [code, param])).to.deep.equal(
        errors.slice(0, -1).map(() => ['unknown_tool_call', api.param]),
      );
      expect(await mine.ledger()).to.have.length(1);
      expect(await other.ledger()).to.deep.equal([]);
    });

    it(`${api.name}: a result of ten megabytes, after which the right one still goes on`, async () => {
      const { send, ledger } = await aScene();
      const tools = [api.tool('look_up', { type: 'object', properties: {} })];
      const [callId = ''] = api.callIdsIn((await send({ ...api.asking(), tools })).json);

      const refused = await send(api.results([[callId, 'x'.repeat(10 * MEGABYTE)]]));
      const before = await ledger();
      const { status } = await send(api.results([[callId, 'a word']]));

      const { param } = expectRefused(refused, 'ten megabytes');
      expect(param).to.equal(api.param);
      expect(before).to.have.length(1);
      expect(status).to.equal(200);
    });

    it(`${api.name}: names of parameters that no header can hold are told in plain letters`, async () => {
      const { send } = await aScene();
      const odd = { 'naïve\r\nSet-Cookie: a=b': 1, '': 2, 漢字: 3 };

      const { status } = await send({ ...api.asking(), ...odd });

      expect(status).to.equal(200);
    });
  }

  it('responses: an earlier response that is unknown, of somebody else, or of another assistant', async () => {
    const [one, other] = [
      await world.assistant([say('Mine.')], { metadata: { client_tools: 'allow' } }),
      await world.assistant([calls([{ name: 'look_up', arguments: '{}' }]), say('Never said.')], {
        metadata: { client_tools: 'allow' },
      }),
    ];
    const stranger = await aPerson(world.service, { role: 'system_admin' });
    const send = ({ id }: { id: number }, body: object, key?: string) =>
      world.service.request<{ id: string }>('/v1/responses', {
        body: { model: `lamb_assistant.${String(id)}`, input: 'Go on.', ...body },
        ...(key === undefined ? {} : { key }),
      });
    const { json: kept } = await send(one, {});
    const { json: waiting } = await send(other, {
      tools: [RESPONSES.tool('look_up', { type: 'object', properties: {} })],
    });
    const answer = RESPONSES.results([[RESPONSES.callIdsIn(waiting)[0] ?? '', 'a word']]);
    const previous = (id: string) => ({ previous_response_id: id });

    const refused = [
      await send(one, previous('resp_unheard_of')),
      await send(one, previous('x'.repeat(20))),
      await send(one, previous(kept.id), stranger.key),
      await send(other, previous(kept.id)),
      await send(other, { ...previous(kept.id), store: false }),
      await send(other, { ...previous('resp_unheard_of'), ...answer }),
      await send(other, { ...previous(kept.id), ...answer }),
    ];

    for (const { status, json } of refused) {
      expect([status, ErrorBody.parse(json).error.code]).to.deep.equal([404, 'not_found']);
    }
    for (const { model } of [one, other]) expect(await world.model.ledger(model)).to.have.length(1);
  });
});
