import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Visibility } from '../../../src/core/access/access.js';
import { AppError } from '../../../src/core/errors.js';
import type { RubricContent } from '../../../src/core/rubrics/rubric.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const rubric = (changes: Partial<RubricContent> = {}): RubricContent => ({
  title: 'Essay',
  description: 'How well it argues',
  data: { maxScore: 10, theme: { dark: [true] } },
  isPublic: false,
  ...changes,
});
const seenBy = ({ id, organizationId }: User, wholeOrganization = false): Visibility => ({
  everything: false,
  userId: id,
  organizationId,
  wholeOrganization,
});
const ALL = { limit: 100 };

describeOnEachEngine('rubrics', (open) => {
  let db: Knex;
  let stores: Stores;
  let me: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    me = await aUser(stores);
  });
  const titles = async (visibleTo: Visibility, q?: string) =>
    (await stores.rubrics.list(visibleTo, { q }, ALL)).data.map(({ title }) => title).sort();

  it('keep everything they hold, and who made them', async () => {
    const made = await stores.rubrics.create(me, rubric());

    expect(made).to.deep.include({ ...rubric(), ownerId: me.id, owner: me.email });
    expect(made.id).to.match(/^[0-9a-f-]{36}$/);
    expect(made.organizationId).to.equal(me.organizationId);
    expect(await stores.rubrics.get(made.id)).to.deep.equal(made);
    expect(await stores.rubrics.get('nowhere')).to.equal(undefined);
    expect(await stores.rubrics.get('\0')).to.equal(undefined);
  });

  it('keep every character', async () => {
    const text = `'; DROP TABLE rubrics; -- 😀 \\ ?? $1 {context} |`;

    const made = await stores.rubrics.create(
      me,
      rubric({ title: text, description: text, data: { [text]: `${text}\0` } }),
    );

    expect(made).to.deep.include({ title: text, description: text, data: { [text]: `${text}\0` } });
  });

  it('keep the id they had elsewhere, which only one can have', async () => {
    await stores.rubrics.create(me, rubric(), '42');

    const again = await stores.rubrics.create(me, rubric(), '42').catch((error: unknown) => error);

    expect(await stores.rubrics.get('42')).to.include({ title: 'Essay' });
    expect(again).to.be.instanceOf(AppError).with.property('status', 409);
  });

  it('are replaced whole, and deleted once', async () => {
    const { id, createdAt } = await stores.rubrics.create(me, rubric());

    const changed = await stores.rubrics.replace(id, rubric({ title: 'Report', data: {}, isPublic: true }));

    expect(changed).to.deep.include({ title: 'Report', data: {}, isPublic: true, createdAt });
    expect(await stores.rubrics.replace('nowhere', rubric())).to.equal(undefined);
    expect([await stores.rubrics.delete(id), await stores.rubrics.delete(id)]).to.deep.equal([true, false]);
    expect(await stores.rubrics.get(id)).to.equal(undefined);
  });

  it('are listed to their owner, to the organisation when public, and to those who administer', async () => {
    const colleague = await aUser(stores, { organizationId: me.organizationId });
    const stranger = await aUser(stores);
    await stores.rubrics.create(me, rubric({ title: 'mine' }));
    await stores.rubrics.create(me, rubric({ title: 'public', isPublic: true }));
    await stores.rubrics.create(stranger, rubric({ title: 'foreign' }));
    await stores.rubrics.create(stranger, rubric({ title: 'foreign public', isPublic: true }));

    expect(await titles(seenBy(me))).to.deep.equal(['mine', 'public']);
    expect(await titles(seenBy(colleague))).to.deep.equal(['public']);
    expect(await titles(seenBy(colleague, true))).to.deep.equal(['mine', 'public']);
    expect(await titles({ everything: true })).to.have.length(4);
  });

  it('are found by words in title or description, whatever the case, taking no character for a wildcard', async () => {
    await stores.rubrics.create(me, rubric({ title: 'Ética y evaluación', description: '100% oral' }));
    await stores.rubrics.create(me, rubric({ title: 'Essay', description: 'ÉTICA_2' }));

    expect(await titles(seenBy(me), 'ética')).to.deep.equal(['Essay', 'Ética y evaluación']);
    expect(await titles(seenBy(me), 'EVALUACIÓN')).to.deep.equal(['Ética y evaluación']);
    expect(await titles(seenBy(me), 'ORAL')).to.deep.equal(['Ética y evaluación']);
    expect(await titles(seenBy(me), '0%')).to.deep.equal(['Ética y evaluación']);
    expect(await titles(seenBy(me), '_2')).to.deep.equal(['Essay']);
    expect(await titles(seenBy(me), '%')).to.deep.equal(['Ética y evaluación']);
    expect(await titles(seenBy(me), '!')).to.deep.equal([]);
    expect(await titles(seenBy(await aUser(stores)), 'ética')).to.deep.equal([]);
  });

  it('are paged, each once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await stores.rubrics.create(me, rubric())).id),
    );

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.rubrics.list(seenBy(me), {}, { limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(seen).to.have.length(5).and.to.have.members(ids);
  });

  it('of another program that are no JSON are there, with nothing in them', async () => {
    const { id } = await stores.rubrics.create(me, rubric());
    await db('rubrics').where({ id }).update({ data: 'not json' });

    expect(await stores.rubrics.get(id)).to.deep.include({ title: 'Essay', data: {} });
  });
});
