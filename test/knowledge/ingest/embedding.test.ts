import { expect } from 'chai';
import { describeOnEachEngine } from '../../support/databases.js';
import { until } from '../../http/support/collection-client.js';
import { anEmbedder, openWorkshop, reads, type Workshop } from './ingestion-fixture.js';

const LINES = Array.from({ length: 150 }, (_, i) => `stomata number ${String(i)}`).join('\n');

describeOnEachEngine(
  'embedding documents',
  (open) => {
    let shop: Workshop;
    beforeEach(async () => {
      shop = await openWorkshop(await open());
    });
    afterEach(() => shop.close());
    const organization = () => shop.collection.organizationId;
    const embeddedWith = (id: string, model: string) =>
      until(
        () => shop.get(id),
        (document) => document.embeddedWith === model && document.stage === 'done',
      );
    const nearest = (model: string) =>
      shop.stores.passages.nearest({
        ...{ collectionIds: [shop.collection.id], model, vector: Float32Array.of(1), limit: 1_000 },
      });

    it('gives every passage a vector before the document is shown', async () => {
      const { id } = await shop.add('a.md');
      const { embedderFor, state } = anEmbedder('first');
      shop.open({ extract: reads(LINES), embedderFor });

      expect(await shop.settled(id)).to.include({ status: 'ready', embeddedWith: 'first' });
      expect(state.embedded).to.equal(150);
      expect(await nearest('first')).to.have.length(150);
    });

    it('costs nobody a document when the model is down: it is found by words, and embedded once it answers', async () => {
      const { id } = await shop.add('a.md');
      const { embedderFor, state } = anEmbedder('first');
      state.isDown = true;
      const ingestion = shop.open({ extract: reads(LINES), embedderFor });

      const ready = await shop.settled(id);
      await ingestion.reconsider(organization());
      // Its stage tells nothing: it is found all the while.
      const tried = await until(
        () => shop.get(id),
        ({ error }) => error !== undefined,
      );
      state.isDown = false;
      await ingestion.reconsider(organization());

      expect(ready).to.include({ status: 'ready', passages: 150, embeddedWith: undefined });
      expect(await shop.found('stomata')).not.to.deep.equal([]);
      expect(tried).to.include({ status: 'ready', embeddedWith: undefined });
      expect(await embeddedWith(id, 'first')).to.include({ status: 'ready' });
      expect(JSON.stringify(shop.logged)).not.to.contain('10.0.0.7');
    });

    it('asks a model that is down for what is under way by then, and leaves it alone for the next documents', async () => {
      const ids = [];
      for (let i = 0; i < 4; i++) ids.push((await shop.add(`${String(i)}.md`)).id);
      const { embedderFor, state } = anEmbedder('first');
      state.isDown = true;
      shop.open({ embedderFor });

      for (const id of ids) await shop.settled(id);

      // Two documents are taken in at a time.
      const asked = shop.logged.filter(({ msg }) => msg === 'passages could not be embedded');
      expect(asked).to.have.length.within(1, 2);
    });

    it('is done anew when another model is wanted, while the document stays found', async () => {
      const { id } = await shop.add('a.md');
      const [first, second] = [anEmbedder('first'), anEmbedder('second')];
      let wanted = first;
      const ingestion = shop.open({ extract: reads(LINES), embedderFor: () => wanted.embedderFor() });
      await embeddedWith(id, 'first');

      wanted = second;
      await ingestion.reconsider(organization());
      const queued = await shop.get(id);
      await embeddedWith(id, 'second');

      expect(queued.status).to.equal('ready');
      expect([first.state.embedded, second.state.embedded]).to.deep.equal([150, 150]);
      expect([(await nearest('first')).length, (await nearest('second')).length]).to.deep.equal([0, 150]);
    });

    it('leaves what has the right vectors alone, and what needs none', async () => {
      const { id } = await shop.add('a.md');
      const { embedderFor, state } = anEmbedder('first');
      const ingestion = shop.open({ embedderFor });
      await embeddedWith(id, 'first');

      await ingestion.reconsider(organization());
      await ingestion.stop();
      const without = shop.open({});
      await without.reconsider(organization());
      await without.stop();

      expect(state.embedded).to.equal(1);
      expect(await shop.get(id)).to.include({ status: 'ready', embeddedWith: 'first' });
    });
  },
  'suite',
);
