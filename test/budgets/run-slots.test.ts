import { expect } from 'chai';
import { createRunSlots } from '../../src/budgets/run-slots.js';
import type { BudgetHold, BudgetSettlement } from '../../src/core/budgets/budget.js';
import { readLimits } from '../../src/core/organizations/limits.js';

/** As many at a time as the limits say, counted in memory. */
function aLedger() {
  const held = new Map<string, BudgetHold>();
  const taken = (budgetId: string, userId: number) =>
    [...held.values()]
      .flatMap(({ parts }) => parts)
      .filter((one) => one.budgetId === budgetId && one.userId === userId).length;
  return {
    reserve(hold: BudgetHold) {
      const fits = hold.parts.every(({ budgetId, userId, limit = 0 }) => taken(budgetId, userId) < limit);
      if (fits) held.set(hold.id, hold);
      return Promise.resolve(fits);
    },
    settle(settlements: readonly BudgetSettlement[]) {
      for (const { holdId = '' } of settlements) held.delete(holdId);
      return Promise.resolve();
    },
    figures: () => Promise.resolve([]),
  };
}

describe('places for runs at the same time', () => {
  const anOrganisation = (limits: object) => {
    const { admit } = createRunSlots({ budgets: aLedger(), runTimeoutMs: 60_000, queueWaitMs: 60_000 });
    const order: string[] = [];
    const run = async (name: string, userId: number) => {
      const { signal } = new AbortController();
      const slot = await admit({
        ...{ runId: name, organizationId: 1, userId, signal, limits: readLimits({ limits }) },
      });
      order.push(name);
      return slot;
    };
    return { run, order };
  };

  it('are given in turns: somebody with many questions delays another by one of them at the most', async () => {
    const { run, order } = anOrganisation({ concurrent_runs: 1 });
    const first = await run('first', 1);
    const many = Array.from({ length: 8 }, (_, n) => run(`many ${String(n)}`, 1));
    const bystander = run('bystander', 2);

    // All of them have asked by then, and wait.
    await new Promise(setImmediate);
    await first?.giveBack();
    for (const waiting of [...many.slice(0, 1), bystander, ...many.slice(1)])
      await (await waiting)?.giveBack();

    expect(order.slice(0, 4)).to.deep.equal(['first', 'many 0', 'bystander', 'many 1']);
    expect(order).to.have.length(10);
  });

  it('that one person has used up keep nobody else out', async () => {
    const { run, order } = anOrganisation({ concurrent_runs: 3, concurrent_runs_per_user: 1 });
    const first = await run('first', 1);
    const second = run('second', 1);

    await run('other', 2);
    await first?.giveBack();
    await second;

    expect(order).to.deep.equal(['first', 'other', 'second']);
  });

  it('are not waited for by whoever leaves', async () => {
    const { admit } = createRunSlots({ budgets: aLedger(), runTimeoutMs: 60_000, queueWaitMs: 60_000 });
    const limits = readLimits({ limits: { concurrent_runs: 1 } });
    const leaving = new AbortController();
    const facts = { organizationId: 1, userId: 1, limits };
    const slot = await admit({ ...facts, runId: 'first', signal: new AbortController().signal });
    const waiting = admit({ ...facts, runId: 'second', signal: leaving.signal }).catch(
      (fault: unknown) => fault,
    );

    leaving.abort(new Error('gone'));

    expect(await waiting).to.have.property('message', 'gone');
    await slot?.giveBack();
  });
});
