import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Visibility } from '../../../src/core/access/access.js';
import { AppError } from '../../../src/core/errors.js';
import type { CollectionContent } from '../../../src/core/knowledge/collection.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';
import { aDocument, ALL, aReadDocument } from './library.js';

const content = (changes: Partial<CollectionContent> = {}): CollectionContent => ({
  name: 'Biology',
  description: 'About cells',
  isShared: false,
  ocr: false,
  ...changes,
});
const seenBy = ({ id, organizationId }: User, wholeOrganization = false): Visibility => ({
  everything: false,
  userId: id,
  organizationId,
  wholeOrganization,
});

describeOnEachEngine('collections', (open) => {
  let db: Knex;
  let stores: Stores;
  let me: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    me = await aUser(stores);
  });
  const names = async (visibleTo: Visibility, q?: string) =>
    (await stores.collections.list(visibleTo, { q }, ALL)).data.map(({ name }) => name).sort();

  it('keep everything they hold, who made them, and that they are here', async () => {
    const made = await stores.collections.create(me, content({ name: `'; -- 😀 ?? $1` }));

    expect(made).to.deep.include({ ...content({ name: `'; -- 😀 ?? $1` }), ownerId: me.id, owner: me.email });
    expect(made).to.include({ place: 'here', organizationId: me.organizationId });
    expect(await stores.collections.get(made.id)).to.deep.equal(made);
    expect(await stores.collections.get('nowhere\0')).to.equal(undefined);
  });

  it('are known by what the server of their organisation calls them, which only one there can be', async () => {
    const stranger = await aUser(stores);
    const ours = await stores.collections.create(me, content(), '42');

    const again = await stores.collections.create(me, content(), '42').catch((error: unknown) => error);
    const theirs = await stores.collections.create(stranger, content(), '42');

    expect(again).to.be.instanceOf(AppError).with.property('status', 409);
    expect(ours).to.include({ place: 'server', externalId: '42' });
    expect(await stores.collections.onServer(me.organizationId, '42')).to.deep.equal(ours);
    expect(await stores.collections.onServer(stranger.organizationId, '42')).to.deep.equal(theirs);
    expect(await stores.collections.onServer(me.organizationId, '042')).to.equal(undefined);
    expect(await stores.collections.get('42')).to.equal(undefined);
  });

  it('are replaced whole, and deleted once', async () => {
    const { id, createdAt } = await stores.collections.create(me, content());

    const changed = await stores.collections.replace(id, content({ name: 'Chemistry', isShared: true }));

    expect(changed).to.deep.include({ ...content({ name: 'Chemistry', isShared: true }), createdAt });
    expect(await stores.collections.replace('nowhere', content())).to.equal(undefined);
    expect(await stores.collections.delete(id)).to.deep.equal({ documentIds: [] });
    expect(await stores.collections.delete(id)).to.equal(undefined);
    expect(await stores.collections.get(id)).to.equal(undefined);
  });

  it('are listed to their owner, to the organisation when shared, and to those who administer', async () => {
    const colleague = await aUser(stores, { organizationId: me.organizationId });
    const stranger = await aUser(stores);
    await stores.collections.create(me, content({ name: 'mine' }));
    await stores.collections.create(me, content({ name: 'shared', isShared: true }));
    await stores.collections.create(stranger, content({ name: 'foreign', isShared: true }));

    expect(await names(seenBy(me))).to.deep.equal(['mine', 'shared']);
    expect(await names(seenBy(colleague))).to.deep.equal(['shared']);
    expect(await names(seenBy(colleague, true))).to.deep.equal(['mine', 'shared']);
    expect(await names({ everything: true })).to.have.length(3);
  });

  it('are found by words in name or description, whatever the case, taking no character for a wildcard', async () => {
    await stores.collections.create(me, content({ name: 'Ética', description: '100% oral' }));
    await stores.collections.create(me, content({ name: 'Física', description: 'ética_2' }));

    expect(await names(seenBy(me), 'ética')).to.deep.equal(['Física', 'Ética']);
    expect(await names(seenBy(me), 'ORAL')).to.deep.equal(['Ética']);
    expect(await names(seenBy(me), '_2')).to.deep.equal(['Física']);
    expect(await names(seenBy(me), '!')).to.deep.equal([]);
  });

  it('are paged, each once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => stores.collections.create(me, content())));

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.collections.list(seenBy(me), {}, { limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(seen)
      .to.have.members(made.map(({ id }) => id))
      .and.to.have.length(5);
  });

  it('tell how much of them can be searched', async () => {
    const full = await stores.collections.create(me, content());
    const empty = await stores.collections.create(me, content());
    await aReadDocument(stores, full.id, ['one', 'two']);
    await aReadDocument(stores, full.id, ['three']);
    await aDocument(stores, full.id);

    const sizes = await stores.collections.sizes([full.id, empty.id]);

    expect([...sizes]).to.deep.equal([
      [full.id, { documents: 2, passages: 3, awaitingVectors: 0 }],
      [empty.id, { documents: 0, passages: 0, awaitingVectors: 0 }],
    ]);
  });

  it('take nobody else’s documents with them', async () => {
    const [mine, other] = [
      await stores.collections.create(me, content()),
      await stores.collections.create(me, content()),
    ];
    const { id } = await aDocument(stores, other.id);

    await stores.collections.delete(mine.id);

    expect(await stores.documents.get(other.id, id)).to.include({ id });
  });

  it('that go while a document is added leave none behind: it comes before and goes too, or never comes', async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const { id } = await stores.collections.create(me, content());
      const [added, deleted] = await Promise.all([
        aDocument(stores, id).catch(() => undefined),
        stores.collections.delete(id),
      ]);
      return { added: added ? [added.id] : [], deleted: deleted?.documentIds };
    });

    for (const { added, deleted } of await Promise.all(rounds)) expect(deleted).to.deep.equal(added);
    expect(await db('documents').select('id')).to.deep.equal([]);
  });
});
