import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import {
  NOTHING_YET,
  type Source,
  type SourceContent,
  type SourceWork,
} from '../../../src/core/knowledge/source.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aReadDocument, ALL, find, LEASE, newDocument, NO_LEASE } from './library.js';

const CONTENT: SourceContent = {
  name: 'Notes',
  settings: { kind: 'web', url: 'https://example.org/', sitemap: false },
  token: undefined,
  schedule: 'off',
};
const NOTHING = { total: 0, done: 0, outcome: NOTHING_YET };
const WELL = { ...NOTHING, error: undefined, failed: false };

describeOnEachEngine('sources', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const make = async (changes: Partial<SourceContent> = {}): Promise<Source> => {
    const made = await stores.sources.create(collection.id, { ...CONTENT, ...changes });
    if (!made) throw new Error('There is no such collection.');
    return made;
  };
  const claimed = async (lease = LEASE): Promise<SourceWork> => {
    const work = await stores.sources.claim(lease);
    if (!work) throw new Error('None is due.');
    return work;
  };
  const get = (id: string) => stores.sources.get(collection.id, id);
  const brought = (work: SourceWork, key: string, version = '1') => ({
    ...newDocument({ filename: key }),
    source: { id: work.source.id, key, version, claim: work.claim },
  });

  it('are due when they are made, are run by one alone, and after that as their schedule says', async () => {
    const { id } = await make({ schedule: 'daily' });

    const work = await claimed();
    const second = await stores.sources.claim(LEASE);
    await stores.sources.finish(work, WELL);
    const { nextRunAt = '', lastRun } = (await get(id))!;

    expect(work.source).to.include({ id, collectionId: collection.id });
    expect(second).to.equal(undefined);
    expect(lastRun).to.include({ id: work.run.id, status: 'done' });
    expect(Date.parse(nextRunAt) - Date.parse(lastRun!.startedAt)).to.equal(24 * 3_600_000);
    expect(await stores.sources.claim(LEASE)).to.equal(undefined);
    expect(await stores.sources.nextDue()).to.equal(nextRunAt);
  });

  it('without a schedule are never due again until somebody wants it', async () => {
    const { id } = await make();
    await stores.sources.finish(await claimed(), WELL);
    const idle = await stores.sources.nextDue();

    await stores.sources.want(collection.id, id);

    expect(idle).to.equal(undefined);
    expect((await claimed()).source.id).to.equal(id);
  });

  it('that somebody fell silent over are taken over in the same run, and are lost to them', async () => {
    await make();
    const silent = await claimed(NO_LEASE);
    const outcome = { ...NOTHING_YET, added: 2 };
    await stores.sources.report(silent, { total: 5, done: 2, outcome }, NO_LEASE);

    const next = await claimed();
    const late = await stores.sources.report(silent, NOTHING, LEASE);
    await stores.sources.finish(silent, { ...WELL, failed: true, error: { message: 'Too late.' } });
    const added = await stores.documents.add(collection.id, brought(silent, 'a.md'));

    expect(next.run).to.deep.include({ id: silent.run.id, total: 5, done: 2, outcome, status: 'running' });
    expect(next.attempts).to.equal(2);
    expect([late, added]).to.deep.equal([false, undefined]);
    expect((await get(next.source.id))?.lastRun).to.include({ status: 'running', error: undefined });
  });

  it('that are given back go on in the same run, as if nobody had been at it', async () => {
    await make();
    const work = await claimed();
    await stores.sources.release(work);

    const next = await claimed();

    expect([next.run.id, next.attempts]).to.deep.equal([work.run.id, 1]);
  });

  it('that lead elsewhere are run at once, and whoever is at the old place has lost it', async () => {
    const { id } = await make({ schedule: 'weekly' });
    const work = await claimed();

    const settings = { kind: 'web', url: 'https://example.net/', sitemap: true } as const;
    await stores.sources.replace(collection.id, id, { ...CONTENT, schedule: 'weekly', settings });

    expect(await stores.sources.report(work, NOTHING, LEASE)).to.equal(false);
    expect((await claimed()).source.settings).to.deep.equal(settings);
  });

  it('bring the same thing once, however often; the same bytes are no second document', async () => {
    await make();
    const work = await claimed();
    const document = brought(work, 'a.md');

    const first = await stores.documents.add(collection.id, document);
    const again = await stores.documents.add(collection.id, brought(work, 'a.md'));
    const same = await stores.documents.add(collection.id, {
      ...brought(work, 'b.md'),
      sha256: document.sha256,
    });

    expect(first?.document).to.include({ sourceId: work.source.id });
    expect(again).to.equal(undefined);
    expect(same).to.include({ isNew: false });
    expect((await stores.sources.brought(work.source.id)).map(({ key }) => key)).to.deep.equal(['a.md']);
  });

  it('renew a document under its id: the old text is found until the new one is read', async () => {
    await make();
    const work = await claimed();
    const { id } = await aReadDocument(stores, collection.id, ['cell']);
    await db('documents').where({ id }).update({ source_id: work.source.id, source_key: 'a.md' });
    const from = { id: work.source.id, key: 'a.md', version: '2', claim: work.claim };
    const news = { filename: 'a.md', sourceUrl: undefined, bytes: 3, sha256: 'other' };

    const isRenewed = await stores.documents.renew(id, from, news);

    expect(isRenewed).to.equal(true);
    expect(await stores.documents.get(collection.id, id)).to.include({ status: 'queued', sha256: 'other' });
    expect(await find(stores, [collection.id], 'cell')).to.deep.equal(['cell']);
    expect(await stores.sources.brought(work.source.id)).to.deep.include({
      ...{ id, key: 'a.md', version: '2', filename: 'a.md', sha256: 'other' },
    });
    expect(await stores.documents.renew(id, { ...from, claim: 'lost' }, news)).to.equal(false);
  });

  for (const documents of ['keep', 'remove'] as const)
    it(`can be deleted, and their documents ${documents === 'keep' ? 'stay as the collection’s own' : 'go with them'}`, async () => {
      await make();
      const work = await claimed();
      const added = await stores.documents.add(collection.id, brought(work, 'a.md'));
      const id = added?.document.id ?? '';

      const deleted = await stores.sources.delete(collection.id, work.source.id, documents);

      expect(deleted?.documentIds).to.deep.equal(documents === 'keep' ? [] : [id]);
      expect((await stores.documents.get(collection.id, id))?.sourceId).to.equal(undefined);
      expect(await stores.documents.list(collection.id, {}, ALL)).to.have.nested.property(
        'data.length',
        documents === 'keep' ? 1 : 0,
      );
      expect(await stores.sources.report(work, NOTHING, LEASE)).to.equal(false);
      expect(await db('source_runs').select('id')).to.deep.equal([]);
    });

  it('go with their collection', async () => {
    await make();
    await claimed();

    await stores.collections.delete(collection.id);

    expect(await db('sources').select('id')).to.deep.equal([]);
    expect(await db('source_runs').select('id')).to.deep.equal([]);
    expect(await stores.sources.create(collection.id, CONTENT)).to.equal(undefined);
  });

  it('keep why a run failed; one from before there were codes has its sentence alone', async () => {
    const { id } = await make();
    const error = { message: 'The branch "a" was not found.', code: 'git_no_branch', values: ['a'] };
    await stores.sources.finish(await claimed(), { ...WELL, failed: true, error });
    const kept = (await get(id))?.lastRun?.error;
    await db('source_runs').update({ error_code: null, error_values: null });

    expect(kept).to.deep.equal(error);
    expect((await get(id))?.lastRun?.error).to.deep.equal({ message: error.message, code: undefined });
  });

  it('remember their last fifty runs, newest first', async () => {
    const { id } = await make();
    const work = await claimed();
    const [run] = await db<object>('source_runs');
    const old = Array.from({ length: 51 }, (_, n) => ({
      ...{ ...run, id: `old ${String(n)}`, status: 'done' },
      started_at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    }));
    await db('source_runs').insert(old);
    await stores.sources.finish(work, WELL);

    const { data, nextCursor } = await stores.sources.runs(collection.id, id, { limit: 30 });
    const rest = await stores.sources.runs(collection.id, id, { limit: 30, cursor: nextCursor! });

    expect(data.length + rest.data.length).to.equal(50);
    expect([...data, ...rest.data].map(({ startedAt }) => startedAt)).to.deep.equal(
      [...data, ...rest.data]
        .map(({ startedAt }) => startedAt)
        .sort()
        .reverse(),
    );
  });
});

describeOnEachEngine('sources that are due for many at once', (_open, _target, migrated) => {
  it('are given to exactly one of them each', async () => {
    const place = await migrated();
    const connections = [await openDb(place), await openDb(place), await openDb(place)];
    const all = connections.map(storesOn);
    try {
      const { id } = await aCollection(all[0]!);
      for (let n = 0; n < 6; n++) await all[0]!.sources.create(id, CONTENT);

      const works = await Promise.all(Array.from({ length: 9 }, (_, n) => all[n % 3]!.sources.claim(LEASE)));
      const ids = works.flatMap((work) => (work ? [work.source.id] : []));

      expect(new Set(ids).size).to.equal(ids.length);
      expect(ids.length).to.be.at.least(1);
    } finally {
      for (const connection of connections) await connection.destroy();
    }
  });
});
