import { expect } from 'chai';
import type { Knex } from 'knex';
import { prepareStatement } from '../../../db/query/prepared.js';
import { describeOnEachEngine } from '../../support/databases.js';

describeOnEachEngine('a prepared statement', (open) => {
  let db: Knex;
  beforeEach(async () => {
    db = await open();
    await db.schema.createTable('notes', (table) => {
      table.text('words').unique();
    });
  });
  afterEach(() => db.schema.dropTable('notes'));

  const insert = () =>
    prepareStatement(db, {
      name: 'insert_note',
      sqlite: 'INSERT INTO notes VALUES (?) RETURNING words',
      postgres: 'INSERT INTO notes VALUES ($1) RETURNING words',
    });

  it('gives the rows, time and again', async () => {
    const note = insert();

    const rows = [await note(`'; --`), await note(null), await note('é')];

    expect(rows).to.deep.equal([[{ words: `'; --` }], [{ words: null }], [{ words: 'é' }]]);
  });

  it('goes on after a failure, of which nothing stays', async () => {
    const note = insert();
    await note('one');

    const again = await note('one').catch(() => 'refused');
    await note('two');

    expect(again).to.equal('refused');
    expect(await db('notes').orderBy('words').pluck('words')).to.deep.equal(['one', 'two']);
  });

  it('is never part of a transaction that somebody else has open', async () => {
    const note = insert();
    await note('before');
    const transaction = await db.transaction();
    await transaction('notes').insert({ words: 'taken back' });

    const writing = note('mine');
    await transaction.rollback();
    await writing;

    expect(await db('notes').orderBy('words').pluck('words')).to.deep.equal(['before', 'mine']);
  });
});
