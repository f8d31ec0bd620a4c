import { expect } from 'chai';
import type { Knex } from 'knex';
import { makeLarge } from '../../../bench/large-database.js';
import { openDb } from '../../../db/open.js';
import { createAccessPolicy } from '../../../src/access/policy.js';
import type { Person, Visibility } from '../../../src/core/access/access.js';
import type { Page, PageRequest, Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';

const SIZES = {
  ...{ organizations: 4, users: 60, apiKeys: 10, assistants: 120, shares: 150, rubrics: 120 },
  ...{
    promptTemplates: 120,
    collections: 120,
    documents: 5,
    conversations: 5,
    runs: 5,
    ledgerRows: 5,
    versions: 5,
    messages: 5,
  },
};
const EVERYTHING: Visibility = { everything: true };

describeOnEachEngine(
  'pages put together from several reasons to see something',
  (_open, _target, migrated) => {
    let db: Knex;
    let stores: Stores;
    let people: readonly Person[];

    before(async () => {
      const place = await migrated();
      await makeLarge(place.kind === 'sqlite' ? place.file : place.url, SIZES, () => undefined);
      db = await openDb(place);
      stores = storesOn(db);
      const { data } = await stores.users.list({}, { limit: 100 });
      const enabled = data.filter((user) => user.enabled);
      people = [...enabled.slice(0, 2), ...enabled.slice(-2)].map((user) => ({ ...user, userId: user.id }));
    });

    after(() => db.destroy());

    it('hold exactly the assistants that the person may chat with, newest first and each once', async () => {
      const policy = createAccessPolicy({ ...stores, allowsLinks: () => Promise.resolve(false) });
      const all = await whole((page) => stores.assistants.list(EVERYTHING, {}, page));

      for (const person of people) {
        const listed = await whole((page) => stores.assistants.list(visibilityOf(person), {}, page));

        const allowed = await Promise.all(all.map((assistant) => policy.mayChat(person, assistant)));
        const expected = all.filter((_, i) => allowed[i]?.allowed);
        expect(idsOf(listed)).to.deep.equal(idsOf(expected));
        expect(listed.length).to.be.within(1, all.length - 1);
      }
    });

    it('hold exactly what the filter leaves of that', async () => {
      for (const person of people) {
        const visibleTo = visibilityOf(person);
        const seen = await whole((page) => stores.assistants.list(visibleTo, {}, page));
        const filter = { type: 'classic', published: true, q: 'course 1' } as const;

        const listed = await whole((page) => stores.assistants.list(visibleTo, filter, page));

        const expected = seen.filter(
          ({ setup, published, description }) =>
            setup.type === 'classic' && published && description.includes('course 1'),
        );
        expect(idsOf(listed)).to.deep.equal(idsOf(expected));
      }
    });

    it('hold exactly the rubrics that the person may read', async () => {
      const policy = createAccessPolicy({ ...stores, allowsLinks: () => Promise.resolve(false) });
      const all = await whole((page) => stores.rubrics.list(EVERYTHING, {}, page));

      for (const person of people) {
        const listed = await whole((page) => stores.rubrics.list(visibilityOf(person), {}, page));

        expect(idsOf(listed)).to.deep.equal(
          idsOf(all.filter((rubric) => policy.maySeeRubric(person, rubric).allowed)),
        );
      }
    });

    it('hold exactly the collections that the person may read', async () => {
      const policy = createAccessPolicy({ ...stores, allowsLinks: () => Promise.resolve(false) });
      const all = await whole((page) => stores.collections.list(EVERYTHING, {}, page));

      for (const person of people) {
        const listed = await whole((page) => stores.collections.list(visibilityOf(person), {}, page));

        expect(idsOf(listed)).to.deep.equal(
          idsOf(all.filter((collection) => policy.maySeeCollection(person, collection).allowed)),
        );
      }
    });

    it("hold one's own prompt templates and those of one's organisation that are shared or administered", async () => {
      const all = await whole((page) => stores.promptTemplates.list(EVERYTHING, {}, page));

      for (const person of people) {
        const listed = await whole((page) => stores.promptTemplates.list(visibilityOf(person), {}, page));

        const expected = all.filter(
          ({ ownerId, organizationId, isShared }) =>
            ownerId === person.userId ||
            (organizationId === person.organizationId && (isShared || person.role === 'org_admin')),
        );
        expect(idsOf(listed)).to.deep.equal(idsOf(expected));
      }
    });

    it('hold as models the assistants that are switched on, with whether they see', async () => {
      const odd = '{"capabilities" : {"\\u0076ision" :\n true}}';
      const misleading = '{"vision":true,"capabilities":{"vision":"true"}}';
      const [first, second] = await db('assistants')
        .whereNull('deleted_at')
        .orderBy('id')
        .pluck<number[]>('id');
      await db('assistants').where('id', first).update({ metadata: odd });
      await db('assistants').where('id', second).update({ metadata: misleading });

      for (const visibleTo of [EVERYTHING, ...people.map(visibilityOf)]) {
        const models = await stores.assistants.models(visibleTo);

        const seen = await whole((page) => stores.assistants.list(visibleTo, {}, page));
        const expected = seen
          .filter(({ enabled }) => enabled)
          .map(({ id, name, description, createdAt, setup }) => ({
            ...{ id, name, description, createdAt, vision: setup.vision, isGated: false },
          }));
        expect(models).to.deep.equal(expected);
      }
    });
  },
  'suite',
);

function visibilityOf({ userId, organizationId, role }: Person): Visibility {
  return { everything: false, userId, organizationId, wholeOrganization: role === 'org_admin' };
}

async function whole<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read({ limit: 7, cursor: cursor ?? undefined });
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

const idsOf = (rows: readonly { readonly id: number | string }[]) => rows.map(({ id }) => id);
