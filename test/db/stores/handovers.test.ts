import { expect } from 'chai';
import type { Handover } from '../../../src/core/runs/handover.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const IN_A_WHILE = '2999-01-01T00:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describeOnEachEngine('runs that wait for their client', (open) => {
  let stores: Stores;
  let me: User;
  let whose: Pick<Handover, 'userId' | 'assistantId'>;
  beforeEach(async () => {
    stores = storesOn(await open());
    me = await aUser(stores);
    whose = { userId: me.id, assistantId: 7 };
  });

  const handover = (more: Partial<Handover> = {}): Handover => ({
    ...{ id: 'h1', runId: 'run_1', ...whose, activityId: undefined, conversationId: undefined },
    calls: [
      { id: 'call_b', name: 'look_up', arguments: '{"word":"b"}' },
      { id: 'call_a', name: 'look_up', arguments: '{"word":"a\u0000"}' },
    ],
    state: {
      messages: [{ role: 'user', content: 'Which words?' }],
      ...{
        sources: [],
        tools: [],
        rounds: 1,
        specs: [],
        answered: [],
        modelIds: { call_b: 'b', call_a: 'a' },
      },
    },
    expiresAt: IN_A_WHILE,
    ...more,
  });

  it('are found by each of their calls, in the order in which they were made, by the one they wait for', async () => {
    const kept = handover();
    await stores.handovers.keep(kept);
    const other = await aUser(stores);

    const found = await stores.handovers.waiting('call_a', whose);

    expect(found).to.deep.include({ runId: 'run_1', state: kept.state });
    expect(found?.calls.map(({ id }) => id)).to.deep.equal(['call_b', 'call_a']);
    expect(await stores.handovers.waiting('call_b', whose)).to.deep.equal(found);
    expect(await stores.handovers.waiting('call_c', whose)).to.equal(undefined);
    expect(await stores.handovers.waiting('call_a', { ...whose, userId: other.id })).to.equal(undefined);
    expect(await stores.handovers.waiting('call_a', { ...whose, assistantId: 8 })).to.equal(undefined);
  });

  it('are gone on with by one of many who try at once, and by the next when that one lets go or is late', async () => {
    await stores.handovers.keep(handover());
    const claims = (until: string) =>
      Promise.all(Array.from({ length: 5 }, () => stores.handovers.claim('h1', until)));
    const won = (outcomes: readonly boolean[]) => outcomes.filter(Boolean).length;

    const first = await claims(IN_A_WHILE);
    await stores.handovers.release('h1');
    const late = await stores.handovers.claim('h1', LONG_AGO);
    const last = await claims(IN_A_WHILE);

    expect([won(first), late, won(last)]).to.deep.equal([1, true, 1]);
  });

  it('are over once they have gone on; their calls are still known as history', async () => {
    await stores.handovers.keep(handover());

    await stores.handovers.finish('h1');

    expect(await stores.handovers.waiting('call_a', whose)).to.equal(undefined);
    expect(await stores.handovers.claim('h1', IN_A_WHILE)).to.equal(false);
    const known = await stores.handovers.known(['call_a', 'call_of_nobody'], whose);
    expect([...known.keys()]).to.deep.equal(['call_a']);
    expect([...(await stores.handovers.known(['call_a'], { ...whose, assistantId: 8 })).keys()]).to.be.empty;
  });

  it('are not known past their time, and are swept away with their calls', async () => {
    await stores.handovers.keep(handover({ expiresAt: LONG_AGO }));
    await stores.handovers.keep(
      handover({ id: 'h2', calls: [{ id: 'call_c', name: 'look_up', arguments: '{}' }] }),
    );

    const before = [
      await stores.handovers.waiting('call_a', whose),
      (await stores.handovers.known(['call_a'], whose)).size,
    ];
    const swept = await stores.handovers.sweep(new Date().toISOString());

    expect(before).to.deep.equal([undefined, 0]);
    expect(swept).to.equal(1);
    expect(await stores.handovers.waiting('call_c', whose)).to.deep.include({ id: 'h2' });
  });
});
