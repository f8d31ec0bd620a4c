import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import type { StoredMessage, Stores, User } from '../../src/core/stores.js';
import { describeOnEachEngine } from '../support/databases.js';
import { aUser, content, storesOn } from './fixtures.js';

const said = (text: string, role: StoredMessage['role'] = 'user') =>
  ({ role, content: text, runId: null, incomplete: false }) as const;

describeOnEachEngine('conversations', (open) => {
  let stores: Stores;
  let me: User;
  let other: User;
  let assistantId: number;

  beforeEach(async () => {
    stores = storesOn(await open());
    me = await aUser(stores);
    other = await aUser(stores);
    assistantId = (await stores.assistants.create(me, content())).id;
  });

  const create = (title = 'Cells') => stores.conversations.create({ userId: me.id, assistantId, title });
  const textsOf = async (id: string) =>
    (await stores.conversations.messages(me.id, id)).map((message) => message.content);

  it('keep their messages in the order they were said', async () => {
    const { id } = await create();
    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    ] as const;

    await stores.conversations.append(me.id, id, [
      { ...said('One'), content: parts },
      said('Two', 'assistant'),
    ]);
    await stores.conversations.append(me.id, id, [
      { role: 'assistant', content: 'Thr', runId: 'run_1', incomplete: true },
    ]);

    const messages = await stores.conversations.messages(me.id, id);
    expect(
      messages.map(({ role, content: text, runId, incomplete }) => [role, text, runId, incomplete]),
    ).to.deep.equal([
      ['user', parts, null, false],
      ['assistant', 'Two', null, false],
      ['assistant', 'Thr', 'run_1', true],
    ]);
  });

  it('never interleave what was appended together', async () => {
    const { id } = await create();

    const pairs = Array.from({ length: 10 }, (_, n) => [
      said(String(n)),
      said(`Answer to ${String(n)}`, 'assistant'),
    ]);
    await Promise.all(pairs.map((pair) => stores.conversations.append(me.id, id, pair)));

    const texts = await textsOf(id);
    expect(texts).to.have.length(20);
    for (let n = 0; n < 20; n += 2) expect(texts[n + 1]).to.equal(`Answer to ${texts[n] as string}`);
  });

  it('keep long histories and every character', async () => {
    const { id } = await create(`'; DELETE FROM messages; -- 😀`);
    const texts = Array.from({ length: 700 }, (_, n) => `${String(n)} '"\\ \0 ?? $1 {user_input}`);

    await stores.conversations.append(
      me.id,
      id,
      texts.map((text) => said(text)),
    );

    expect(await textsOf(id)).to.deep.equal(texts);
    expect(await stores.conversations.get(me.id, id)).to.have.property(
      'title',
      `'; DELETE FROM messages; -- 😀`,
    );
  });

  it('do not exist for anybody else, and cannot be guessed at', async () => {
    const { id } = await create();
    await stores.conversations.append(me.id, id, [said('Secret')]);

    const written = await stores.conversations
      .append(other.id, id, [said('Me too')])
      .catch((error: unknown) => error);

    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(written).to.be.instanceOf(AppError).with.property('status', 404);
    expect(await stores.conversations.get(other.id, id)).to.equal(undefined);
    expect(await stores.conversations.messages(other.id, id)).to.deep.equal([]);
    expect((await stores.conversations.list(other.id, { limit: 9 })).data).to.deep.equal([]);
    expect(await stores.conversations.delete(other.id, id)).to.equal(false);
    expect(await textsOf(id)).to.deep.equal(['Secret']);
  });

  it('take their messages with them when they are deleted', async () => {
    const { id } = await create();
    await stores.conversations.append(me.id, id, [said('Bye')]);

    expect(await stores.conversations.delete(me.id, id)).to.equal(true);

    expect(await stores.conversations.get(me.id, id)).to.equal(undefined);
    expect(await textsOf(id)).to.deep.equal([]);
  });

  it('are listed newest first, complete and without repeats, even when made in the same millisecond', async () => {
    const made = await Promise.all(Array.from({ length: 11 }, () => create()));

    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stores.conversations.list(me.id, { limit: 3, cursor: cursor ?? undefined });
      expect(page.data.length).to.be.at.most(3);
      seen.push(...page.data.map((conversation) => conversation.id));
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(seen).to.have.length(11);
    expect(seen).to.have.members(made.map((conversation) => conversation.id));
  });

  it('are not found under an id that is no id', async () => {
    for (const id of ['', 'x', 'a\0b', `' OR 1=1`])
      expect(await stores.conversations.get(me.id, id)).to.equal(undefined);
  });
});
