import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createBatchedLimiter } from '../../src/workers/shared-limiter.js';

/** Processes that share one count; `asked` tells how often they had to ask for it. */
function processes(count: number, { points, parts }: { points: number; parts: number }) {
  const shared = new RateLimiterMemory({ points, duration: 60 });
  const asked: string[] = [];
  const limiters = Array.from({ length: count }, () =>
    createBatchedLimiter(
      {
        consume(key, taken) {
          asked.push(key);
          return shared.consume(key, taken);
        },
      },
      points,
      parts,
    ),
  );
  const letsThrough = async (who: number, key = 'key') =>
    (await limiters[who]?.consume(key).then(
      () => true,
      () => false,
    )) ?? false;
  return { asked, letsThrough };
}

describe('a limit that several processes share in batches', () => {
  // Windows end by the clock, and their timers must not keep the test run going.
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('never lets more through than is allowed, and refuses at most the unused rest of each other process early', async () => {
    const anyWalk = fc.array(fc.nat(2), { minLength: 150, maxLength: 200 });
    const anyLimit = fc.integer({ min: 1, max: 130 });
    await fc.assert(
      fc.asyncProperty(anyWalk, anyLimit, fc.constantFrom(5, 20, 60), async (walk, points, parts) => {
        const { letsThrough } = processes(3, { points, parts });
        const batch = Math.max(1, Math.floor(points / parts));

        const passed = (await Promise.all(walk.map((who) => letsThrough(who)))).filter(Boolean).length;

        expect(passed).to.be.at.most(points);
        expect(passed).to.be.at.least(points - 2 * (batch - 1));
      }),
      { numRuns: 100 },
    );
  });

  it('lets all through that is allowed, also where it is no multiple of a batch', async () => {
    // A prime number of them, ten at a time.
    const { asked, letsThrough } = processes(1, { points: 103, parts: 10 });

    const passed: boolean[] = [];
    for (let i = 0; i < 110; i++) passed.push(await letsThrough(0));

    expect(passed).to.deep.equal(passed.map((_, i) => i < 103));
    expect(asked.length).to.equal(11 + 7);
  });

  it('asks once for a batch, also when all of its requests come at once', async () => {
    const { asked, letsThrough } = processes(1, { points: 100, parts: 10 });

    const passed = await Promise.all(Array.from({ length: 20 }, () => letsThrough(0)));

    expect(passed).to.deep.equal(Array(20).fill(true));
    expect(asked).to.have.length(2);
  });

  it('counts each key by itself', async () => {
    const { letsThrough } = processes(1, { points: 2, parts: 40 });

    const passed = [await letsThrough(0, 'a'), await letsThrough(0, 'a'), await letsThrough(0, 'a')];

    expect(passed).to.deep.equal([true, true, false]);
    expect(await letsThrough(0, 'b')).to.equal(true);
  });

  it('does not carry points over into the next minute', async () => {
    const { letsThrough } = processes(2, { points: 10, parts: 2 });
    await letsThrough(0);
    await letsThrough(1);

    mock.timers.tick(60_001);
    const passed = await Promise.all(Array.from({ length: 12 }, (_, i) => letsThrough(i % 2)));

    expect(passed.filter(Boolean)).to.have.length(10);
  });
});
