import { expect } from 'chai';
import { AppError } from '../../../src/core/errors.js';
import type { StoredMessage, Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const said = (text: string, role: StoredMessage['role'] = 'user') =>
  ({ role, content: text, runId: null, incomplete: false }) as const;

/** Past this millisecond, which is as fine as times are kept. */
const tick = async () => {
  const start = Date.now();
  while (Date.now() === start) await new Promise(setImmediate);
};

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
    (await stores.conversations.messages({ userId: me.id }, id)).map((message) => message.content);

  it('keep their messages in the order they were said', async () => {
    const { id } = await create();
    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    ] as const;

    await stores.conversations.append({ userId: me.id }, id, [
      { ...said('One'), content: parts },
      said('Two', 'assistant'),
    ]);
    await stores.conversations.append({ userId: me.id }, id, [
      { role: 'assistant', content: 'Thr', runId: 'run_1', incomplete: true },
    ]);

    const messages = await stores.conversations.messages({ userId: me.id }, id);
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
    await Promise.all(pairs.map((pair) => stores.conversations.append({ userId: me.id }, id, pair)));

    const texts = await textsOf(id);
    expect(texts).to.have.length(20);
    for (let n = 0; n < 20; n += 2) expect(texts[n + 1]).to.equal(`Answer to ${texts[n] as string}`);
  });

  it('keep long histories and every character', async () => {
    const { id } = await create(`'; DELETE FROM messages; -- 😀`);
    const texts = Array.from({ length: 700 }, (_, n) => `${String(n)} '"\\ \0 ?? $1 {user_input}`);

    await stores.conversations.append(
      { userId: me.id },
      id,
      texts.map((text) => said(text)),
    );

    expect(await textsOf(id)).to.deep.equal(texts);
    expect(await stores.conversations.get({ userId: me.id }, id)).to.have.property(
      'title',
      `'; DELETE FROM messages; -- 😀`,
    );
  });

  it('do not exist for anybody else, and cannot be guessed at', async () => {
    const { id } = await create();
    await stores.conversations.append({ userId: me.id }, id, [said('Secret')]);

    const written = await stores.conversations
      .append({ userId: other.id }, id, [said('Me too')])
      .catch((error: unknown) => error);

    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(written).to.be.instanceOf(AppError).with.property('status', 404);
    expect(await stores.conversations.get({ userId: other.id }, id)).to.equal(undefined);
    expect(await stores.conversations.messages({ userId: other.id }, id)).to.deep.equal([]);
    expect((await stores.conversations.list({ userId: other.id }, {}, { limit: 9 })).data).to.deep.equal([]);
    expect(await stores.conversations.delete({ userId: other.id }, id)).to.equal(false);
    expect(await textsOf(id)).to.deep.equal(['Secret']);
  });

  it('take their messages with them when they are deleted', async () => {
    const { id } = await create();
    await stores.conversations.append({ userId: me.id }, id, [said('Bye')]);

    expect(await stores.conversations.delete({ userId: me.id }, id)).to.equal(true);

    expect(await stores.conversations.get({ userId: me.id }, id)).to.equal(undefined);
    expect(await textsOf(id)).to.deep.equal([]);
  });

  it('are listed last used first, complete and without repeats, even when made in the same millisecond', async () => {
    const made = await Promise.all(Array.from({ length: 11 }, () => create()));

    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stores.conversations.list(
        { userId: me.id },
        {},
        { limit: 3, cursor: cursor ?? undefined },
      );
      expect(page.data.length).to.be.at.most(3);
      seen.push(...page.data.map((conversation) => conversation.id));
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(seen).to.have.length(11);
    expect(seen).to.have.members(made.map((conversation) => conversation.id));
  });

  it('are listed by when something was last said in them, with how much was', async () => {
    const [first, second, third] = [await create('1'), await create('2'), await create('3')];
    await tick();
    await stores.conversations.append({ userId: me.id }, second.id, [said('Hi'), said('Hello', 'assistant')]);
    await tick();
    await stores.conversations.append({ userId: me.id }, first.id, [said('Hi')]);
    await stores.conversations.change({ userId: me.id }, third.id, { title: 'Renamed' });

    const { data } = await stores.conversations.list({ userId: me.id }, {}, { limit: 9 });

    expect(data.map(({ title, messages }) => [title, messages])).to.deep.equal([
      ['1', 1],
      ['2', 2],
      ['Renamed', 0],
    ]);
  });

  it('are seen once by a reader who turns pages while they are used', async () => {
    for (let i = 0; i < 4; i++) {
      await create(String(i));
      await tick();
    }
    const page = (cursor?: string | null) =>
      stores.conversations.list({ userId: me.id }, {}, { limit: 2, cursor: cursor ?? undefined });

    const first = await page();
    await stores.conversations.append({ userId: me.id }, first.data[1]!.id, [said('Again')]);
    const second = await page(first.nextCursor);

    expect([...first.data, ...second.data].map(({ title }) => title)).to.deep.equal(['3', '2', '1', '0']);
  });

  it('are found by their title and by what was said, whatever the case, and by nothing else', async () => {
    const cells = await create('About CELLS');
    const other_ = await create('Other');
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,CELLSxyz' } } as const;
    await stores.conversations.append({ userId: me.id }, other_.id, [
      { ...said(''), content: [{ type: 'text', text: 'Über "Zellen" 100%' }, picture] },
      said('Die Antwort:\nMitochondrien', 'assistant'),
    ]);
    const found = async (q: string) =>
      (await stores.conversations.list({ userId: me.id }, { q }, { limit: 9 })).data.map(({ id }) => id);

    expect(await found('cells')).to.deep.equal([cells.id]);
    expect(await found('mitoCHONdrien')).to.deep.equal([other_.id]);
    expect(await found('über "zellen"')).to.deep.equal([other_.id]);
    expect(await found('antwort:\nMito')).to.deep.equal([other_.id]);
    expect(await found('100%')).to.deep.equal([other_.id]);
    for (const nothing of ['image_url', 'text', 'Zell_n', '%', 'base64']) {
      expect(await found(nothing), nothing).to.deep.equal(nothing === '%' ? [other_.id] : []);
    }
  });

  it('are listed for one assistant', async () => {
    const second = (await stores.assistants.create(me, content())).id;
    await create();
    const { id } = await stores.conversations.create({ userId: me.id, assistantId: second, title: '' });

    const { data } = await stores.conversations.list(
      { userId: me.id },
      { assistantId: second },
      { limit: 9 },
    );

    expect(data.map((conversation) => conversation.id)).to.deep.equal([id]);
  });

  it('keep with an answer what was seen beside it, every character of it', async () => {
    const { id } = await create();
    const label = `reading file '"\\ \0 😀.md`;
    const details = {
      sources: [{ n: 1, title: label, url: 'https://x.test/?a=1#p', similarity: 0.5, cited: true }],
      steps: [{ kind: 'tool', tool: 'weather', label, state: 'denied', ms: 3, iteration: 1 }],
    } as const;

    await stores.conversations.append({ userId: me.id }, id, [
      said('One'),
      { ...said('Two', 'assistant'), details },
    ]);

    const messages = await stores.conversations.messages({ userId: me.id }, id);
    expect(messages.map((message) => message.details)).to.deep.equal([null, details]);
  });

  describe('taken back', () => {
    const rewound = async (keep: number) => {
      const { id } = await create();
      await stores.conversations.append(
        { userId: me.id },
        id,
        ['1', '2', '3', '4'].map((text) => said(text)),
      );
      expect(await stores.conversations.rewind({ userId: me.id }, id, keep)).to.equal(true);
      return id;
    };

    it('keep as many of their first messages as are wanted', async () => {
      expect(await textsOf(await rewound(0))).to.deep.equal([]);
      expect(await textsOf(await rewound(2))).to.deep.equal(['1', '2']);
      expect(await textsOf(await rewound(9))).to.deep.equal(['1', '2', '3', '4']);
    });

    it('take in no answer to what is no longer there, whichever comes first', async () => {
      const id = await rewound(2);
      const { rewinds } = (await stores.conversations.get({ userId: me.id }, id))!;

      const late = await stores.conversations.append({ userId: me.id }, id, [said('late')], rewinds - 1);
      const now = await stores.conversations.append({ userId: me.id }, id, [said('now')], rewinds);

      expect([late, now]).to.deep.equal([false, true]);
      expect(await textsOf(id)).to.deep.equal(['1', '2', 'now']);
    });

    it('hold nothing of an answer that is kept at the same moment', async () => {
      const { id, rewinds } = await create();
      await stores.conversations.append({ userId: me.id }, id, [said('1'), said('2')]);

      await Promise.all([
        stores.conversations.rewind({ userId: me.id }, id, 1),
        ...Array.from({ length: 5 }, (_, n) =>
          stores.conversations.append({ userId: me.id }, id, [said(`late ${String(n)}`)], rewinds),
        ),
      ]);

      expect(await textsOf(id)).to.deep.equal(['1']);
    });

    it('are so for their own user alone', async () => {
      const id = await rewound(4);

      expect(await stores.conversations.rewind({ userId: other.id }, id, 0)).to.equal(false);
      expect(await stores.conversations.change({ userId: other.id }, id, { title: 'Mine' })).to.equal(
        undefined,
      );
      expect(await stores.conversations.rewind({ userId: me.id }, 'x', 0)).to.equal(false);
      expect(await textsOf(id)).to.have.length(4);
    });
  });

  it('are not found under an id that is no id', async () => {
    for (const id of ['', 'x', 'a\0b', `' OR 1=1`])
      expect(await stores.conversations.get({ userId: me.id }, id)).to.equal(undefined);
  });
});
