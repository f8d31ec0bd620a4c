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
      ...{ mediaType: 'image/png', bytes: 70, sha256: 'abc', status: 'ready' },
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
