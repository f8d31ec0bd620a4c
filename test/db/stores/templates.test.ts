import { expect } from 'chai';
import type { Knex } from 'knex';
import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const content = (name: string) => ({ assistant: { ...BLANK_CONTENT, name, greeting: 'a\0b' }, rubric: null });

describeOnEachEngine('templates of organisations', (open) => {
  let db: Knex;
  let stores: Stores;
  let me: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    me = await aUser(stores);
  });

  it('keep what they hold, are listed newest first, and are others’ to see only once they are shared', async () => {
    const { templates } = stores;
    const first = await templates.create(me, content('First'));
    const second = await templates.create(me, content('Second'));
    const elsewhere = me.organizationId + 1;

    expect(first).to.deep.include({ ...content('First'), ownerId: me.id, isShared: false });
    expect(await templates.get(first.id)).to.deep.equal(first);
    expect((await templates.of(me.organizationId, 10)).map(({ id }) => id)).to.deep.equal([
      second.id,
      first.id,
    ]);
    expect(await templates.of(me.organizationId, 1)).to.have.length(1);
    expect([await templates.countOf(me.organizationId), await templates.countOf(elsewhere)]).to.deep.equal([
      2, 0,
    ]);
    expect(await templates.sharedWith(elsewhere, 10)).to.deep.equal([]);
    await templates.share(first.id, true);
    expect((await templates.sharedWith(elsewhere, 10)).map(({ id }) => id)).to.deep.equal([first.id]);
    expect(await templates.sharedWith(me.organizationId, 10)).to.deep.equal([]);
    expect([await templates.delete(first.id), await templates.delete(first.id)]).to.deep.equal([true, false]);
    expect(await templates.get(99_999_999_999)).to.equal(undefined);
  });
});
