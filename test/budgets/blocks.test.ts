import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import {
  type Blocks,
  bookPart,
  createBlocks,
  type PlannedHold,
  settlePart,
} from '../../src/budgets/blocks.js';
import type { Budget, BudgetAccounts } from '../../src/core/budgets/budget.js';
import type { Stores, User } from '../../src/core/stores.js';
import { aRun, aUser, content, storesOn } from '../db/fixtures.js';
import { describeOnEachEngine } from '../support/databases.js';

const EVER = '1970-01-01T00:00:00.000Z';
const CALL = 10;

describeOnEachEngine(
  'what is set aside for several calls',
  (open) => {
    let db: Knex;
    let stores: Stores;
    let user: User;
    let assistantId: number;
    let statements: number;
    let blocks: Blocks;
    before(async () => {
      db = await open();
      stores = storesOn(db);
      user = await aUser(stores);
      ({ id: assistantId } = await stores.assistants.create(user, content()));
    });
    beforeEach(() => {
      statements = 0;
      blocks = openBlocks();
    });

    const openBlocks = (through: Partial<BudgetAccounts> = {}) =>
      createBlocks(
        {
          reserve(...given) {
            statements += 1;
            return stores.budgets.reserve(...given);
          },
          settle: (settlements) => stores.budgets.settle(settlements),
          ...through,
        },
        { runTimeoutMs: 3_600_000, busyAt: 2, calls: 4 },
      );
    let scopes = 1;
    const aBudget = async (amount: number) => {
      const budget = await stores.budgets.create({
        ...{ organizationId: user.organizationId, scope: { type: 'user', id: scopes++, each: false } },
        ...{ unit: 'tokens', amount, period: 'total', timezone: 'UTC', alerts: [] },
        ...{ startsAt: undefined, endsAt: undefined },
      });
      await stores.budgets.figures([accountOf(budget)]);
      return budget;
    };
    const accountOf = ({ id }: Budget) => ({ budgetId: id, userId: 0, periodStart: EVER });
    const figuresOf = async (budget: Budget) => {
      const [figures] = await stores.budgets.figures([accountOf(budget)]);
      return { used: figures?.used, reserved: figures?.reserved };
    };
    const tokens = (amount: number) => ({ tokens: amount, cost: 0, requests: 0 });
    const holdOf = (budget: Budget, amount = CALL, beside: readonly Budget[] = []): PlannedHold => ({
      ...{ id: undefined, block: undefined, drawn: tokens(0), runId: `run_${randomUUID()}` },
      ...{ purse: blocks.begin([budget, ...beside], user.id), amounts: tokens(amount) },
    });
    const takenOf = (budget: Budget) => {
      const hold = holdOf(budget);
      expect(blocks.take(hold)).to.equal(true);
      return hold;
    };
    /** The first has a statement of its own, the second takes a block along, and after that there is one. */
    const openOneFor = async (budget: Budget) => {
      for (let n = 0; n < 2; n++) expect(await blocks.reserve(holdOf(budget), [])).to.equal(true);
      expect(statements).to.equal(2);
      return 2 * CALL;
    };

    it('is taken without a statement, and booked with the records of their runs', async () => {
      const budget = await aBudget(1_000);
      const alone = await openOneFor(budget);

      const part = takenOf(budget);
      settlePart(part, tokens(7));
      const { accounts } = part.purse;
      const settlements = [{ holdId: undefined, accounts, held: tokens(0), spent: tokens(7) }];
      await stores.runs.record(aRun({ user, assistantId }, { id: `run_${randomUUID()}`, settlements }));
      const meanwhile = await figuresOf(budget);
      bookPart(part);
      await blocks.close();

      expect(statements).to.equal(2);
      expect(meanwhile).to.deep.equal({ used: 7, reserved: alone + 4 * CALL });
      expect(await figuresOf(budget)).to.deep.equal({ used: 7, reserved: alone });
    });

    it('is waited for by those who come while it is asked for, and who then need no statement', async () => {
      const budget = await aBudget(1_000);
      const [first, second] = [holdOf(budget), holdOf(budget)];

      const asking = blocks.reserve(first, []);
      const taken = await blocks.takeAwaited(second);

      expect(await asking).to.equal(true);
      expect(taken).to.equal(true);
      expect(statements).to.equal(1);
      expect(await figuresOf(budget)).to.deep.equal({ used: 0, reserved: CALL + 4 * CALL });
    });

    it('is waited for by nobody where nobody asks, and in vain where there is not enough', async () => {
      const scarce = await aBudget(2 * CALL);
      const [first, second] = [holdOf(scarce), holdOf(scarce)];
      expect(await blocks.takeAwaited(first)).to.equal(false);

      const asking = blocks.reserve(first, []);
      const taken = await blocks.takeAwaited(second);

      expect(taken).to.equal(false);
      expect(await asking).to.equal(true);
      expect(await blocks.reserve(second, [])).to.equal(true);
      expect(await figuresOf(scarce)).to.deep.equal({ used: 0, reserved: 2 * CALL });
    });

    it('refuses nobody of the same process who could have what is unused of it', async () => {
      const budget = await aBudget(100);
      await openOneFor(budget);
      const part = takenOf(budget);

      const isGranted = await blocks.reserve(holdOf(budget, 70), []);

      expect(isGranted).to.equal(true);
      expect(await figuresOf(budget)).to.deep.equal({ used: 0, reserved: 100 });
      settlePart(part, tokens(0));
      bookPart(part);
      await blocks.close();
      expect(await figuresOf(budget)).to.deep.equal({ used: 0, reserved: 90 });
    });

    it('is no block for those who spend another budget as well, and in their way no longer than they need', async () => {
      const [budget, other] = [await aBudget(100), await aBudget(1_000)];
      await openOneFor(budget);

      expect(blocks.take(holdOf(budget, 70, [other]))).to.equal(false);
      expect(await blocks.reserve(holdOf(budget, 70, [other]), [])).to.equal(true);

      expect(await figuresOf(budget)).to.deep.equal({ used: 0, reserved: 2 * CALL + 70 });
      expect(await figuresOf(other)).to.deep.equal({ used: 0, reserved: 70 });
    });

    it('is not spent of any more once the budget is changed, and none is asked for where there is not enough', async () => {
      const budget = await aBudget(1_000);
      await openOneFor(budget);
      const scarce = await aBudget(30);
      for (let n = 0; n < 3; n++) expect(await blocks.reserve(holdOf(scarce), [])).to.equal(true);

      expect(blocks.take(holdOf(budget))).to.equal(true);
      expect(blocks.take(holdOf({ ...budget, amount: 5 }))).to.equal(false);
      expect(blocks.take(holdOf(scarce))).to.equal(false);
      expect(await blocks.reserve(holdOf(scarce), [])).to.equal(false);
      expect(await figuresOf(scarce)).to.deep.equal({ used: 0, reserved: 30 });
    });

    it('keeps no service from ending whose database is away', async () => {
      const budget = await aBudget(1_000);
      blocks = openBlocks({ settle: () => Promise.reject(new Error('connect ECONNREFUSED')) });
      await openOneFor(budget);

      await blocks.close();

      expect(blocks.take(holdOf(budget))).to.equal(false);
    });
  },
  'suite',
);
