import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { storageAway } from '../../../src/core/blobs.js';
import { unreadableDocument } from '../../../src/core/errors.js';
import type { Extract } from '../../../src/core/knowledge/extracted.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { until } from '../../http/support/collection-client.js';
import { aborted, gatedReader, openWorkshop, reads, type Workshop } from './ingestion-fixture.js';

const NO_LEASE = { ms: -1 };

describeOnEachEngine(
  'taking documents in',
  (open) => {
    let shop: Workshop;
    beforeEach(async () => {
      shop = await openWorkshop(await open());
    });
    afterEach(() => shop.close());

    it('begins with what waits, goes on when it is nudged, and shows all of a document at once', async () => {
      const faults = [{ page: 3, message: 'Page 3 could not be read.' }];
      const first = await shop.add('first.md');
      const ingestion = shop.open({
        extract: reads('stomata let gases pass\nmitosis divides cells', { pageCount: 4, faults }),
      });
      await shop.settled(first.id);

      const second = await shop.add('second.md');
      ingestion.nudge();

      expect(await shop.settled(first.id)).to.deep.include({
        ...{ status: 'ready', stage: 'done', progress: 100, error: undefined, faults },
        ...{ format: 'markdown', pages: 4, passages: 2, language: 'en', embeddedWith: undefined },
      });
      expect((await shop.settled(second.id)).status).to.equal('ready');
      expect(await shop.found('mitosis')).to.deep.equal(['mitosis divides cells', 'mitosis divides cells']);
    });

    it('shows nothing of a document before it is whole, however long that takes', async () => {
      const lines = Array.from({ length: 500 }, (_, i) => `stomata number ${String(i)}`).join('\n');
      const { id } = await shop.add('long.md');
      const seen: number[] = [];
      const { documents } = shop.stores;
      shop.open({
        extract: reads(lines),
        documents: {
          ...documents,
          async write(edition, part) {
            await documents.write(edition, part);
            seen.push((await shop.found('stomata')).length);
          },
        },
      });

      const { passages } = await shop.settled(id);

      expect(passages).to.equal(500);
      expect(seen.length).to.be.at.least(5);
      expect(new Set(seen)).to.deep.equal(new Set([0]));
      expect(await shop.found('stomata')).not.to.deep.equal([]);
    });

    it('keeps nobody waiting behind scans, which take minutes to recognise', async () => {
      const scans = [await shop.add('scan-1.pdf'), await shop.add('scan-2.pdf')];
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const extract: Extract = async (file, options) => {
        if (file.filename.startsWith('scan')) {
          options.onScans?.();
          await gate;
        }
        return await reads('stomata let gases pass')(file, options);
      };
      const ingestion = shop.open({ extract });
      for (const { id } of scans)
        await until(
          () => shop.get(id),
          ({ status }) => status === 'processing',
        );

      const { id } = await shop.add('short.md');
      ingestion.nudge();
      const short = await shop.settled(id);
      const waiting = await Promise.all(scans.map((scan) => shop.get(scan.id)));
      release();

      expect(short.status).to.equal('ready');
      expect(waiting.map(({ status }) => status)).to.deep.equal(['processing', 'processing']);
      for (const scan of scans) expect((await shop.settled(scan.id)).status).to.equal('ready');
    });

    it('tells how far it is in order: reading, splitting, indexing', async () => {
      const { id } = await shop.add('a.md');
      const told: [stage: string, progress: number][] = [];
      const { documents } = shop.stores;
      const extract: Extract = async (_file, { onProgress }) => {
        for (const percent of [10, 50, 100]) {
          onProgress(percent);
          await until(
            () => Promise.resolve(told.at(-1)?.[1]),
            (progress) => progress === 5 + (40 * percent) / 100,
          );
        }
        return reads('stomata')(
          { path: '', filename: '' },
          { signal: new AbortController().signal, onProgress },
        );
      };
      shop.open({
        extract,
        documents: {
          ...documents,
          async report(work, state, lease) {
            told.push([state.stage, state.progress]);
            return documents.report(work, state, lease);
          },
        },
      });

      await shop.settled(id);

      expect(told.filter(([stage]) => stage === 'reading')).to.deep.include.members([
        ['reading', 9],
        ['reading', 25],
        ['reading', 45],
      ]);
      expect(told.map(([, progress]) => progress)).to.deep.equal(
        told.map(([, p]) => p).sort((a, b) => a - b),
      );
    });

    it('gives up what cannot be read, with the reason, and goes on with the next', async () => {
      const extract: Extract = (file, options) =>
        file.filename === 'bad.md'
          ? Promise.reject(unreadableDocument('The file is damaged.'))
          : reads('stomata')(file, options);
      const [bad, good] = [await shop.add('bad.md'), await shop.add('good.md')];
      shop.open({ extract });

      expect(await shop.settled(bad.id)).to.include({ status: 'failed', error: 'The file is damaged.' });
      expect((await shop.settled(good.id)).status).to.equal('ready');
    });

    it('tries three times what breaks, then says so without a word of what broke', async () => {
      let tries = 0;
      const { id } = await shop.add('odd.md');
      shop.open({
        extract: () => {
          tries += 1;
          return Promise.reject(new TypeError('secret words of the document'));
        },
        pace: { beatMs: 600_000, lookMs: 10 },
      });
      for (const nth of [1, 2]) {
        await until(
          () => Promise.resolve(shop.logged.filter(({ msg }) => msg === 'a document could not be taken in')),
          ({ length }) => length === nth,
        );
        await shop.letLeasesRunOut();
      }

      const { status, error } = await shop.settled(id);

      expect([status, tries]).to.deep.equal(['failed', 3]);
      expect(error).to.match(/^The document could not be taken in\./);
      expect(JSON.stringify(shop.logged)).not.to.contain('secret words');
      expect(JSON.stringify(shop.logged)).to.contain('TypeError');
    });

    it('waits for a store that is away however long that takes, without counting it as an attempt', async () => {
      const { id } = await shop.add('late.md');
      const { documentFiles } = shop.stores;
      let isAway = true;
      shop.open({
        documentFiles: {
          ...documentFiles,
          withFile: (of, work) =>
            isAway ? Promise.reject(storageAway(undefined)) : documentFiles.withFile(of, work),
        },
        pace: { lookMs: 10 },
      });
      for (let nth = 1; nth <= 5; nth++) {
        await until(
          () =>
            Promise.resolve(
              shop.logged.filter(({ msg }) => msg === 'a document waits for the storage of files'),
            ),
          ({ length }) => length >= nth,
        );
        await shop.letLeasesRunOut();
      }

      const waiting = await shop.get(id);
      isAway = false;
      await shop.letLeasesRunOut();
      const { status } = await shop.settled(id);

      expect([waiting.status === 'failed', status]).to.deep.equal([false, 'ready']);
    });

    it('does not touch again a document over which three have died', async () => {
      const { id } = await shop.add('deadly.md');
      for (let i = 0; i < 3; i++) await shop.stores.documents.claim(NO_LEASE);
      let tries = 0;
      shop.open({
        extract: () => {
          tries += 1;
          return Promise.reject(new Error('read'));
        },
      });

      const { status, error } = await shop.settled(id);

      expect([status, tries]).to.deep.equal(['failed', 0]);
      expect(error).to.contain('ended 3 times');
    });

    it('takes over from one who died', async () => {
      const { id } = await shop.add('a.md');
      const work = await shop.stores.documents.claim(NO_LEASE);
      const edition = await shop.stores.documents.beginEdition(work!);
      await shop.stores.documents.write(edition!, {
        sections: [{ title: '', page: 1, start: 0, end: 4, text: 'half' }],
        passages: [{ section: 0, page: 1, pageEnd: 1, start: 0, end: 4, text: 'half', terms: ['half'] }],
      });

      shop.open({ extract: reads('whole') });

      expect((await shop.settled(id)).passages).to.equal(1);
      expect(await shop.found('half')).to.deep.equal([]);
      expect(await shop.found('whole')).to.deep.equal(['whole']);
    });

    it('gives back what is under way when it stops, for the next to begin anew', async () => {
      const { id } = await shop.add('a.md');
      const reader = gatedReader();
      const ingestion = shop.open({ extract: reader.extract });
      await reader.asked;

      await ingestion.stop();
      const given = await shop.get(id);
      shop.open({});
      const taken = await shop.settled(id);

      expect(given).to.include({ status: 'queued', stage: 'waiting', progress: 0, passages: 0 });
      expect(taken.status).to.equal('ready');
    });

    it('stops at once when the document is deleted, and leaves nothing of it', async () => {
      const { id } = await shop.add('a.md');
      const reader = gatedReader();
      const ingestion = shop.open({ extract: reader.extract });
      const signal = await reader.asked;

      await shop.stores.documents.delete(shop.collection.id, id);
      await shop.stores.documentFiles.delete([id]);
      ingestion.nudge();
      await aborted(signal);
      reader.goOn();
      const next = await shop.add('b.md');
      ingestion.nudge();

      expect((await shop.settled(next.id)).status).to.equal('ready');
      expect(await shop.found('stomata')).to.have.length(1);
      await access(join(shop.folder, id)).then(
        () => expect.fail('its file is there'),
        () => undefined,
      );
    });

    it('leaves a document that was queued again to whoever claims it then', async () => {
      const { id } = await shop.add('a.md');
      const reader = gatedReader('old text');
      const readers: Extract[] = [reader.extract, reads('new text')];
      const ingestion = shop.open({ extract: (file, options) => readers.shift()!(file, options) });
      const signal = await reader.asked;

      await shop.stores.documents.requeue(shop.collection.id, id);
      ingestion.nudge();
      await aborted(signal);
      const { status } = await shop.settled(id);

      expect(status).to.equal('ready');
      expect(await shop.found('text')).to.deep.equal(['new text']);
    });

    it('writes short ones together, without those that cannot be read or are deleted meanwhile', async () => {
      const all = [];
      for (let i = 0; i < 10; i++) all.push((await shop.add(`${String(i)}.md`)).id);
      const [broken, gone] = [(await shop.add('broken.md')).id, (await shop.add('gone.md')).id];
      const { documents } = shop.stores;
      let transactions = 0;
      shop.open({
        documents: {
          ...documents,
          publishAtOnce: (publications) => {
            transactions += 1;
            return documents.publishAtOnce(publications);
          },
        },
        extract: async (file, options) => {
          if (file.filename === 'broken.md') throw unreadableDocument('Only half of it is there.');
          if (file.filename === 'gone.md') await documents.delete(shop.collection.id, gone);
          return reads('stomata')(file, options);
        },
      });

      for (const id of all) expect((await shop.settled(id)).status).to.equal('ready');
      expect(await shop.settled(broken)).to.include({ status: 'failed', error: 'Only half of it is there.' });
      expect(await shop.found('stomata')).to.have.length(10);
      // Of the two who are at it.
      expect(transactions).to.be.at.most(4);
    });

    it('writes the others of those by themselves when one of them cannot be written', async () => {
      const all = [];
      for (const name of ['a.md', 'unwritable.md', 'b.md']) all.push((await shop.add(name)).id);
      const { documents } = shop.stores;
      shop.open({
        documents: {
          ...documents,
          publishAtOnce: (publications) =>
            publications.some(({ work }) => work.document.filename === 'unwritable.md')
              ? Promise.reject(new Error('disk'))
              : documents.publishAtOnce(publications),
        },
        extract: reads('stomata'),
        pace: { leaseMs: 300, lookMs: 10 },
      });

      for (const id of all) await shop.settled(id);

      expect((await Promise.all(all.map(shop.get))).map(({ status }) => status)).to.deep.equal([
        ...['ready', 'failed', 'ready'],
      ]);
      expect(await shop.found('stomata')).to.have.length(2);
    });

    it('is done once for each document, however many are at it', async () => {
      const ids = [];
      for (let i = 0; i < 12; i++) ids.push((await shop.add(`${String(i)}.md`)).id);
      const read: string[] = [];
      const extract: Extract = (file, options) => {
        read.push(file.filename);
        return reads('stomata')(file, options);
      };

      for (let i = 0; i < 3; i++) shop.open({ extract });
      for (const id of ids) await shop.settled(id);

      expect(read.sort()).to.deep.equal(ids.map((_, i) => `${String(i)}.md`).sort());
    });
  },
  'suite',
);
