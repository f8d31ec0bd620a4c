import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { createBudgetAccounts } from '../../../db/stores/budgets/accounts.js';
import {
  type BudgetAccounts,
  type BudgetPart,
  type BudgetSettlement,
  NOTHING,
} from '../../../src/core/budgets/budget.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const START = '2026-11-16T00:00:00.000Z';
const LATER = '2099-01-01T00:00:00.000Z';
const BEFORE = new Date(Date.now() - 3_600_000).toISOString();

describeOnEachEngine(
  'the accounts of budgets',
  (open) => {
    let db: Knex;
    let accounts: BudgetAccounts;
    let organizationId: number;
    before(async () => {
      db = await open();
      accounts = createBudgetAccounts(db);
      ({ organizationId } = await aUser(storesOn(db)));
    });

    const aBudget = async (amount: number) => {
      const id = randomUUID();
      const at = new Date().toISOString();
      await db('budgets').insert({
        ...{ id, organization_id: organizationId, scope_type: 'user', scope_id: scopes++, each: false },
        ...{ unit: 'tokens', amount, period: 'day', timezone: 'UTC', alerts: '[]' },
        ...{ created_at: at, updated_at: at },
      });
      return id;
    };
    let scopes = 1;
    const part = (budgetId: string, amount: number): BudgetPart => ({
      ...{ budgetId, userId: 0, periodStart: START },
      amount,
    });
    const tokens = (amount: number) => ({ ...NOTHING, tokens: amount });
    const settled = (holdId: string, held: number, spent: BudgetPart) => ({
      ...{ holdId, accounts: [{ ...spent, unit: 'tokens' as const }] },
      ...{ held: tokens(held), spent: tokens(spent.amount) },
    });
    const opened = async (amount: number) => {
      const id = await aBudget(amount);
      await accounts.figures([part(id, 0)]);
      return id;
    };
    const reserve = (
      parts: readonly BudgetPart[],
      settlements: readonly BudgetSettlement[] = [],
      expiresAt = LATER,
      id: string = randomUUID(),
    ) => accounts.reserve({ id, runId: 'run_1', parts, expiresAt }, settlements);
    const stateOf = async (id: string) => {
      const [{ used, reserved } = { used: -1, reserved: -1 }] = await accounts.figures([part(id, 0)]);
      return { used, reserved };
    };

    it('set aside what is left and not a unit more', async () => {
      const id = await opened(100);

      const answers = [
        await reserve([part(id, 60)]),
        await reserve([part(id, 41)]),
        await reserve([part(id, 40)]),
      ];

      expect(answers).to.deep.equal([true, false, true]);
      expect(await stateOf(id)).to.deep.equal({ used: 0, reserved: 100 });
    });

    it('grant of those that come together as many as there is room for, and all of those for others', async () => {
      const [narrow, wide] = [await opened(55), await opened(1_000)];

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => reserve([part(n % 2 === 0 ? narrow : wide, 10)])),
      );

      const grantedOf = (odd: number) => answers.filter((granted, n) => granted && n % 2 === odd).length;
      expect([grantedOf(0), grantedOf(1)]).to.deep.equal([5, 10]);
      expect([await stateOf(narrow), await stateOf(wide)]).to.deep.equal([
        { used: 0, reserved: 50 },
        { used: 0, reserved: 100 },
      ]);
    });

    it('set aside all parts or none', async () => {
      const [wide, narrow] = [await opened(1_000), await opened(10)];

      const granted = await reserve([part(wide, 11), part(narrow, 11)]);

      expect(granted).to.equal(false);
      expect([await stateOf(wide), await stateOf(narrow)]).to.deep.equal([
        { used: 0, reserved: 0 },
        { used: 0, reserved: 0 },
      ]);
    });

    it('grant nothing before they are opened, and nothing of a budget that is gone', async () => {
      const [unopened, gone] = [await aBudget(10), await opened(10)];
      await storesOn(db).budgets.delete(gone);

      expect(await reserve([part(unopened, 1)])).to.equal(false);
      expect(await reserve([part(gone, 1)])).to.equal(false);
      expect(await accounts.figures([part(unopened, 0), part(gone, 0)])).to.have.length(1);
    });

    it('count what has no budget by a limit of its own', async () => {
      const runs = { budgetId: 'runs 1', userId: 0, periodStart: START, amount: 1, limit: 2 };
      await accounts.figures([runs]);

      const answers = [await reserve([runs]), await reserve([runs]), await reserve([runs])];

      expect(answers).to.deep.equal([true, true, false]);
      expect(await accounts.figures([runs])).to.deep.equal([
        { budgetId: 'runs 1', userId: 0, periodStart: START, amount: 2, used: 0, reserved: 2 },
      ]);
    });

    it('settle what it came to, and set the next aside, in one statement', async () => {
      const id = await opened(100);
      const first = randomUUID();
      await reserve([part(id, 100)], [], LATER, first);
      const statements: string[] = [];
      const count = ({ sql }: { readonly sql: string }) => statements.push(sql);
      db.on('query', count);

      const granted = await reserve([part(id, 70)], [settled(first, 100, part(id, 30))]);

      db.removeListener('query', count);
      expect([granted, statements.length]).to.deep.equal([true, 1]);
      expect(await stateOf(id)).to.deep.equal({ used: 30, reserved: 70 });
    });

    it('settle nothing when nothing is set aside: what was held stays held for another try', async () => {
      const id = await opened(100);
      const first = randomUUID();
      await reserve([part(id, 100)], [], LATER, first);

      expect(await reserve([part(id, 90)], [settled(first, 100, part(id, 30))])).to.equal(false);

      expect(await stateOf(id)).to.deep.equal({ used: 0, reserved: 100 });
    });

    it('give back what a run that died had set aside, once, and count what it spent when it comes back after all', async () => {
      const id = await opened(100);
      const hold = randomUUID();
      await reserve([part(id, 100)], [], BEFORE, hold);

      expect(await stateOf(id)).to.deep.equal({ used: 0, reserved: 0 });
      expect(await reserve([part(id, 50)])).to.equal(true);
      await accounts.settle([settled(hold, 100, part(id, 20))]);

      expect(await stateOf(id)).to.deep.equal({ used: 20, reserved: 50 });
    });

    it('count what providers report beyond what was set aside', async () => {
      const id = await opened(100);
      const hold = randomUUID();
      await reserve([part(id, 100)], [], LATER, hold);

      await accounts.settle([settled(hold, 100, part(id, 130))]);

      expect(await stateOf(id)).to.deep.equal({ used: 130, reserved: 0 });
    });

    it('add up what several calls spend of an account that each has beside others', async () => {
      const [shared, own] = [await opened(100), await opened(100)];
      const alone = { ...part(shared, 0), unit: 'tokens' as const };
      const both = [alone, { ...part(own, 0), unit: 'tokens' as const }];
      const hold = randomUUID();
      await reserve([part(shared, 60), part(own, 60)], [], LATER, hold);

      await accounts.settle([
        { holdId: undefined, accounts: [alone], held: NOTHING, spent: tokens(5) },
        { holdId: undefined, accounts: both, held: NOTHING, spent: tokens(7) },
        { holdId: undefined, accounts: both, held: NOTHING, spent: tokens(1) },
      ]);
      const before = [await stateOf(shared), await stateOf(own)];
      await accounts.settle([
        { holdId: undefined, accounts: [alone], held: NOTHING, spent: tokens(2) },
        { holdId: hold, accounts: both, held: tokens(60), spent: tokens(4) },
      ]);

      expect(before).to.deep.equal([
        { used: 13, reserved: 60 },
        { used: 8, reserved: 60 },
      ]);
      expect([await stateOf(shared), await stateOf(own)]).to.deep.equal([
        { used: 19, reserved: 0 },
        { used: 12, reserved: 0 },
      ]);
    });

    it('count what was spent once, however often it is told', async () => {
      const id = await opened(100);
      const hold = randomUUID();
      await reserve([part(id, 60)], [], LATER, hold);
      const settlement = settled(hold, 60, part(id, 20));

      await accounts.settle([settlement]);
      await accounts.settle([settlement]);
      await reserve([part(id, 10)], [settlement]);

      expect(await stateOf(id)).to.deep.equal({ used: 20, reserved: 10 });
    });
  },
  'suite',
);
