import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { seededRandom } from '../../bench/seeded-random.js';
import { isPostgres, rawRows } from '../../db/query/raw-rows.js';
import { type Blocks, createBlocks, type PlannedHold } from '../../src/budgets/blocks.js';
import { partsOf } from '../../src/budgets/purse.js';
import { createRunBudget } from '../../src/budgets/run-budget.js';
import type { Budget, BudgetPart, BudgetUnit } from '../../src/core/budgets/budget.js';
import type { BudgetGrant, RunBudget } from '../../src/core/budgets/run-budget.js';
import { AppError } from '../../src/core/errors.js';
import type { Usage } from '../../src/core/runs/event.js';
import type { Stores, User } from '../../src/core/stores.js';
import { aRun, aUser, content, storesOn } from '../db/fixtures.js';
import { describeOnEachEngine } from '../support/databases.js';

/** `SCHEDULES=1000 npm test -- test/budgets/random-schedules.test.ts` runs more of them, `SEED=…` others. */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_116);

/** Where what never begins anew is counted. */
const EVER = '1970-01-01T00:00:00.000Z';

const MODELS = ['asked', 'instead'].map((model) => ({ connector: 'scripted', model }));
/** Whole billionths a token, so that the sums here need no rounding. */
const PRICES = { asked: { prompt: 2, completion: 10 }, instead: { prompt: 3, completion: 5 } };
const priceOf = ({ model }: { readonly model: string }) => PRICES[model as keyof typeof PRICES];

interface Truth {
  readonly usage: Usage;
  readonly model: (typeof MODELS)[number];
  readonly answered: boolean;
}

type Random = ReturnType<typeof dice>;

function dice(seed: number) {
  const random = seededRandom(seed);
  return {
    chance: (share: number) => random() < share,
    upTo: (most: number) => 1 + Math.floor(random() * most),
  };
}

