import { expect } from 'chai';
import type { Knex } from 'knex';
import { createRateLimitStore } from '../../../db/stores/access/rate-limits.js';
import { createBatchedLimiter } from '../../../src/workers/shared-limiter.js';
import { describeOnPostgres } from '../../support/databases.js';

describeOnPostgres('limits that are counted in the database', (open) => {
  let db: Knex;
  beforeEach(async () => {
    db = await open();
  });
  const passes = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      () => false,
    );

  it('let exactly what is allowed through at several processes, also where no batch divides it', async () => {
    const LIMIT = 131;
    const limiters = [1, 2, 3].map(() =>
      createBatchedLimiter(
        createRateLimitStore(db).counter('questions', { points: LIMIT, seconds: 600 }),
        ...([LIMIT, 10] as const),
      ),
    );

    const passed = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: LIMIT }, () => passes(limiter.consume('ada')))),
    );

    expect(passed.filter(Boolean)).to.have.length(LIMIT);
  });

  it('are swept once their time is over, whatever they counted, and not before', async () => {
    const store = createRateLimitStore(db);
    const counter = store.counter('questions', { points: 10, seconds: 600 });
    for (const key of ['ada', 'bo', 'cy']) await counter.consume(key, 1);
    const [old] = await db('rate_limits').pluck<string[]>('key');
    await db('rate_limits')
      .where({ key: old })
      .update({ expire: Date.now() - 1 });

    const swept = await store.sweep(new Date().toISOString());

    expect([swept, await store.sweep(new Date().toISOString())]).to.deep.equal([1, 0]);
    const left = await db('rate_limits').pluck<string[]>('key');
    expect(left).to.have.length(2).and.not.to.include(old);
  });
});
