import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import type { Stores } from '../../../src/core/stores.js';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, countsOf, find, ingest, LEASE } from './library.js';

const PARTS = 4;
const WHOLE = PARTS * 8;
/** After so many steps, in the middle of the next: of the first document or of the second, whichever step it is. */
const KILLED_AFTER = [1, 3, 5, 6, 7, 13];

describe('an ingestion killed at any moment', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let collectionId: string;
  let documentIds: readonly string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-ingestion-'));
    file = join(folder, 'test.db');
    await withDb(async (stores) => {
      ({ id: collectionId } = await aCollection(stores));
      documentIds = [(await aDocument(stores, collectionId)).id, (await aDocument(stores, collectionId)).id];
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function withDb<T>(work: (stores: Stores, db: Knex) => Promise<T>): Promise<T> {
    const db = await openDb({ kind: 'sqlite', file });
    try {
      return await work(storesOn(db), db);
    } finally {
      await db.destroy();
    }
  }

  /** Which documents it had said were published. */
  async function workUntilKilled(steps: number): Promise<readonly string[]> {
    const child = spawn(process.execPath, ['test/db/knowledge/ingesting-process.mjs', file, String(PARTS)], {
      cwd: PROJECT_ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    const closed = once(child, 'close');
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > steps) child.kill('SIGKILL');
    });
    await closed;
    return [...said.matchAll(/^published (.+)$/gm)].map((match) => match[1] ?? '');
  }

  /** How many passages of each document are found, and of how many attempts at it: one whole, or nothing. */
  async function inspect(stores: Stores, db: Knex) {
    const [{ integrity_check: integrity }] = (await db.raw('PRAGMA integrity_check')) as [
      { integrity_check: string },
    ];
    await db.raw(`INSERT INTO passage_index (passage_index) VALUES ('integrity-check')`);
    const { kept, recounted } = await countsOf(db);
    const found = await find(stores, [collectionId], 'whole', 1_000);
    const documents = await Promise.all(
      documentIds.map(async (id) => {
        const document = await stores.documents.get(collectionId, id);
        const { data } = await stores.documents.passages(collectionId, id, { limit: 1_000 });
        const attempts = new Set(data.map(({ text }) => text.split(' ')[1])).size;
        return { id, status: document?.status, count: data.length, attempts };
      }),
    );
    return { integrity, kept, recounted, found: found.length, documents };
  }

  /** Those that somebody else can take on at once. */
  async function claimable({ documents }: Stores): Promise<readonly string[]> {
    const works = [];
    for (let work = await documents.claim(LEASE); work; work = await documents.claim(LEASE)) works.push(work);
    for (const work of works) await documents.release(work);
    return works.map(({ document }) => document.id);
  }

  it('leaves the file sound, all or nothing of each document to be found, and its work to be taken on again', async () => {
    const published = new Set<string>();
    for (const steps of KILLED_AFTER) {
      for (const id of await workUntilKilled(steps)) published.add(id);

      await withDb(async (stores, db) => {
        const seen = await inspect(stores, db);
        const free = await claimable(stores);
        expect(seen.integrity).to.equal('ok');
        expect(seen.kept).to.deep.equal(seen.recounted);
        for (const { id, status, count, attempts } of seen.documents) {
          expect([0, WHOLE]).to.include(count);
          expect(attempts).to.equal(count === 0 ? 0 : 1);
          if (published.has(id)) expect(count).to.equal(WHOLE);
          if (status !== 'ready') expect(free).to.include(id);
        }
        expect(seen.found).to.equal(seen.documents.reduce((sum, { count }) => sum + count, 0));

        for (const id of documentIds)
          if (!free.includes(id)) await stores.documents.requeue(collectionId, id);
      });
    }
    expect(published.size).to.be.greaterThan(0);
  });

  it('is done by the next who comes, with nothing left over of those before', async () => {
    await withDb(async (stores, db) => {
      for (const id of documentIds) await stores.documents.requeue(collectionId, id);
      for (let n = 0; n < documentIds.length; n++)
        await ingest(stores, (await stores.documents.claim(LEASE))!, ['done at last']);
      await stores.documents.sweep();

      expect(await find(stores, [collectionId], 'done')).to.have.length(documentIds.length);
      expect(await find(stores, [collectionId], 'whole')).to.deep.equal([]);
      expect(await db('editions').select('live')).to.deep.equal(documentIds.map(() => ({ live: 1 })));
      expect(await db('passages').select('id')).to.have.length(documentIds.length);
    });
  });
});
