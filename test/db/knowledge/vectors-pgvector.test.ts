import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { createMigrationSource } from '../../../db/open.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { storesOn } from '../fixtures.js';
import { anEmbeddedDocument, aVector, between, MODEL } from './embedded.js';
import { aCollection } from './library.js';

/** PostgreSQL with the real pgvector, in this process and for one connection. It takes a second to start. */
async function openPglite(): Promise<{ readonly db: Knex; close(): Promise<void> }> {
  const lite = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db: lite, host: '127.0.0.1', port: 0 });
  await server.start();
  const port = Number(server.getServerConn().split(':').at(-1));
  const db = knex({
    client: 'pg',
    connection: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    pool: { min: 1, max: 1 },
    migrations: { migrationSource: createMigrationSource() },
  });
  await db.migrate.latest();
  return {
    db,
    async close() {
      await db.destroy();
      await server.stop();
      await lite.close();
    },
  };
}

describe('the nearest passages (PostgreSQL with pgvector)', function () {
  this.timeout(120_000);
  let pglite: Awaited<ReturnType<typeof openPglite>>;
  let stores: Stores;
  let collection: Collection;
  before(async () => {
    // Making the machine code of a whole server fast takes more than twice as long as these tests do without.
    setFlagsFromString('--liftoff-only');
    pglite = await openPglite();
  });
  after(async () => {
    await pglite.close();
    setFlagsFromString('--no-liftoff-only');
  });
  beforeEach(async () => {
    stores = storesOn(pglite.db);
    collection = await aCollection(stores);
  });
  const nearest = (question: Float32Array, model = MODEL) =>
    stores.passages.nearest({ collectionIds: [collection.id], model, vector: question, limit: 3 });

  it('are measured by the server, in vectors of its own type', async () => {
    const { rows } = await pglite.db.raw<{ rows: { type: string }[] }>(
      `SELECT udt_name AS type FROM information_schema.columns
       WHERE table_name = 'passage_vectors' AND column_name = 'vector'`,
    );

    expect(rows).to.deep.equal([{ type: 'vector' }]);
  });

  it('come best first, with the cosine of the vectors themselves', async () => {
    const [target, other] = [aVector(1), aVector(2)];
    const vectors = [0.2, 1, 0.7, 0.5].map((share) => between(target, other, share));
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, vectors);

    const found = await nearest(target);

    expect(found.map(({ passageId }) => passageId)).to.deep.equal([1, 2, 3].map((i) => passageIds[i]));
    expect(found[0]?.cosine).to.be.closeTo(1, 1e-5);
  });

  it('are of the asked model alone, and never of a document that was deleted', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)], 'fake:other');
    await anEmbeddedDocument(stores, collection.id, [aVector(1, 128)]);
    const kept = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const gone = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);

    await stores.documents.delete(collection.id, gone.id);

    expect((await nearest(aVector(1))).map(({ passageId }) => passageId)).to.deep.equal(kept.passageIds);
  });

  it('have a measure of how near any two are', async () => {
    const vectors = Array.from({ length: 60 }, (_, i) => between(aVector(1), aVector(i + 2), 0.5));
    await anEmbeddedDocument(stores, collection.id, vectors);

    const baseline = await stores.passages.baseline({ collectionIds: [collection.id], model: MODEL });

    expect(baseline).to.be.within(0.3, 0.6);
  });
});
