import { access, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { sweepOriginals } from '../../../src/activities/sweep-originals.js';
import { reconsiderAtStart } from '../../../src/knowledge/ingest/ingestion.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { openWorkshop, type Workshop } from './ingestion-fixture.js';

const HOURS = 3_600_000;

describeOnEachEngine(
  'tidying up at the start',
  (open) => {
    let shop: Workshop;
    beforeEach(async () => {
      shop = await openWorkshop(await open());
    });
    afterEach(() => shop.close());
    const isThere = (id: string) =>
      access(join(shop.folder, id)).then(
        () => true,
        () => false,
      );
    const aged = async (id: string, hours: number) => {
      const then = new Date(Date.now() - hours * HOURS);
      await utimes(join(shop.folder, id), then, then);
      return id;
    };
    const aFile = async () =>
      (await shop.stores.documentFiles.receive(Readable.from([Buffer.from('x')]), { maxBytes: 10 })).id;
    it('clears away files that no document has, once nobody can be about to name them', async () => {
      const known = await aged((await shop.add('a.md')).id, 2);
      const [orphan, fresh] = [await aged(await aFile(), 2), await aged(await aFile(), 0.5)];

      const swept = await sweepOriginals(shop.stores);

      expect([swept, await isThere(known), await isThere(orphan), await isThere(fresh)]).to.deep.equal([
        1,
        true,
        false,
        true,
      ]);
    });

    it('asks for every organisation whether other embeddings are wanted', async () => {
      const asked: number[] = [];

      const log = { debug: expect.fail, info: expect.fail, warn: expect.fail, error: expect.fail };
      await reconsiderAtStart({
        ...{ ...shop.stores, ingestion: { reconsider: (id) => Promise.resolve(void asked.push(id)) }, log },
      });

      expect(asked).to.include(shop.collection.organizationId);
    });
  },
  'suite',
);
