import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const NOW = '2026-06-01T12:00:00.000Z';
const LATER = '2026-06-01T13:00:00.000Z';
const MUCH_LATER = '9999-06-01T12:00:00.000Z';

describeOnEachEngine('public links', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;
  let assistantId: number;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores);
    ({ id: assistantId } = await stores.assistants.create(owner, content()));
  });

  const aLink = (tokenHash: string, expiresAt: string | null = null) =>
    stores.links.create({
      ...{ assistantId, createdBy: owner.id, tokenHash, sealedToken: 'sealed', budgetId: null, expiresAt },
    });
  const aVisit = (linkId: number, tokenHash: string, expiresAt = MUCH_LATER) =>
    stores.links.beginVisit({ linkId, organizationId: owner.organizationId, tokenHash, expiresAt });

  it('let in whoever has a visit until the visit or the link is over, whichever comes first', async () => {
    const [lasting, ending] = [await aLink('one'), await aLink('two', LATER)];
    await aVisit(lasting.id, 'of one', LATER);
    await aVisit(ending.id, 'of two');
    const at = async (hash: string, now: string) => (await stores.credentials.callerOf(hash, now))?.via;

    expect([await at('of one', NOW), await at('of two', NOW)]).to.deep.equal(['link', 'link']);
    expect([await at('of one', LATER), await at('of two', LATER)]).to.deep.equal([undefined, undefined]);
    expect(await stores.links.byToken('two', LATER)).to.equal(undefined);
  });

  it('end every visit when they are deleted, and leave visitors to be forgotten', async () => {
    const link = await aLink('one');
    const visitor = await aVisit(link.id, 'of one');
    expect(await stores.links.visits([link.id], NOW)).to.deep.equal(new Map([[link.id, 1]]));

    expect(await stores.links.delete(link.id)).to.equal(true);

    expect(await stores.credentials.callerOf('of one', NOW)).to.equal(undefined);
    expect(await stores.links.visitorsToForget(MUCH_LATER)).to.deep.equal([visitor]);
    await stores.links.forgetVisit(visitor, LATER);
    expect(await stores.links.visitorsToForget(MUCH_LATER)).to.deep.equal([]);
    expect(await stores.links.forgottenVisitors(MUCH_LATER)).to.deep.equal([visitor]);
    await stores.links.eraseVisitor(visitor);
    expect(await db('link_visits')).to.deep.equal([]);
    expect(await stores.users.byId(visitor)).to.equal(undefined);
  });

  it('bring nobody into the list of people', async () => {
    await aVisit((await aLink('one')).id, 'of one');
    const { data } = await stores.users.list({ organizationId: owner.organizationId }, { limit: 10 });
    expect(data.map(({ id }) => id)).to.deep.equal([owner.id]);
  });
});

describeOnEachEngine('invitations', (open) => {
  it('are accepted once, by one of many who come at once, and come back when the address is taken', async () => {
    const stores = storesOn(await open());
    const { id: createdBy, organizationId } = await aUser(stores);
    const invite = (email: string, tokenHash: string) =>
      stores.invitations.create([
        {
          ...{ organizationId, email, tokenHash, createdBy },
          ...{ name: '', role: 'creator' as const, expiresAt: LATER },
        },
      ]);
    const account = { name: 'Ada', passwordHash: 'hash' };
    await invite('ada@example.org', 'first');
    await invite('Ada@example.org', 'second');
    const taken = await aUser(stores, { email: 'taken@example.org' });
    await invite(taken.email, 'third');

    const all = await Promise.all(
      Array.from({ length: 4 }, () => stores.invitations.accept('second', NOW, account)),
    );

    expect(await stores.invitations.accept('first', NOW, account)).to.equal(undefined);
    expect(all.filter(Boolean)).to.have.length(1);
    const refused: unknown = await stores.invitations
      .accept('third', NOW, account)
      .catch((fault: unknown) => fault);
    expect(refused).to.include({ status: 409 });
    expect((await stores.invitations.byToken('third', NOW))?.email).to.equal(taken.email);
    expect(await stores.invitations.sweep(LATER)).to.equal(1);
  });
});
