import { mkdir, mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { holdLock, type LockTimes } from '../../../db/files/owner-lock.js';
import { refusal } from './file-place.js';

const QUICK: LockTimes = { leaseMs: 200, waitMs: 5_000 };
/** For whoever is to keep their turn, however little time a busy machine leaves them to say that they are there. */
const LASTING: LockTimes = { leaseMs: 60_000, waitMs: 15_000 };

describe('the lock of an owner', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Long enough for others to look in, were they let. */
  const someWork = async () => {
    for (let i = 0; i < 20; i++) await readdir(folder);
  };

  it('is held by one at a time, however many come, and cleans up after itself', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside++;
      most = Math.max(most, inside);
      await someWork();
      inside--;
    };

    await Promise.all(Array.from({ length: 40 }, () => holdLock(folder, LASTING, work)));

    expect(most).to.equal(1);
    expect((await readdir(folder)).length).to.be.lessThan(10);
  });

  it('is free again when the work fails, and passes on why', async () => {
    const failing = () => Promise.reject(new RangeError('broke'));

    const fault: unknown = await holdLock(folder, QUICK, failing).catch((error: unknown) => error);

    expect(fault).to.be.instanceOf(RangeError);
    expect(await holdLock(folder, QUICK, () => Promise.resolve('free'))).to.equal('free');
  });

  it('is waited for no longer than allowed, and then refused as busy', async () => {
    const busy = { leaseMs: 60_000, waitMs: 100 };
    const error = await holdLock(folder, busy, () =>
      refusal(holdLock(folder, busy, () => Promise.resolve())),
    );

    expect([error.status, error.code]).to.deep.equal([503, 'files_busy']);
    expect(error.retryAfterSeconds).to.be.greaterThan(0);
  });

  it('is kept by a holder that works longer than the lease, as long as it lives', async () => {
    const order: string[] = [];
    const times = { ...QUICK, leaseMs: 500 };
    const long = holdLock(folder, times, async ({ confirm }) => {
      order.push('first in');
      await new Promise((resolve) => setTimeout(resolve, times.leaseMs * 2));
      await confirm();
      order.push('first out');
    });
    while (order.length === 0) await new Promise(setImmediate);

    await holdLock(folder, times, () => Promise.resolve(order.push('second in')));
    await long;

    expect(order).to.deep.equal(['first in', 'first out', 'second in']);
  });

  it('left by a killed process is taken over by exactly one of those who wait', async () => {
    await writeFile(join(folder, '7'), '');
    const long = new Date(Date.now() - LASTING.leaseMs * 2);
    await utimes(join(folder, '7'), long, long);
    let inside = 0;
    const turns = await Promise.all(
      Array.from({ length: 10 }, () =>
        holdLock(folder, LASTING, async () => {
          const alone = ++inside === 1;
          await someWork();
          inside--;
          return alone;
        }),
      ),
    );

    expect(turns).to.deep.equal(Array.from({ length: 10 }, () => true));
  });

  it('left with a time stamp of the future does not stay for ever', async () => {
    await writeFile(join(folder, '7'), '');
    const future = new Date(Date.now() + 86_400_000);
    await utimes(join(folder, '7'), future, future);

    expect(await holdLock(folder, QUICK, () => Promise.resolve('free'))).to.equal('free');
  });

  it('tells a holder that slept too long that its turn is over, and leaves the next one alone', async () => {
    const error = await holdLock(folder, QUICK, async ({ confirm }) => {
      // As if somebody had found the lease run out: the next number is there.
      await (await open(join(folder, '2'), 'wx')).close();
      return await refusal(confirm());
    });

    expect(error.status).to.equal(409);
    const waiting = await holdLock(folder, { leaseMs: 60_000, waitMs: 50 }, () => Promise.resolve()).catch(
      (fault: unknown) => fault,
    );
    expect(waiting).to.include({ code: 'files_busy' });
  });

  it('does not fall for somebody who makes a number that had its time', async () => {
    await mkdir(folder, { recursive: true });
    await Promise.all(['5', '6', 'odd', '-3', '1e99'].map((name) => writeFile(join(folder, name), '')));
    const over = new Date(0);
    await Promise.all(['5', '6'].map((name) => utimes(join(folder, name), over, over)));

    await holdLock(folder, QUICK, async () => {
      expect((await readdir(folder)).sort()).to.include('7');
    });
  });

  it('is not waited for by somebody who has left', async () => {
    const leaving = new AbortController();
    const patient = { leaseMs: 60_000, waitMs: 60_000 };

    const outcome = await holdLock(folder, patient, () => {
      const second = holdLock(folder, patient, () => Promise.resolve('got it'), leaving.signal);
      leaving.abort();
      return second.catch(() => 'left');
    });

    expect(outcome).to.equal('left');
  });
});
