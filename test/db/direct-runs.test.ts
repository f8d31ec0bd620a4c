import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../src/core/stores.js';
import { describeOnEachEngine } from '../support/databases.js';
import { aModelStep, aRun, aToolStep, aUser, content, storesOn } from './fixtures.js';

describeOnEachEngine('runs of a tool alone', (open) => {
  let db: Knex;
  let stores: Stores;
  let user: User;
  let assistantId: number;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    user = await aUser(stores);
    assistantId = (await stores.assistants.create(user, content())).id;
  });

  const aDirectRun = () =>
    aRun({ user, assistantId }, { assistantId: undefined, steps: [aModelStep(), aToolStep()] });

  it('come back without an assistant, and what they cost is on the books', async () => {
    const recorded = aDirectRun();

    await stores.runs.record(recorded);

    expect(await stores.runs.get(recorded.id)).to.deep.equal(recorded);
    const ledger = await db('usage_ledger').select<Record<string, unknown>[]>('*');
    expect(ledger).to.have.length(1);
    expect(ledger[0]).to.include({ run_id: recorded.id, assistant_id: null, user_id: user.id });
  });

  it('still name only assistants that exist', async () => {
    const outcome = await stores.runs.record(aRun({ user, assistantId: 404 })).catch(() => 'refused');

    expect(outcome).to.equal('refused');
  });

  it('go when the schema goes back, and everything else stays: rows, steps, keys and indexes', async () => {
    const [kept, direct] = [aRun({ user, assistantId }), aDirectRun()];
    await stores.runs.record(kept);
    await stores.runs.record(direct);
    const before = await indexesOf(db);

    await back(db);
    const older = {
      runs: await db('runs').pluck('id'),
      steps: await db('run_steps').pluck('run_id'),
      ledger: await db('usage_ledger').pluck('run_id'),
      indexes: await indexesOf(db),
      withoutAssistant: await stores.runs.record(aDirectRun()).catch(() => 'refused'),
      ofNobody: await stores.runs.record(aRun({ user, assistantId: 404 })).catch(() => 'refused'),
    };
    await db.migrate.latest();

    expect(older).to.deep.equal({
      runs: [kept.id],
      steps: [kept.id],
      ledger: [kept.id],
      indexes: before,
      withoutAssistant: 'refused',
      ofNobody: 'refused',
    });
    expect(await indexesOf(db)).to.deep.equal(before);
    expect((await stores.runs.get(kept.id))?.assistantId).to.equal(assistantId);
  });
});

/** One migration back, with keys checked at the end as at every start. */
async function back(db: Knex): Promise<void> {
  await db.transaction(
    async (trx) => {
      await trx.migrate.down({ name: '20261115000710_direct_runs' });
    },
    { enforceForeignCheck: false },
  );
}

async function indexesOf(db: Knex): Promise<string[]> {
  const tables = ['runs', 'usage_ledger'];
  const isSqlite = db.client.config.client === 'sqlite3';
  const found = isSqlite
    ? db('sqlite_master').where('type', 'index').whereIn('tbl_name', tables).pluck<string[]>('name')
    : db('pg_indexes')
        .where('schemaname', db.raw('current_schema()'))
        .whereIn('tablename', tables)
        .pluck<string[]>('indexname');
  return (await found).sort();
}
