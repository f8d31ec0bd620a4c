import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, hang, say, type Step } from '../../support/fakes/model-script.js';
import { giveFile } from '../../support/owner-files.js';
import type { RequestOptions } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, inDatabase, type Person, publish } from '../support/users-fixture.js';

const CONVERSATIONS = '/lamb/v1/conversations';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly sources?: readonly object[];
  readonly steps?: readonly Record<string, unknown>[];
}
interface Row {
  readonly id: string;
  readonly assistant_id: number;
  readonly assistant_name: string | null;
  readonly title: string;
  readonly messages: number;
}
interface Page {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
type Whole = Omit<Row, 'messages'> & { readonly messages: readonly Message[] };

const user = (content: string) => ({ role: 'user', content });

describe('conversations that are kept', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const send = <Body>(path: string, options: RequestOptions = {}) =>
    world.service.request<Body>(CONVERSATIONS + path, options);
  const chat = (id: number, conversation_id: string, content: string) =>
    world.service.chat(id, { messages: [user(content)], conversation_id });
  const begin = async (id: number, content: string) =>
    (await chat(id, 'new', content)).headers.get('x-conversation-id')!;
  const read = async (id: string) => (await send<Whole>(`/${id}`)).json;
  const textsOf = async (id: string) => (await read(id)).messages.map(({ content }) => content);
  const rewind = (id: string, body: object) => send<Whole>(`/${id}/rewind`, { body });
  const scripted = (steps: readonly Step[], content = {}) => world.assistant(steps, content);
  /** Somebody whose assistant echoes, so that their list holds their own and nothing else. */
  const somebody = async () => {
    const person = await aPerson(world.service);
    const metadata = { connector: 'bypass', llm: 'simple-bypass' };
    const { id } = await world.service.createAssistant({ name: 'Echo', metadata }, { key: person.key });
    return { ...person, assistantId: id };
  };
  const tell = async (
    { key, assistantId }: Person & { assistantId: number },
    content: string,
    to = 'new',
  ) => {
    const body = { messages: [user(content)], conversation_id: to };
    const { headers } = await world.service.chat(assistantId, body, { key });
    return headers.get('x-conversation-id')!;
  };
  const list = async ({ key }: Pick<Person, 'key'>, query = '') => (await send<Page>(query, { key })).json;

  it('hold with an answer the sources and the steps that were seen with it', async () => {
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, 'Cells divide.');
    const helper = await scripted([say('Help.')], { name: 'Helper' });
    const name = `call_assistant_${String(helper.id)}`;
    const { id } = await scripted(
      [call(name, { query: 'Help?' }), call('get_nothing', {}), say('They do [1].')],
      {
        prompt_template: '{file}{user_input}',
        tools: [
          { type: 'single_file_rag', mode: 'placeholder', config: { file_path: path } },
          { type: 'assistant', mode: 'function', config: { assistant_id: helper.id } },
        ],
      },
    );

    const stream = await world.service.stream(id, {
      messages: [user('Do cells divide?')],
      conversation_id: 'new',
    });
    const { statuses } = await stream.whole();

    const ended = statuses.filter(({ type }) => type === 'run.completed');
    const { messages } = await read(stream.response.headers.get('x-conversation-id')!);
    expect(messages[0]).not.to.have.any.keys('sources', 'steps');
    expect(messages[1]!.sources).to.deep.equal((ended[0] as unknown as { sources: object[] }).sources);
    expect(messages[1]!.sources![0]).to.deep.include({ n: 1, title: path, type: 'file', path, cited: true });
    expect(messages[1]!.steps!.map(({ ms, ...step }) => ({ ...step, ms: typeof ms }))).to.deep.equal([
      {
        ...step('placeholder', 'single_file_rag', `reading file ${path}`, 'completed', 0),
        subject: path,
        facts: { chars: 13, truncated: false },
      },
      { ...step('assistant', 'assistant', 'calling Helper', 'completed', 1), subject: 'Helper' },
      step('tool', 'unknown', 'calling an unknown tool', 'denied', 2),
    ]);
  });

  it('are listed last used first, with their assistant’s name and how much was said', async () => {
    const person = await somebody();
    const first = await tell(person, 'About cells');
    const second = await tell(person, 'About stars');
    await tell(person, 'More', first);

    const { data } = await list(person);

    expect(
      data.map(({ id, assistant_name, title, messages }) => [id, assistant_name, title, messages]),
    ).to.deep.equal([
      [first, 'Echo', 'About cells', 4],
      [second, 'Echo', 'About stars', 2],
    ]);
  });

