import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const LATER = '2999-01-01T00:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describeOnEachEngine('attachments', (open) => {
  let db: Knex;
  let stores: Stores;
  let me: User;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    me = await aUser(stores);
  });

  const sent = (by = me) =>
    stores.attachments.create({
      ...{ id: randomUUID(), ownerId: by.id, organizationId: by.organizationId, filename: 'sheep.png' },
      ...{ mediaType: 'image/png', bytes: 70, sha256: 'abc', status: 'ready', readingUntil: null },
    });
  const shownBy = (picture: string, owner = me) =>
    stores.assistants.create(owner, content({ avatar: { picture } }));

  it('belong to the first assistant that shows them, and to its owner', async () => {
    const admin = await aUser(stores, { role: 'system_admin' });
    const { id } = await sent(admin);
    expect(await stores.attachments.get(id)).to.include({ ownerId: admin.id, assistantId: null });

    const first = await shownBy(id);
    await shownBy(id, admin);

    expect(await stores.attachments.get(id)).to.include({
      ...{ ownerId: me.id, organizationId: me.organizationId, assistantId: first.id },
    });
  });

  it('go after a while where they belong to nothing, and stay while a version may show them', async () => {
    const [unused, fresh, shown] = [await sent(), await sent(), await sent()];
    const { id, version } = await shownBy(shown.id);
    const by = { userId: me.id, expectedVersion: version };
    await stores.assistants.replace(id, content({ avatar: null }), by);
    await db('attachments').whereNot('id', fresh.id).update({ created_at: LONG_AGO });

    expect(await stores.attachments.sweep('2021-01-01T00:00:00.000Z')).to.equal(1);

    expect(await stores.attachments.unknown([unused.id, fresh.id, shown.id])).to.deep.equal([unused.id]);
  });

  const aConversation = async () => {
    const { id: assistantId } = await stores.assistants.create(me, content({}));
    return (await stores.conversations.create({ userId: me.id, assistantId, title: '' })).id;
  };
  const sentFile = (facts: object = {}) =>
    stores.attachments.create({
      ...{ id: randomUUID(), ownerId: me.id, organizationId: me.organizationId, filename: 'sheep.txt' },
      ...{ mediaType: 'text/plain', bytes: 70, sha256: 'abc', status: 'reading', readingUntil: LONG_AGO },
      ...facts,
    });

  it('are read by one at a time, and what was read is there from its beginning', async () => {
    const { attachments } = stores;
    const { id } = await sentFile();

    const claims = await Promise.all([LATER, LATER].map((until) => attachments.claim(id, until, LONG_AGO)));
    const early = await attachments.claim(id, LATER, LONG_AGO);
    await attachments.finish(id, { text: 'Dolly \0 is 🐑.', tokens: 7, mediaType: 'text/plain' });
    await attachments.finish(id, { error: 'too late', errorCode: null });

    expect([...claims, early].sort()).to.deep.equal([false, false, true]);
    expect(await attachments.get(id)).to.include({ status: 'ready', tokens: 7, readingUntil: null });
    expect([...(await attachments.texts(new Map([[id, 5]])))]).to.deep.equal([[id, 'Dolly']]);
    expect((await attachments.texts(new Map([[id, 100]]))).get(id)).to.equal('Dolly \uFFFD is 🐑.');
  });

  it('belong to the first conversation in which something was said with them, and go with it', async () => {
    const { attachments, conversations } = stores;
    const [file, other, refused, used] = [
      ...[await sentFile(), await sentFile(), await aConversation(), await aConversation()],
    ] as [Awaited<ReturnType<typeof sentFile>>, Awaited<ReturnType<typeof sentFile>>, string, string];

    await attachments.bind([file.id], refused);
    expect(await attachments.isFree(file)).to.equal(true);
    await attachments.bind([file.id], used);
    const said = { role: 'user', content: 'Read.', runId: null, incomplete: false } as const;
    await conversations.append({ userId: me.id }, used, [said]);
    expect(await attachments.isFree(file)).to.equal(false);
    const fault = await attachments.bind([other.id, file.id], refused).catch((thrown: unknown) => thrown);

    expect(fault).to.include({ status: 409 });
    expect(await attachments.get(other.id)).to.include({ conversationId: null });
    expect(await attachments.sweep(LATER)).to.equal(1);
    await conversations.delete({ userId: me.id }, used);
    expect(await attachments.unknown([file.id, other.id])).to.deep.equal([file.id, other.id]);
  });

  it('count by what was sent before, also in the same moment', async () => {
    const { attachments } = stores;
    const some = await Promise.all([sentFile(), sentFile(), sentFile()]);
    await db('attachments').update({ created_at: LATER });
    const at = some.map((file) => ({ ...file, createdAt: LATER }));

    const sums = await Promise.all(at.map((file) => attachments.bytesUntil(file, LONG_AGO)));

    expect(sums.sort((a, b) => a - b)).to.deep.equal([70, 140, 210]);
  });

  it('go with their assistant, their owner and their organisation', async () => {
    const [ofAssistant, ofOwner] = [await sent(), await sent()];
    const { id } = await shownBy(ofAssistant.id);

    await db('assistant_versions').where('assistant_id', id).del();
    await db('assistants').where({ id }).del();
    expect(await stores.attachments.unknown([ofAssistant.id, ofOwner.id])).to.deep.equal([ofAssistant.id]);
    await db('users').where('id', me.id).del();
    expect(await stores.attachments.unknown([ofOwner.id])).to.deep.equal([ofOwner.id]);
    expect(await stores.attachments.sweep(LATER)).to.equal(0);
  });
});
