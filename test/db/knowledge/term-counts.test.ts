import { expect } from 'chai';
import fc from 'fast-check';
import type { Work } from '../../../src/core/knowledge/document.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, countsOf, FACTS, find, LEASE, passage, section } from './library.js';

const words = fc.array(fc.constantFrom('cell', 'wall', 'moon', 'été', '42'), { maxLength: 5 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('write' as const), texts: fc.array(words, { maxLength: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('add', 'claim', 'begin', 'publish', 'fail', 'release', 'sweep'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('requeue', 'delete'), which: fc.nat(3) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays one worker and one owner, who know nothing of each other. */
async function play(stores: Stores, collectionId: string, steps: readonly Step[]): Promise<void> {
  const { documents } = stores;
  let work: Work | undefined;
  let edition: number | undefined;
  const ids: string[] = [];
  const idOf = (each: Step) => ('which' in each ? ids[each.which] : undefined) ?? 'none';
  for (const each of steps) {
    if (each.do === 'add') ids.push((await aDocument(stores, collectionId)).id);
    else if (each.do === 'requeue') await documents.requeue(collectionId, idOf(each));
    else if (each.do === 'delete') await documents.delete(collectionId, idOf(each));
    else if (each.do === 'sweep') await documents.sweep();
    else if (each.do === 'claim') work = (await documents.claim(LEASE)) ?? work;
    else if (!work) continue;
    else if (each.do === 'begin') edition = await documents.beginEdition(work);
    else if (each.do === 'fail') await documents.fail(work, 'No.', []);
    else if (each.do === 'release') await documents.release(work);
    else if (edition === undefined) continue;
    else if (each.do === 'publish') await documents.publish(work, edition, FACTS);
    else if ('texts' in each) {
      const passages = each.texts.map((text) => passage(text.join(' '), { terms: text }));
      await documents.write(edition, { sections: [section()], passages });
    }
  }
}

describeOnEachEngine('counts of words', (open) => {
  it('are those of the rows that are there, and after a sweep of what is shown, whatever has happened', async () => {
    const db = await open();
    const stores = storesOn(db);

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const { id } = await aCollection(stores);
        await play(stores, id, steps);
        const during = await countsOf(db);
        expect(during.kept).to.deep.equal(during.recounted);

        const shown = await find(stores, [id], 'cell wall moon été 42', 100);
        const live = await db('documents').whereNotNull('edition').sum({ passages: 'passages' });
        await stores.collections.delete(id);
        await stores.documents.sweep();

        expect(shown.length).to.be.at.most(Number(live[0]?.['passages'] ?? 0));
        expect((await countsOf(db)).kept).to.deep.equal({});
        for (const table of ['editions', 'sections', 'passages'])
          expect(await db(table).select('id'), table).to.deep.equal([]);
      }),
      { numRuns: 12 },
    );
  });
});
