import { expect } from 'chai';
import { type ModelMessage, uniqueName } from '../../support/fakes/fakes.js';
import { calls, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { aPerson, type Person, speakingTo } from '../support/users-fixture.js';

interface Kept {
  readonly messages: readonly {
    readonly role: string;
    readonly steps?: readonly { readonly tool: string; readonly facts?: object }[];
  }[];
}

const CALL = calls([{ name: 'get_weather', arguments: '{"city":"Bilbao"}' }]);
const REMEMBERING = { remember_tools: { enabled: true } };

describe('what functions brought earlier in a conversation', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service, { config: speakingTo(world.model) });
  });

  const anAssistant = async (more: object = REMEMBERING, later: readonly Step[] = [say('Still 18.4.')]) => {
    const llm = uniqueName('model');
    await world.model.script(llm, [CALL, say('18.4 degrees.'), ...later]);
    const metadata = { _format_version: 2, connector: 'openai', llm, tools: [weatherFunction], ...more };
    const made = await world.service.createAssistant({ metadata }, { key: person.key });
    return { ...made, llm, metadata };
  };
  const ask = (id: number, content: string, conversation_id = 'new') =>
    world.service.chat(id, { messages: [{ role: 'user', content }], conversation_id }, { key: person.key });
  const begun = async (id: number) =>
    (await ask(id, 'How is the weather?')).headers.get('x-conversation-id')!;
  const lastPrompt = async (llm: string): Promise<readonly ModelMessage[]> =>
    (await world.model.ledger(llm)).at(-1)!.body.messages;
  const path = (id: string, rest = '') => `/lamb/v1/conversations/${id}${rest}`;
  const read = async (id: string) =>
    (await world.service.request<Kept>(path(id), { key: person.key })).json.messages;
  const broughtTo = async (llm: string) =>
    (await lastPrompt(llm)).filter(({ role }) => role === 'tool').map(({ content }) => String(content));

  it('is told to the model again as the result of that call, and shown as from earlier', async () => {
    const { id, llm } = await anAssistant();
    const conversation = await begun(id);

    await ask(id, 'And now?', conversation);

    const prompt = await lastPrompt(llm);
    expect(prompt.map(({ role }) => role)).to.deep.equal([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'user'].slice(
        prompt[0]?.role === 'system' ? 0 : 1,
      ),
    ]);
    expect((await broughtTo(llm)).join()).to.contain('18.4');
    const answers = (await read(conversation)).filter(({ role }) => role === 'assistant');
    expect(answers.map(({ steps }) => steps?.map(({ facts }) => facts))).to.deep.equal([
      [undefined],
      [{ remembered: true }],
    ]);
    expect(JSON.stringify(await read(conversation))).not.to.contain('"results"');
  });

  it('is told to nobody where its author does not want that, and takes no room', async () => {
    const { id, llm } = await anAssistant({});
    const conversation = await begun(id);

    await ask(id, 'And now?', conversation);

    expect(await broughtTo(llm)).to.deep.equal([]);
    expect((await read(conversation)).at(-1)?.steps).to.equal(undefined);
  });

  it('is gone with a rewind, and never in another conversation', async () => {
    const { id, llm } = await anAssistant(REMEMBERING, [say('No.'), say('No.')]);
    const conversation = await begun(id);

    await ask(id, 'And now?');
    expect(await broughtTo(llm)).to.deep.equal([]);

    await world.service.request(path(conversation, '/rewind'), { key: person.key, body: { keep: 1 } });
    await ask(id, 'And here?', conversation);
    expect(await broughtTo(llm)).to.deep.equal([]);
  });

  it('is not told any more once the assistant may not use the tool', async () => {
    const { id, llm, metadata } = await anAssistant();
    const conversation = await begun(id);
    const { json } = await world.service.request<{ version: number; name: string }>(
      `/lamb/v1/assistants/${String(id)}`,
      { key: person.key },
    );
    const tools = [{ ...weatherFunction, enabled: false }];
    const body = { name: json.name, version: json.version, metadata: { ...metadata, tools } };
    const saved = await world.service.request(`/lamb/v1/assistants/${String(id)}`, {
      ...{ method: 'PUT', key: person.key, body },
    });
    expect(saved.status, saved.text).to.equal(200);

    await ask(id, 'And now?', conversation);

    expect(await broughtTo(llm)).to.deep.equal([]);
  });

  it('takes no more room than its author gives it', async () => {
    const { id, llm } = await anAssistant({ remember_tools: { enabled: true, max_tokens: 100 } });
    const conversation = await begun(id);

    await ask(id, 'And now?', conversation);

    expect((await broughtTo(llm)).join('').length).to.be.within(1, 460);
  });
});
