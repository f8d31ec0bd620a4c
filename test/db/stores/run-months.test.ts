import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openAsItIs, openDb } from '../../../db/open.js';
import { isPostgres, rawRows } from '../../../db/query/raw-rows.js';
import { runIdsSince } from '../../../src/core/base/ids.js';
import type { RunRecord } from '../../../src/core/runs/record.js';
import { USAGE_GROUPS } from '../../../src/core/runs/usage.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/databases.js';
import { aModelStep, aRun, aUser, content, storesOn } from '../fixtures.js';
import { anErasureFixture, type ErasureFixture } from './erasure-fixture.js';

const TABLES = ['runs', 'run_steps', 'usage_ledger'] as const;

/** A day of a month that lies so many after this one. */
function inMonth(months: number, day = 15): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, 12));
}

async function of(stores: Stores) {
  const user = await aUser(stores);
  return { user, assistantId: (await stores.assistants.create(user, content())).id };
}
type Whose = Awaited<ReturnType<typeof of>>;

/** With an id of that time, and its second step an hour later. */
function aRunAt(whose: Whose, time: Date, changes: Partial<RunRecord> = {}): RunRecord {
  const [startedAt, later] = [time, new Date(time.getTime() + 3_600_000)].map((at) => at.toISOString());
  const steps = [aModelStep({ startedAt: startedAt ?? '' }), aModelStep({ startedAt: later ?? '' })];
  const id = `${runIdsSince(time.getTime())}-7${randomUUID().slice(15)}`;
  return aRun(whose, { id, startedAt: startedAt ?? '', steps, ...changes });
}

/** As the sweep does, month after month. */
async function makeMonths(stores: Stores, last: number): Promise<void> {
  for (let month = 0; month <= last; month += 1) await stores.runMonths.makeAhead(inMonth(month));
}

const idsOf = async (stores: Stores) =>
  (await stores.runs.list({}, { limit: 50 })).data.map(({ id, steps }) => [id, steps.length]);

