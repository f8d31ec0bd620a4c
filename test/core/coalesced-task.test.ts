import { expect } from 'chai';
import { createCoalescedTask } from '../../src/core/base/coalesced-task.js';

describe('an errand', () => {
  it('is never run twice at the same time, and once more for all who asked meanwhile', async () => {
    const gates: (() => void)[] = [];
    let [running, most] = [0, 0];
    const errand = createCoalescedTask(async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((go) => gates.push(go));
      running -= 1;
    });

    errand.ask();
    for (let i = 0; i < 5; i++) errand.ask();
    gates[0]?.();
    await new Promise(setImmediate);
    gates[1]?.();
    await errand.settled();

    expect([gates.length, most]).to.deep.equal([2, 1]);
  });

  it('is settled when it was never asked for, and can be asked for again', async () => {
    let runs = 0;
    const errand = createCoalescedTask(() => {
      runs += 1;
      return Promise.resolve();
    });

    await errand.settled();
    for (let i = 0; i < 3; i++) {
      errand.ask();
      await errand.settled();
    }

    expect(runs).to.equal(3);
  });
});
