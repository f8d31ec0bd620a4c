import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aModelStep, aRun, aToolStep, aUser, content, storesOn } from '../fixtures.js';

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
});
