import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb, openReaders } from '../../../db/open.js';
import { createStores } from '../../../db/stores.js';
import type { Stores } from '../../../src/core/stores.js';
import { catalogue } from '../fixtures.js';
import { aCollection, aReadDocument, find } from './library.js';

describe('searches in a file of SQLite', () => {
  let folder: string;
  let db: Knex;
  let reader: Knex;
  let stores: Stores;

  before(async () => {
    // As a path may be: no part of it means anything in the address that a reader opens.
    folder = await mkdtemp(join(tmpdir(), 'bellwether readers ?#%41-'));
    const target = { kind: 'sqlite', file: join(folder, 'test.db') } as const;
    db = await openDb(target);
    reader = (await openReaders(target))!;
    const options = {
      filesFolder: 'unused',
      documentsFolder: 'unused',
      attachmentsFolder: 'unused',
      catalogue,
    };
    stores = createStores(db, { ...options, reader });
  });
  after(async () => {
    await reader.destroy();
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  });

  it('wait for no writer, and see what was there before it', async () => {
    const { id } = await aCollection(stores);
    await aReadDocument(stores, id, ['cell']);

    const found = await db.transaction(async (trx) => {
      await trx('editions').update({ live: false });
      return find(stores, [id], 'cell');
    });

    expect(found).to.deep.equal(['cell']);
    expect(await find(stores, [id], 'cell')).to.deep.equal([]);
  });

  it('cannot write', async () => {
    const outcome = await reader('editions')
      .del()
      .catch((error: unknown) => error);

    expect(outcome).to.be.instanceOf(Error).with.property('code', 'SQLITE_READONLY');
  });
});
