import { randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { createMigrationSource } from '../../../db/schema-version.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { storesOn } from '../fixtures.js';
import { anEmbeddedDocument, aVector, between, MODEL } from './embedded.js';
import { aCollection } from './library.js';

/** PostgreSQL with the real pgvector, in this process and for one connection. It takes a second to start. */
async function startPglite() {
  const lite = await PGlite.create({
    extensions: { vector },
    loadDataDir: await openAsBlob(await emptyPglite()),
  });
  const server = new PGLiteSocketServer({ db: lite, host: '127.0.0.1', port: 0 });
  await server.start();
  const port = server.getServerConn().split(':').at(-1) ?? '';
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await lite.close();
    },
  };
}

/** What it makes before its first start is kept for the next of the same version: that takes four times as long as the start. */
async function emptyPglite(): Promise<string> {
  const program = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const facts = await readFile(join(dirname(program), '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(facts) as { readonly version: string };
  const kept = join(PROJECT_ROOT, 'node_modules', '.cache', 'test-postgres', `pglite-${version}.tar`);
  if (existsSync(kept)) return kept;
  const lite = await PGlite.create();
  const made = await lite.dumpDataDir('none');
  await lite.close();
  const making = `${kept}.${randomUUID()}`;
  await mkdir(dirname(kept), { recursive: true });
  await writeFile(making, made.stream());
  await rename(making, kept);
  return kept;
}

/** An empty database of a server with pgvector may be named, to see that it does the same. */
const startServer = async () => {
  const url = process.env['TEST_PGVECTOR'];
  return url === undefined ? await startPglite() : { url, stop: () => Promise.resolve() };
};

const BYTES_FROM = '20261116001400_vector_indexes';
const OLD_VECTOR = aVector(1);

/** As one that had vectors of pgvector's own type before they were kept as bytes. */
async function migrate(db: Knex): Promise<void> {
  const source = createMigrationSource();
  const files = await source.getMigrations([]);
  const before = files.filter((file) => file < BYTES_FROM);
  await db.migrate.latest({ migrationSource: { ...source, getMigrations: () => Promise.resolve(before) } });
  await db('passage_vectors').insert({
    ...{ passage_id: 0, edition: 0, model: MODEL },
    vector: `[${OLD_VECTOR.join(',')}]`,
  });
  await db.migrate.latest({ migrationSource: source });
}

const EVERYTHING = 1;
const NEVER = new AbortController().signal;

describe('the nearest passages (PostgreSQL with pgvector)', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof startServer>>;
  let db: Knex;
  let stores: Stores;
  let collection: Collection;
  before(async () => {
    // Making the machine code of a whole server fast takes more than twice as long as these tests do without.
    setFlagsFromString('--liftoff-only');
    server = await startServer();
    db = knex({ client: 'pg', connection: server.url, pool: { min: 1, max: 1 } });
    await migrate(db);
  });
  after(async () => {
    await db.destroy();
    await server.stop();
    setFlagsFromString('--no-liftoff-only');
  });
  beforeEach(async () => {
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  // Less for the next to index.
  afterEach(async () => {
    await stores.collections.delete(collection.id);
    await stores.documents.sweep();
  });
  const index = () => stores.vectors.keepIndexes(NEVER, EVERYTHING);
  const nearest = (question: Float32Array, limit = 3, more: { model?: string; tags?: string[] } = {}) =>
    stores.passages.nearest({
      ...{ collectionIds: [collection.id], model: MODEL, vector: question, limit },
      ...more,
    });
  const idsOf = (found: readonly { readonly passageId: number }[]) => found.map(({ passageId }) => passageId);

  it('keep the bytes of vectors that were of its own type before', async () => {
    const [row] = await db('passage_vectors').where('passage_id', 0).select<{ vector: Buffer }[]>('vector');

    expect(Buffer.from(OLD_VECTOR.buffer).equals(row!.vector)).to.equal(true);
    await db('passage_vectors').where('passage_id', 0).del();
  });

  it('come best first from the index, with the cosine of the vectors themselves', async () => {
    const [target, other] = [aVector(1), aVector(2)];
    const vectors = [0.2, 1, 0.7, 0.5].map((share) => between(target, other, share));
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, vectors);
    expect(await index()).to.include({ pgvector: 'used', built: 1 });

    const { found, sql } = await watched(db, () => nearest(target));

    expect(idsOf(found)).to.deep.equal([1, 2, 3].map((i) => passageIds[i]));
    expect(found[0]?.cosine).to.be.closeTo(1, 1e-6);
    expect(sql.filter((one) => one.includes('"passage_halfvecs"'))).to.have.length(1);
    expect(sql.filter((one) => one.includes('"packed"'))).to.deep.equal([]);
  });

  it('are nineteen of twenty of those that an exact search finds, and more', async () => {
    const heaps = Array.from({ length: 20 }, (_, i) => aVector(1_000 + i));
    const vectors = Array.from({ length: 600 }, (_, i) => between(heaps[i % 20]!, aVector(i + 1), 0.5));
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, vectors);
    await index();

    let kept = 0;
    for (let i = 0; i < 20; i += 1) {
      const question = between(heaps[i]!, aVector(5_000 + i), 0.5);
      const exact = vectors
        .map((one, at) => ({ id: passageIds[at]!, cosine: dot(one, question) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 10);
      const found = new Set(idsOf(await nearest(question, 10)));
      kept += exact.filter(({ id }) => found.has(id)).length;
    }

    expect(kept / 200).to.be.at.least(0.95);
  });

  it('are of the asked collection, model and length alone', async () => {
    const elsewhere = await aCollection(stores);
    await anEmbeddedDocument(stores, elsewhere.id, [aVector(1)]);
    await anEmbeddedDocument(stores, collection.id, [aVector(1)], 'fake:other');
    await anEmbeddedDocument(stores, collection.id, [aVector(1, 128)]);
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await index();

    expect(idsOf(await nearest(aVector(1)))).to.deep.equal(passageIds);
  });

  it('are never of a document that was deleted or is switched off, though the index has it', async () => {
    const gone = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const off = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(1)]);
    const kept = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await index();

    await stores.documents.delete(collection.id, gone.id);
    await stores.documents.change(collection.id, off.id, { offUntil: '9999-01-01T00:00:00.000Z' });
    expect(idsOf(await nearest(aVector(1), 1))).to.deep.equal(kept.passageIds);

    await stores.documents.sweep();
    const rows = db('passage_halfvecs').whereIn('passage_id', [...gone.passageIds]);
    expect(await rows.select('passage_id')).to.deep.equal([]);
  });

  it('are those with one of the asked tags', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const tagged = await anEmbeddedDocument(stores, collection.id, [aVector(2)]);
    await stores.documents.change(collection.id, tagged.id, { tags: ['week 1'] });
    await index();

    expect(idsOf(await nearest(aVector(1), 3, { tags: ['week 1'] }))).to.deep.equal(tagged.passageIds);
  });

  it('are found as soon as they are written, and by their last vector, before the index has it', async () => {
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);
    await index();

    const later = await anEmbeddedDocument(stores, collection.id, [aVector(3)]);
    await stores.vectors.write(MODEL, [{ passageId: passageIds[0]!, vector: aVector(4) }]);

    for (const at of ['before', 'after']) {
      expect(idsOf(await nearest(aVector(3), 1)), at).to.deep.equal(later.passageIds);
      const [changed] = await nearest(aVector(4), 1);
      expect(changed?.passageId, at).to.equal(passageIds[0]);
      expect(changed?.cosine, at).to.be.closeTo(1, 1e-6);
      await index();
    }
  });

  it('have a measure of how near any two are', async () => {
    const vectors = Array.from({ length: 60 }, (_, i) => between(aVector(1), aVector(i + 2), 0.5));
    await anEmbeddedDocument(stores, collection.id, vectors);
    await index();

    const baseline = await stores.passages.baseline({ collectionIds: [collection.id], model: MODEL });

    expect(baseline).to.be.within(0.3, 0.6);
  });

  it('have no index where a collection has become small, nor where it is gone', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);
    const indexes = () =>
      db('pg_indexes').where('indexname', 'like', 'passage_halfvecs_%').pluck('indexname');
    await index();
    expect(await indexes())
      .to.include('passage_halfvecs_pkey')
      .and.to.have.length.above(1);

    await stores.vectors.keepIndexes(NEVER, 1_000_000);

    expect(await indexes()).to.deep.equal(['passage_halfvecs_pkey']);
    expect(await db('passage_halfvecs').select('passage_id')).to.deep.equal([]);
    expect(await nearest(aVector(1))).to.have.length(2);
  });

  it('are found without pgvector once it is dropped, and with it again when it is back', async () => {
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);
    await index();

    await db.raw('DROP EXTENSION vector CASCADE');
    expect(idsOf(await nearest(aVector(1), 1))).to.deep.equal([passageIds[0]]);
    await stores.vectors.write(MODEL, [{ passageId: passageIds[1]!, vector: aVector(3) }]);

    expect((await index())?.pgvector).to.equal('used');
    const { found, sql } = await watched(db, () => nearest(aVector(3), 1));
    expect(idsOf(found)).to.deep.equal([passageIds[1]]);
    expect(sql.some((one) => one.includes('"passage_halfvecs"'))).to.equal(true);
  });
});

/** What is found, and by which statements. */
async function watched<T>(db: Knex, ask: () => Promise<T>): Promise<{ found: T; sql: readonly string[] }> {
  const sql: string[] = [];
  const keep = (statement: { readonly sql: string }) => sql.push(statement.sql);
  db.on('query', keep);
  const found = await ask();
  db.off('query', keep);
  return { found, sql };
}

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
