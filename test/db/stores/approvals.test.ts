import { expect } from 'chai';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const IN_A_WHILE = '2999-01-01T00:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describeOnEachEngine('calls that wait for approval', (open) => {
  let stores: Stores;
  let me: User;
  let other: User;

  beforeEach(async () => {
    stores = storesOn(await open());
    me = await aUser(stores);
    other = await aUser(stores);
  });

  const ask = (callId: string, expiresAt = IN_A_WHILE) =>
    stores.approvals.ask({
      ...{ runId: 'run_1', callId, userId: me.id, tool: 'patch_file', label: 'patching notes.md' },
      ...{ args: { file_path: 'notes.md' }, expiresAt },
    });
  const id = (callId: string) => ({ runId: 'run_1', callId });

  it('are seen by the one they wait for, and by nobody else', async () => {
    await ask('c1');

    const mine = await stores.approvals.open('run_1', me.id);
    const theirs = await stores.approvals.open('run_1', other.id);
    const elsewhere = await stores.approvals.open('run_2', me.id);

    expect(mine).to.deep.equal([
      {
        ...{ runId: 'run_1', callId: 'c1', userId: me.id, tool: 'patch_file', label: 'patching notes.md' },
        ...{ args: { file_path: 'notes.md' }, expiresAt: IN_A_WHILE },
      },
    ]);
    expect([theirs, elsewhere]).to.deep.equal([[], []]);
  });

  it('are answered once, by the one they wait for', async () => {
    await ask('c1');

    const byOther = await stores.approvals.answer({ ...id('c1'), userId: other.id }, true);
    const before = await stores.approvals.answerTo(id('c1'));
    const byMe = await stores.approvals.answer({ ...id('c1'), userId: me.id }, false);
    const again = await stores.approvals.answer({ ...id('c1'), userId: me.id }, true);

    expect([byOther, before, byMe, again]).to.deep.equal([false, undefined, true, false]);
    expect(await stores.approvals.answerTo(id('c1'))).to.equal(false);
    expect(await stores.approvals.open('run_1', me.id)).to.deep.equal([]);
  });

  it('are not answered past their time', async () => {
    await ask('c1', LONG_AGO);

    expect(await stores.approvals.open('run_1', me.id)).to.deep.equal([]);
    expect(await stores.approvals.answer({ ...id('c1'), userId: me.id }, true)).to.equal(false);
    expect(await stores.approvals.answerTo(id('c1'))).to.equal(undefined);
  });

  it('leave nothing behind, neither when withdrawn nor when their process was killed', async () => {
    await ask('c1', LONG_AGO);
    await ask('c2');

    await stores.approvals.withdraw(id('c2'));
    await ask('c1');

    const open = await stores.approvals.open('run_1', me.id);
    expect(open.map(({ callId, expiresAt }) => [callId, expiresAt])).to.deep.equal([['c1', IN_A_WHILE]]);
  });
});
