import { expect } from 'chai';
import { createTurns } from '../../db/turns.js';
import { describeOnPostgres } from '../support/databases.js';

/** What somebody is at until they are let go. */
function somethingLong() {
  let letGo: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const isOver = new Promise<void>((resolve) => (letGo = resolve));
  const work = async () => {
    begun();
    await isOver;
    return 'first';
  };
  return { work, isBegun, letGo };
}

describeOnPostgres('of processes on one database', (open) => {
  it('one at a time sweeps: another does not even wait, and may when it is over', async () => {
    const db = await open();
    const [here, there] = [createTurns(db), createTurns(db)];
    const long = somethingLong();

    const sweeping = here.sweep(long.work);
    await long.isBegun;
    const meanwhile = await there.sweep(() => Promise.resolve('second'));
    long.letGo();
    const swept = await sweeping;
    const afterwards = await there.sweep(() => Promise.resolve('second'));

    expect([meanwhile, swept, afterwards]).to.deep.equal([undefined, 'first', 'second']);
  });

  it('one that fails at sweeping leaves its turn to others', async () => {
    const db = await open();
    const failing = createTurns(db).sweep(() => Promise.reject(new Error('broken')));

    expect(await failing.catch((fault: unknown) => (fault as Error).message)).to.equal('broken');
    expect(await createTurns(db).sweep(() => Promise.resolve('second'))).to.equal('second');
  });

  it('one at a time prepares: another waits for it, while somebody sweeps', async () => {
    const db = await open();
    const [here, there] = [createTurns(db), createTurns(db)];
    const long = somethingLong();
    const order: string[] = [];

    const first = here.prepare(async () => order.push(await long.work()));
    await long.isBegun;
    const second = there.prepare(() => Promise.resolve(order.push('second')));
    order.push((await there.sweep(() => Promise.resolve('swept'))) ?? '');
    long.letGo();
    await Promise.all([first, second]);

    expect(order).to.deep.equal(['swept', 'first', 'second']);
  });
});
