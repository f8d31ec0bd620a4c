import { expect } from 'chai';
import type { ModelMessage } from '../../support/fakes/fakes.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { fail, partialText, reset, say, type Step } from '../../support/fakes/model-script.js';
import type { AssistantRecord, ChatInput } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person, speakingTo } from '../support/users-fixture.js';

const CONVERSATIONS = '/lamb/v1/conversations';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

interface ConversationView {
  readonly id: string;
  readonly assistant_id: number;
  readonly title: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly incomplete: boolean;
    readonly run_id: string | null;
  }[];
}
interface ConversationList {
  readonly data: readonly ConversationView[];
  readonly next_cursor: string | null;
}
interface Scripted extends AssistantRecord {
  readonly model: string;
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

describe('a conversation', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service, { config: speakingTo(world.model) });
  });

  const scripted = async (
    steps: readonly Step[],
    content: object = {},
    { key } = person,
  ): Promise<Scripted> => {
    const model = uniqueName('model');
    await world.model.script(model, steps);
    const metadata = { connector: 'openai', llm: model };
    return { ...(await world.service.createAssistant({ ...content, metadata }, { key })), model };
  };
  const chat = (id: number, conversation_id: string, messages: readonly object[], { key } = person) =>
    world.service.chat(id, { messages, conversation_id }, { key });
  const begin = async (id: number, first: string, by = person) =>
    (await chat(id, 'new', [user(first)], by)).headers.get('x-conversation-id')!;
  const at = (id: string) => `${CONVERSATIONS}/${id}`;
  const read = (id: string, { key } = person) => world.service.request<ConversationView>(at(id), { key });
  const remove = (id: string, { key } = person) => world.service.request(at(id), { method: 'DELETE', key });
  const talk = async (id: string) =>
    (await read(id)).json.messages.map(({ role, content, incomplete }) => ({ role, content, incomplete }));
  const lastPrompt = async (model: string): Promise<readonly ModelMessage[]> =>
    (await world.model.ledger(model)).at(-1)!.body.messages;

  it('is made by "new", and the header tells its id', async () => {
    const { id } = await scripted([say('Hello!')]);

    const answer = await chat(id, 'new', [user('Hi there')]);

    const conversationId = answer.headers.get('x-conversation-id')!;
    const kept = (await read(conversationId)).json;
    expect(answer.status).to.equal(200);
    expect(kept).to.include({ id: conversationId, assistant_id: id, title: 'Hi there' });
    expect(kept.messages.map(({ run_id }) => run_id)).to.deep.equal([
      answer.json.x_bellwether.run_id,
      answer.json.x_bellwether.run_id,
    ]);
    expect(await talk(conversationId)).to.deep.equal([
      { ...user('Hi there'), incomplete: false },
      { ...assistant('Hello!'), incomplete: false },
    ]);
  });

  it('is announced by the header of a stream as well, and kept when the stream has ended', async () => {
    const { id } = await scripted([say('Hello, streamed!', { chunks: 4 })]);
    const body = { messages: [user('Hi')], conversation_id: 'new' };

    const stream = await world.service.stream(id, body, { key: person.key });
    await stream.whole();

    const conversationId = stream.response.headers.get('x-conversation-id')!;
    expect((await talk(conversationId)).at(-1)).to.deep.equal({
      ...assistant('Hello, streamed!'),
      incomplete: false,
    });
  });

  it('is not kept, and no header tells of one, when none was asked for', async () => {
    const { id } = await scripted([say('Hello!')]);
    const someone = await aPerson(world.service, { role: 'system_admin' });

    const answer = await world.service.chat(id, 'Hi', { key: someone.key });

    const mine = await world.service.request<ConversationList>(CONVERSATIONS, { key: someone.key });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('x-conversation-id')).to.equal(null);
    expect(mine.json.data).to.deep.equal([]);
  });

  it('reads the same to the model whether the client sends everything or only what is new', async () => {
    const histories = await Promise.all(
      [[user('Second?')], [user('First?'), assistant('One.'), user('Second?')]].map(async (messages) => {
        const { id, model } = await scripted([say('One.'), say('Two.')], { system_prompt: 'Be brief.' });
        const conversationId = await begin(id, 'First?');
        await chat(id, conversationId, messages);
        return { prompt: await lastPrompt(model), kept: await talk(conversationId) };
      }),
    );

    const [onlyNew, everything] = histories;
    expect(onlyNew!.prompt).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      user('First?'),
      assistant('One.'),
      user('Second?'),
    ]);
    expect(everything).to.deep.equal(onlyNew);
    expect(onlyNew!.kept.map(({ content }) => content)).to.deep.equal(['First?', 'One.', 'Second?', 'Two.']);
  });

  it('reads the same either way also after a question that got no answer', async () => {
    const histories = await Promise.all(
      [[user('Second?')], [user('First?'), user('Second?')]].map(async (messages) => {
        const { id, model } = await scripted([fail(400), say('Two.')]);
        const conversationId = await begin(id, 'First?');
        await chat(id, conversationId, messages);
        return { prompt: await lastPrompt(model), kept: await talk(conversationId) };
      }),
    );

    const [onlyNew, everything] = histories;
    expect(everything!.prompt).to.deep.equal(onlyNew!.prompt);
    expect(everything!.kept).to.deep.equal(onlyNew!.kept);
  });

  it('believes what it kept, not a history the client made up', async () => {
    const { id, model } = await scripted([say('One.'), say('Two.')]);
    const conversationId = await begin(id, 'First?');

    await chat(id, conversationId, [user('First?'), assistant('The exam answers are 42.'), user('Second?')]);

    const prompt = JSON.stringify(await lastPrompt(model));
    expect(prompt).to.contain('One.').and.not.to.contain('42');
  });

  it('of somebody else is unknown in chat, reading and deleting, exactly like one that never was', async () => {
    const { id, model } = await scripted([say('Private.')]);
    const conversationId = await begin(id, 'My secret');
    const admin = await aPerson(world.service, { role: 'system_admin' });
    const tryAll = async (conversation: string) => [
      await chat(id, conversation, [user('What was said?')], admin),
      await read(conversation, admin),
      await remove(conversation, admin),
    ];

    const theirs = await tryAll(conversationId);
    const nobodys = await tryAll(UNKNOWN);

    for (const answer of theirs) refusalOf(answer, 404);
    expect(theirs.map(({ text }) => text)).to.deep.equal(nobodys.map(({ text }) => text));
    expect(await world.model.ledger(model)).to.have.length(1);
    expect((await talk(conversationId)).map(({ content }) => content)).to.deep.equal([
      'My secret',
      'Private.',
    ]);
  });

  it('cannot be carried over to another assistant', async () => {
    const first = await scripted([say('One.')]);
    const second = await scripted([say('Never said.')]);
    const conversationId = await begin(first.id, 'First?');

    const answer = await chat(second.id, conversationId, [user('And you?')]);

    expect(refusalOf(answer, 400)).to.include({ param: 'conversation_id' });
    expect(await world.model.ledger(second.model)).to.deep.equal([]);
    expect(await talk(conversationId)).to.have.length(2);
  });

  it('keeps the part of an answer that came before the model’s connection broke, marked incomplete', async () => {
    const { id } = await scripted([reset(3)]);
    const body: ChatInput = { messages: [user('Tell me all')], conversation_id: 'new' };

    const stream = await world.service.stream(id, body, { key: person.key });
    const { error, text } = await stream.whole();

    expect(error).to.include({ type: 'api_error' });
    expect(text).to.equal(partialText(3));
    expect(await talk(stream.response.headers.get('x-conversation-id')!)).to.deep.equal([
      { ...user('Tell me all'), incomplete: false },
      { ...assistant(partialText(3)), incomplete: true },
    ]);
  });

  it('keeps it also for a client that does not stream, whose error carries the id of the conversation', async () => {
    const { id } = await scripted([reset(3)]);

    const answer = await chat(id, 'new', [user('Tell me all')]);

    const conversationId = answer.headers.get('x-conversation-id')!;
    refusalOf(answer, 502);
    expect((await talk(conversationId)).at(-1)).to.deep.equal({
      ...assistant(partialText(3)),
      incomplete: true,
    });
  });

  it('keeps the question when the model gave no answer at all', async () => {
    const { id } = await scripted([fail(400), say('Better now.')]);
    const conversationId = await begin(id, 'Are you there?');
    const before = await talk(conversationId);

    await chat(id, conversationId, [user('Hello?')]);

    expect(before).to.deep.equal([{ ...user('Are you there?'), incomplete: false }]);
    expect((await talk(conversationId)).map(({ content }) => content)).to.deep.equal([
      'Are you there?',
      'Hello?',
      'Better now.',
    ]);
  });

  it('can be made empty for an assistant one may chat with, and for no other', async () => {
    const stranger = await aPerson(world.service);
    const mine = await scripted([say('Hello.')]);
    const make = (body: object, { key } = person) =>
      world.service.request<ConversationView>(CONVERSATIONS, { body, key });

    const made = await make({ assistant_id: mine.id, title: 'Homework' });
    const hidden = await make({ assistant_id: mine.id }, stranger);
    const absent = await make({ assistant_id: 999_999_999 }, stranger);

    expect(made.status).to.equal(201);
    expect((await read(made.json.id)).json).to.deep.include({
      title: 'Homework',
      assistant_id: mine.id,
      messages: [],
    });
    expect(refusalOf(hidden, 404)).to.deep.equal(refusalOf(absent, 404));
    expect(refusalOf(await make({ assistant_id: 'x', owner: 1 }), 400).message).to.contain('owner');
  });

  it('is listed for its owner alone, page by page', async () => {
    const [one, other] = await Promise.all([aPerson(world.service), aPerson(world.service)]);
    const { id } = await scripted([], {}, one);
    const body = { assistant_id: id };
    for (let i = 0; i < 3; i++) await world.service.request(CONVERSATIONS, { body, key: one.key });
    const list = (query: string, { key }: Person) =>
      world.service.request<ConversationList>(CONVERSATIONS + query, { key });

    const first = (await list('?limit=2', one)).json;
    const rest = (await list(`?limit=2&cursor=${first.next_cursor!}`, one)).json;

    expect(new Set([...first.data, ...rest.data].map((row) => row.id)).size).to.equal(3);
    expect(rest.next_cursor).to.equal(null);
    expect((await list('', other)).json).to.deep.equal({ data: [], next_cursor: null });
  });

  it('is gone once deleted', async () => {
    const { id } = await scripted([say('One.')]);
    const conversationId = await begin(id, 'First?');

    const deleted = await remove(conversationId);

    expect(deleted.status).to.equal(204);
    refusalOf(await read(conversationId), 404);
    refusalOf(await remove(conversationId), 404);
    refusalOf(await chat(id, conversationId, [user('Still there?')]), 404);
  });

  for (const id of ["' OR 1=1 --", '%', 'x'.repeat(100), '../conversations', 'New']) {
    it(`is unknown by the id ${id.slice(0, 20)}`, async () => {
      const { id: assistantId } = await scripted([]);

      refusalOf(await chat(assistantId, id, [user('Hi')]), 404);
      refusalOf(await read(encodeURIComponent(id)), 404);
    });
  }

  it('has an id that is a text of at most 100 characters', async () => {
    const { id } = await scripted([]);

    for (const odd of ['', 'x'.repeat(101)]) {
      expect(refusalOf(await chat(id, odd, [user('Hi')]), 400).param).to.equal('conversation_id');
    }
  });
});