describeOnEachEngine(
  'budgets under runs that reserve, settle, fail, ask children, die and come back late',
  (open) => {
    let db: Knex;
    let stores: Stores;
    let user: User;
    let assistantId: number;
    before(async () => {
      db = await open();
      stores = storesOn(db);
      user = await aUser(stores);
      ({ id: assistantId } = await stores.assistants.create(user, content()));
    });

    let scopes = 1;
    const aBudget = (unit: BudgetUnit, amount: number) =>
      stores.budgets.create({
        ...{ organizationId: user.organizationId, scope: { type: 'user', id: scopes++, each: false }, unit },
        ...{ amount, period: 'total', timezone: 'UTC', alerts: [], startsAt: undefined, endsAt: undefined },
      });

    const keep = async (run: RunBudget, runId: string) => {
      await stores.runs.record(
        aRun({ user, assistantId }, { id: runId, settlements: run.takeSettlements() }),
      );
      run.booked();
    };

    interface Standing {
      readonly id: string;
      readonly used: string | number;
      readonly reserved: string | number;
      readonly holds: string | null;
    }

    /** Accounts and holds as they are at one moment. */
    async function standing(budgets: readonly Budget[]) {
      const all = isPostgres(db) ? `string_agg(parts, ',')` : 'group_concat(parts)';
      const rows = await rawRows<Standing>(
        db,
        `SELECT budget_id AS id, used, reserved, (SELECT ${all} FROM budget_holds) AS holds FROM budget_accounts
         WHERE budget_id IN (${budgets.map(() => '?').join(', ')})`,
        budgets.map(({ id }) => id),
      );
      return rows.map(({ id, used, reserved, holds }) => {
        const parts = (JSON.parse(`[${holds ?? ''}]`) as [string, number, string, number][][]).flat();
        const held = parts.reduce((sum, [of, , , amount]) => sum + (of === id ? amount : 0), 0);
        return { id, used: Number(used), reserved: Number(reserved), held };
      });
    }

    /** What has truly been spent, and by how much more than what was set aside for it. */
    function aLedger(budgets: readonly Budget[]) {
      const sums = new Map(budgets.map(({ id }) => [id, { spent: 0, beyond: 0 }]));
      const held = new Map<object, readonly BudgetPart[]>();
      /** What those who keep within their time may still spend. */
      const open = new Map<object, readonly BudgetPart[]>();
      const amountOf = ({ unit }: Budget, { usage, model, answered }: Truth) => {
        if (unit === 'requests') return answered ? 1 : 0;
        const { promptTokens, completionTokens } = usage;
        if (unit === 'tokens') return promptTokens + completionTokens;
        const { prompt, completion } = priceOf(model);
        return 1_000 * (promptTokens * prompt + completionTokens * completion);
      };
      return {
        sums,
        held,
        open,
        granted(hold: PlannedHold, isLate: boolean) {
          const parts = partsOf(hold.purse, hold.amounts);
          held.set(hold, parts);
          if (!isLate) open.set(hold, parts);
        },
        /** What has been granted at most, as far as it is not beyond what was set aside. */
        grantedOf(id: string) {
          const { spent, beyond } = sums.get(id)!;
          const mayCome = [...open.values()].flat().filter(({ budgetId }) => budgetId === id);
          return spent - beyond + mayCome.reduce((sum, { amount }) => sum + amount, 0);
        },
        book(grant: BudgetGrant, truth: Truth, isLate: boolean) {
          for (const part of held.get(grant) ?? []) {
            const budget = budgets.find(({ id }) => id === part.budgetId);
            const sum = sums.get(part.budgetId);
            if (!budget || !sum) continue;
            const spent = amountOf(budget, truth);
            sum.spent += spent;
            sum.beyond += isLate ? spent : Math.max(0, spent - part.amount);
          }
        },
      };
    }
    type Ledger = ReturnType<typeof aLedger>;

    /** The budgets of a run over the real store; what it is granted is noted. */
    function spending(
      budgets: readonly Budget[],
      {
        ledger,
        blocks: timely,
        isChild,
        isLate,
      }: Pick<Scene, 'ledger' | 'blocks'> & {
        readonly isChild: boolean;
        readonly isLate: boolean;
      },
    ) {
      const runId = `run_${randomUUID()}`;
      const blocks = isLate ? createBlocks(countingBlocks, { runTimeoutMs: -3_600_000 }) : timely;
      const noted = <Granted>(hold: PlannedHold, granted: Granted): Granted => {
        if (granted) ledger.granted(hold, isLate);
        return granted;
      };
      const budget = createRunBudget(
        { runId, userId: user.id, isChild, budgets },
        {
          ...{ priceOf, mostTokens: undefined, refused: () => undefined },
          budgets: stores.budgets,
          blocks: {
            ...blocks,
            take: (hold) => noted(hold, blocks.take(hold)),
            takeAwaited: async (hold) => noted(hold, await blocks.takeAwaited(hold)),
            reserve: async (hold, settlements) => noted(hold, await blocks.reserve(hold, settlements)),
            end(hold) {
              blocks.end(hold);
              ledger.open.delete(hold);
            },
          },
        },
      );
      return { runId, budget };
    }

    function aCall(random: Random, hasTools: boolean) {
      return {
        ...{ models: random.chance(0.3) ? MODELS : MODELS.slice(0, 1), promptTokens: random.upTo(400) },
        ...{ mostTokens: random.chance(0.7) ? random.upTo(600) : undefined, keepsLastCall: hasTools },
      };
    }
    type Call = ReturnType<typeof aCall>;

    /** What the provider says of it: mostly within what was asked for, sometimes nothing, sometimes far too much. */
    function truthOf(random: Random, { models, promptTokens }: Call, { mostTokens }: BudgetGrant): Truth {
      const model = models.at(random.chance(0.5) ? -1 : 0) ?? MODELS[0]!;
      if (random.chance(0.15))
        return { usage: { promptTokens: 0, completionTokens: 0 }, model, answered: false };
      const times = random.chance(0.1) ? 3 : 1;
      const usage = {
        promptTokens: times * random.upTo(promptTokens),
        completionTokens: times * (random.upTo(mostTokens) - 1),
      };
      return { usage, model, answered: true };
    }

    interface Scene {
      readonly seed: number;
      readonly budgets: readonly Budget[];
      readonly ledger: Ledger;
      readonly blocks: Blocks;
      died(): void;
    }

    /** One run, told step by step: between two of them anything else may happen. */
    async function* aRunOf(scene: Scene, isChild = false): AsyncGenerator<undefined, void> {
      const { seed, budgets, ledger, blocks } = scene;
      const random = dice(seed);
      const [dies, isLate] = [random.chance(0.15), random.chance(0.15)];
      const own = budgets.filter(() => random.chance(0.8));
      const { runId, budget } = spending(own, { ledger, blocks, isChild, isLate: isLate || dies });
      const ask = async () => {
        const call = aCall(random, random.chance(0.5));
        const grant = await Promise.resolve(budget.reserve(call)).catch(orRefused);
        return grant && { grant, truth: truthOf(random, call, grant) };
      };
      const first = random.chance(0.5) ? aCall(random, true) : undefined;
      const isIn = !first || (await Promise.resolve(budget.reserveAhead(first)).then(() => true, orRefused));
      for (let rounds = isIn ? random.upTo(3) : 0; rounds > 0; rounds--) {
        yield;
        // As tools do that ask a model each, at the same time.
        const asked = await Promise.all(Array.from({ length: random.chance(0.4) ? 3 : 1 }, ask));
        yield;
        if (!isChild && random.chance(0.3)) yield* aRunOf({ ...scene, seed: random.upTo(1e9) }, true);
        if (dies) {
          scene.died();
          return;
        }
        for (const { grant, truth } of asked.filter((one) => one !== undefined)) {
          budget.settle(grant, truth);
          ledger.book(grant, truth, isLate);
        }
        if (random.chance(0.15)) break;
      }
      if (!dies) await keep(budget, runId);
    }

    let blocksOpened = 0;
    const countingBlocks: Parameters<typeof createBlocks>[0] = {
      settle: (settlements) => stores.budgets.settle(settlements),
      async reserve(hold, settlements, more = []) {
        const granted = await stores.budgets.reserve(hold, settlements, more);
        if (granted) blocksOpened += more.length;
        return granted;
      },
    };

    async function play(seed: number): Promise<void> {
      const random = dice(seed);
      const units: readonly BudgetUnit[] = ['tokens', 'cost', 'requests'];
      const most = { tokens: 8_000, cost: 60_000_000, requests: 8 };
      // Now and then there is enough for blocks.
      const times = random.chance(0.5) ? 8 : 1;
      const budgets = await Promise.all(
        units
          .filter((_, i) => i === seed % 3 || random.chance(0.6))
          .map((unit) => aBudget(unit, random.upTo(times * most[unit]))),
      );
      const ledger = aLedger(budgets);
      let deaths = 0;
      const blocks = createBlocks(countingBlocks, { runTimeoutMs: 3_600_000, busyAt: 2, calls: 2 });
      const died = () => void (deaths += 1);
      const runs = Array.from({ length: 2 + random.upTo(5) }, () =>
        aRunOf({ seed: random.upTo(1e9), budgets, ledger, blocks, died }),
      );
      while (runs.length > 0) {
        const together = runs.filter(() => random.chance(0.5));
        const steps = await Promise.all(together.map(async (run) => ({ run, step: await run.next() })));
        for (const { run, step } of steps) if (step.done) runs.splice(runs.indexOf(run), 1);
        for (const { id, used, reserved, held } of await standing(budgets)) {
          const amount = budgets.find((one) => one.id === id)!.amount;
          expect(reserved, 'reserved is what is held').to.equal(held);
          expect(Math.min(used, reserved), 'nothing is negative').to.be.at.least(0);
          expect(ledger.grantedOf(id), 'spent and granted').to.be.at.most(amount);
        }
      }
      await blocks.close();
      // Blocks that the dead have spent of are given back when their time is over.
      if (deaths > 0) await db('budget_holds').update({ expires_at: new Date(0).toISOString() });
      const accounts = budgets.map(({ id: budgetId }) => ({ budgetId, userId: 0, periodStart: EVER }));
      for (const { budgetId: id, used, reserved } of await stores.budgets.figures(accounts)) {
        expect({ used, reserved }, 'in the end').to.deep.equal({
          used: ledger.sums.get(id)!.spent,
          reserved: 0,
        });
      }
    }

    it(`never overspend by a unit, and count all that was spent, in ${String(SCHEDULES)} random schedules`, async function () {
      this.timeout(30_000 + SCHEDULES * 2_000);
      for (let n = 0; n < SCHEDULES; n++) {
        await play(SEED + n).catch((fault: unknown) => {
          throw new Error(`Schedule SEED=${String(SEED + n)} SCHEDULES=1`, { cause: fault });
        });
      }
      // In one alone there may be none.
      if (SCHEDULES >= 12) expect(blocksOpened).to.be.greaterThan(0);
    });
  },
  'suite',
);

function orRefused(fault: unknown): undefined {
  if (!(fault instanceof AppError && fault.code === 'budget_exceeded')) throw fault;
}