  it('are found by title, by words and by assistant, page by page', async () => {
    const person = await somebody();
    const other = await world.service.createAssistant({}, { key: person.key });
    const [cells, stars] = [await tell(person, 'The cell'), await tell(person, 'The star')];
    await tell(person, 'It is a CELLULAR matter', stars);
    const empty = await send<Row>('', { key: person.key, body: { assistant_id: other.id } });

    const ids = async (query: string) => (await list(person, query)).data.map(({ id }) => id);
    const page = await list(person, '?q=cell&limit=1');

    expect(await ids('?q=cell')).to.deep.equal([stars, cells]);
    expect(await ids('?q=THE%20STAR')).to.deep.equal([stars]);
    expect(await ids('?q=%25')).to.deep.equal([]);
    expect(await ids(`?assistant_id=${String(other.id)}`)).to.deep.equal([empty.json.id]);
    expect(page.data.map(({ id }) => id)).to.deep.equal([stars]);
    expect(await ids(`?q=cell&limit=1&cursor=${page.next_cursor!}`)).to.deep.equal([cells]);
    refusalOf(await send('?assistant_id=x', { key: person.key }), 400);
  });

  it('do not tell the name of an assistant that is gone or no longer theirs', async () => {
    const owner = await somebody();
    const reader = await aColleagueOf(world.service, owner);
    await publish(world.service, owner.assistantId, 'organization', owner);
    const id = await tell({ ...reader, assistantId: owner.assistantId }, 'Hello');
    const nameFor = async () => (await list(reader)).data.find((row) => row.id === id)!.assistant_name;

    const before = await nameFor();
    await inDatabase(world.service, (stores) =>
      stores.assistants.setPublished(owner.assistantId, false, 'organization', owner.id),
    );

    expect([before, await nameFor()]).to.deep.equal(['Echo', null]);
  });

  it('are renamed, and stay where they are in the list', async () => {
    const person = await somebody();
    const [first, second] = [await tell(person, 'One'), await tell(person, 'Two')];
    const rename = (body: object) => send<Row>(`/${first}`, { method: 'PATCH', body, key: person.key });

    const renamed = await rename({ title: '  Uno  ' });

    expect(renamed.status).to.equal(200);
    expect(renamed.json).to.include({ id: first, title: 'Uno', messages: 2, assistant_name: 'Echo' });
    expect((await list(person)).data.map(({ id, title }) => [id, title])).to.deep.equal([
      [second, 'Two'],
      [first, 'Uno'],
    ]);
    for (const body of [{}, { title: ' ' }, { title: 'x'.repeat(201) }, { title: 'x', owner: 1 }])
      refusalOf(await rename(body), 400);
  });

  it('go back to an earlier message, from where they go on', async () => {
    const { id, model } = await scripted(
      ['One.', 'Two.', 'Two, better.', 'Another.'].map((text) => say(text)),
    );
    const conversation = await begin(id, 'First?');
    await chat(id, conversation, 'Second?');

    const back = await rewind(conversation, { keep: 3 });
    await chat(id, conversation, 'Second?');
    await rewind(conversation, { keep: 2 });
    await chat(id, conversation, 'Something else?');

    expect(back.status).to.equal(200);
    expect(back.json.messages.map(({ content }) => content)).to.deep.equal(['First?', 'One.', 'Second?']);
    expect(await textsOf(conversation)).to.deep.equal(['First?', 'One.', 'Something else?', 'Another.']);
    const prompt = (await world.model.ledger(model)).at(-1)!.body.messages;
    expect(JSON.stringify(prompt)).not.to.contain('Second?');
    for (const body of [{}, { keep: -1 }, { keep: 1.5 }, { keep: '1' }])
      refusalOf(await rewind(conversation, body), 400);
  });

  it('keep nothing of an answer that was under way when they went back', async () => {
    const { id } = await scripted([say('One.'), hang(2)]);
    const conversation = await begin(id, 'First?');
    const leaving = new AbortController();
    const { signal } = leaving;
    const body = { messages: [user('Second?')], conversation_id: conversation };
    const stream = await world.service.stream(id, body, { signal });
    for await (const frame of stream.frames) {
      if (frame === '[DONE]' || !frame.choices?.[0]?.delta.content) continue;
      await rewind(conversation, { keep: 2 });
      break;
    }
    leaving.abort();
    await world.service.waitForLog(
      ({ msg, runId }) => msg === 'run ended' && runId === stream.response.headers.get('x-run-id'),
    );

    expect(await textsOf(conversation)).to.deep.equal(['First?', 'One.']);
  });
});

function step(kind: string, tool: string, label: string, state: string, iteration: number) {
  return { kind, tool, label, state, ms: 'number', iteration };
}