const partitionsIn = (db: Knex) =>
  rawRows<{ readonly name: string }>(
    db,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent
      WHERE relkind = 'p' ORDER BY 1`,
    [],
  ).then((rows) => rows.map(({ name }) => name));

describeOnEachEngine('runs of any month', (open) => {
  let db: Knex;
  let stores: Stores;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    await stores.runMonths.makeAhead(new Date());
  });

  it('have a place, whenever they were, and are listed from the newest on with their steps', async () => {
    const whose = await of(stores);
    const times = [inMonth(0), inMonth(400), inMonth(-400), inMonth(1), inMonth(-1), inMonth(9)];
    const runs = times.map((time) => aRunAt(whose, time));
    for (const run of runs) await stores.runs.record(run);

    const newestFirst = runs.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
    expect(await idsOf(stores)).to.deep.equal(newestFirst.map(({ id }) => [id, 2]));
    for (const run of runs)
      expect(await stores.runs.get(run.id)).to.deep.include({ startedAt: run.startedAt });
    expect(await db('usage_ledger').pluck('run_id')).to.have.length(2 * runs.length);
  });

  it('are there once, take their steps with them, and are not gone on with once they are gone', async () => {
    const whose = await of(stores);
    const run = aRunAt(whose, inMonth(1, 31));
    await stores.runs.record(run);

    const twice: unknown = await stores.runs.record(run).catch((fault: unknown) => fault);
    await db('runs').where('id', run.id).del();
    const goneOn: unknown = await stores.runs.extend(run).catch((fault: unknown) => fault);

    expect([twice, goneOn].map((fault) => fault instanceof Error)).to.deep.equal([true, true]);
    expect([await db('runs'), await db('run_steps')]).to.deep.equal([[], []]);
    expect(await db('usage_ledger')).to.have.length(2);
  });
});

describeOnEachEngine('months that are past', (_open, _target, migrated) => {
  let db: Knex;
  let fixture: ErasureFixture;
  const now = inMonth(6);
  const keeping = { runsKeepMonths: 2, now };

  beforeEach(async () => {
    db = await openDb(await migrated());
    fixture = await anErasureFixture(db);
  });

  afterEach(async () => {
    await fixture.close();
    await db.destroy();
  });

  const recordAll = async (runs: readonly RunRecord[]) => {
    for (const run of runs) await fixture.stores.runs.record(run);
  };

  const report = async () => {
    const period = { since: '1990-01-01T00:00:00.000Z', before: '2990-01-01T00:00:00.000Z' };
    const groups = [];
    for (const group of USAGE_GROUPS) {
      const slices = await fixture.stores.usage.slices(period, group);
      // What is in sums and what is not come apart.
      const sums = new Map<string, Record<string, number>>();
      for (const { key, booked, organizationId, ...figures } of slices) {
        const sum = sums.get(key) ?? {};
        for (const [name, value] of Object.entries({ ...figures, cost: booked?.amount ?? 0 }))
          sum[name] = (sum[name] ?? 0) + value;
        sums.set(key, { ...sum, organizationId });
      }
      groups.push([group, [...sums].sort()]);
    }
    return groups;
  };

  it('are let go of with their steps and the ledger, and what was used stays on the books', async () => {
    const { stores } = fixture;
    await makeMonths(stores, 6);
    const whose = await of(stores);
    const overMidnight = new Date(inMonth(4, 1).getTime() - 12.5 * 3_600_000);
    const past = [inMonth(-30), inMonth(1), inMonth(3), overMidnight].map((time) => aRunAt(whose, time));
    const kept = [inMonth(4, 1), inMonth(5), now].map((time) => aRunAt(whose, time));
    await recordAll([...past, ...kept]);
    const before = await report();

    const swept = await fixture.sweep(keeping);

    expect(await idsOf(stores)).to.deep.equal(kept.toReversed().map(({ id }) => [id, 2]));
    expect(await db('run_steps')).to.have.length(2 * kept.length);
    // What lies on two days is in no sum, and so is kept.
    const booked = new Set(await db('usage_ledger').pluck('run_id'));
    expect([...booked]).to.have.members([past.at(-1), ...kept].map((run) => run?.id));
    expect(await report()).to.deep.equal(before);
    expect(swept['months']).to.equal(isPostgres(db) ? 2 * 4 : 0);
    expect(await fixture.sweep(keeping)).to.include({ months: 0, rowsOfMonths: 0 });
  });

  it('have their sums for good, whoever is taken out of what is left of the ledger', async () => {
    const { stores } = fixture;
    const whose = await of(stores);
    const time = inMonth(1);
    const summed = aRunAt(whose, time);
    const overMidnight = aRunAt(whose, new Date(time.getTime() + 11.5 * 3_600_000));
    await recordAll([summed, overMidnight]);
    await fixture.sweep(keeping);
    const late = aRunAt(whose, time);
    await recordAll([late]);
    await stores.usage.addUp();
    const before = (await report()).filter(([group]) => group !== 'user');

    await stores.erasure.eraseRuns([overMidnight, late].map(({ id }) => ({ id, userId: whose.user.id })));
    await stores.usage.addUp();

    const after = (await report()).filter(([group]) => group !== 'user');
    expect(after).to.deep.equal(before);
    expect(await stores.runs.get(late.id)).to.equal(undefined);
  });

  it('take runs of activities with them as if their own days were over: without the person, and with their pictures', async () => {
    const { stores, activity } = fixture;
    await stores.activities.change(activity.id, { retentionDays: 3650 });
    const student = await fixture.student('early');
    await stores.usage.addUp();
    const run = await db('runs').where('user_id', student.user.id).first<{ id: string }>('id');

    await fixture.sweep(keeping);

    expect(await stores.runs.get(run.id)).to.equal(undefined);
    expect(await db('usage_user_days').where('user_id', student.user.id)).to.deep.equal([]);
    expect(await db('audit').where({ user_id: student.user.id, run_id: run.id })).to.deep.equal([]);
    expect(await fixture.pictures(student)).to.deep.equal([]);
  });

  it('leave a run of an activity that was named in the last moment of one and began in the next', async () => {
    const { stores, activity } = fixture;
    await stores.activities.change(activity.id, { retentionDays: 3650 });
    await makeMonths(stores, 6);
    const whose = await of(stores);
    const begun = new Date(inMonth(4, 1).getTime() - 12 * 3_600_000);
    const { id } = aRunAt(whose, new Date(begun.getTime() - 1));
    await recordAll([aRunAt(whose, begun, { id, activityId: activity.id })]);

    await fixture.sweep(keeping);
    const kept = await stores.runs.get(id);
    await fixture.sweep({ runsKeepMonths: 2, now: inMonth(7) });

    expect(kept).to.deep.include({ startedAt: begun.toISOString(), activityId: activity.id });
    expect(await stores.runs.get(id)).to.equal(undefined);
    expect(await db('usage_ledger').whereNotNull('user_id')).to.deep.equal([]);
  });

  it('are kept for ever where no number of months is set', async () => {
    const whose = await of(fixture.stores);
    const runs = [inMonth(-300), inMonth(0)].map((time) => aRunAt(whose, time));
    await recordAll(runs);

    await fixture.sweep({ runsKeepMonths: 0, now });

    expect(await idsOf(fixture.stores)).to.deep.equal(runs.toReversed().map(({ id }) => [id, 2]));
  });
});

describeOnPostgres('partitions of runs', (_open, target, migrated) => {
  it('begin with what was there before: nothing of it is lost, and those who are connected go on', async () => {
    const place = await target();
    const old = await openAsItIs(place);
    const next = async () => ((await old.migrate.list()) as [unknown, readonly string[]])[1][0];
    await old.migrate.latest();
    const stores = storesOn(old);
    // While the schema is as the code of today wants it.
    const whose = await of(stores);
    while (!(await next())?.includes('runs_by_month')) await old.migrate.down();
    for (const time of [inMonth(-20), inMonth(0), inMonth(-1), inMonth(5)])
      await stores.runs.record(aRunAt(whose, time));
    // An id that does not tell its time.
    await stores.runs.record(aRun(whose, { id: 'run_f9168c5e-ceb2-4faa-b6bf-329bf39fa1e4' }));
    const columns = await Promise.all(
      TABLES.map(async (table) => Object.keys(await old(table).columnInfo())),
    );
    const read = async (db: Knex) =>
      Promise.all(
        TABLES.map((table, i) =>
          db(table)
            .select(columns[i] ?? [])
            .orderBy([1, 2]),
        ),
      );
    const before = await read(old);

    const db = await openDb(place);
    try {
      expect(await read(db)).to.deep.equal(before);
      const later = aRunAt(whose, inMonth(0));
      await stores.runs.record(later);
      expect(await db('usage_ledger').where('run_id', later.id).orderBy('id').pluck('id')).to.deep.equal([
        10, 11,
      ]);
      const all = await read(db);
      while (!(await next())?.includes('runs_by_month')) await old.migrate.down();
      expect(await read(db)).to.deep.equal(all);
      expect(await stores.runs.get(later.id)).to.deep.include({ startedAt: later.startedAt });
    } finally {
      await Promise.all([old, db].map((one) => one.destroy()));
    }
  });

  it('are made for the coming months by one of several, but for a month that has begun without', async () => {
    const db = await openDb(await migrated());
    try {
      const stores = storesOn(db);
      const whose = await of(stores);
      const [stray, later] = [aRunAt(whose, inMonth(3)), aRunAt(whose, inMonth(4))];
      await stores.runs.record(stray);

      const made = await Promise.all([1, 2, 3].map(() => stores.runMonths.makeAhead(inMonth(2))));
      await stores.runs.record(later);

      const months = [2, 4].map((month) => inMonth(month).toISOString().slice(0, 7).replace('-', '_'));
      const parts = ['before', 'default', ...months];
      expect(made.reduce((sum, number) => sum + number)).to.equal(2 * 2);
      expect(await partitionsIn(db)).to.have.members(
        TABLES.flatMap((table) => parts.map((part) => `${table}_${part}`)),
      );
      expect(await db(`runs_${months[1] ?? ''}`).pluck('id')).to.deep.equal([later.id]);
      expect(await idsOf(stores)).to.deep.equal([later, stray].map(({ id }) => [id, 2]));
      await db('runs').whereIn('id', [later.id, stray.id]).del();
      expect(await db('run_steps')).to.deep.equal([]);
    } finally {
      await db.destroy();
    }
  });

  it('stay while somebody reads them, whom nobody waits behind, and go the next time', async () => {
    const db = await openDb(await migrated());
    const fixture = await anErasureFixture(db);
    try {
      await makeMonths(fixture.stores, 6);
      const reader = await db.transaction();
      await reader('runs').first();
      const options = { runsKeepMonths: 1, now: inMonth(6) };

      const meanwhile = await fixture.sweep(options);
      const names = await partitionsIn(db);
      await reader.commit();
      const after = await fixture.sweep(options);

      expect(names).to.include.members(['runs_before', 'run_steps_before']);
      expect(names).not.to.include('usage_ledger_before');
      expect([meanwhile['months'], after['months']]).to.deep.equal([5, 5]);
      expect(await partitionsIn(db)).not.to.include('runs_before');
    } finally {
      await fixture.close();
      await db.destroy();
    }
  });
});
