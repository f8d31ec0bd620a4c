import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { isPostgres } from '../../../db/query/raw-rows.js';
import { USAGE_GROUPS, type UsageFilter, type UsageGroup } from '../../../src/core/runs/usage.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aModelStep, aRun, aUser, content, storesOn } from '../fixtures.js';

interface LedgerRow {
  readonly id: number;
  readonly run_id: string;
  readonly organization_id: number;
  readonly user_id: number | null;
  readonly assistant_id: number | null;
  readonly activity_id: number | null;
  readonly connector: string | null;
  readonly model: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost: number | string | null;
  readonly currency: string | null;
  readonly created_at: string;
}

interface Scene {
  readonly users: readonly User[];
  readonly assistants: readonly { readonly id: number; readonly ownerId: number }[];
}

const CALL = fc.record({
  hour: fc.constantFrom('05', '23'),
  over: fc.boolean(),
  model: fc.constantFrom('small', 'large'),
  price: fc.constantFrom(
    undefined,
    { amount: 0, currency: 'EUR' },
    { amount: 7, currency: 'EUR' },
    {
      amount: 1_000_000_007,
      currency: 'USD',
    },
  ),
  tokens: fc.nat(1_000),
});
const RUN = fc.record({
  do: fc.constant('record' as const),
  user: fc.nat(2),
  assistant: fc.option(fc.nat(2)),
  activity: fc.constantFrom(undefined, 7, 8),
  day: fc.integer({ min: 1, max: 4 }),
  calls: fc.array(CALL, { minLength: 1, maxLength: 3 }),
});
const CHANGE = fc.record({
  do: fc.constantFrom(
    'erase a run' as const,
    'end an erasure' as const,
    'delete' as const,
    'correct' as const,
  ),
  which: fc.nat(),
});
const ADDING = fc.record({ do: fc.constant('add up' as const), processes: fc.constantFrom(1, 2) });
const STEP = fc.oneof(
  { weight: 6, arbitrary: RUN },
  { weight: 2, arbitrary: CHANGE },
  { weight: 3, arbitrary: ADDING },
);
type Of<Some> = Some extends fc.Arbitrary<infer Value> ? Value : never;
type Recorded = Of<typeof RUN>;
type Changed = Of<typeof CHANGE>;
type Added = Of<typeof ADDING>;

const dayOf = (number: number) => `2026-01-0${String(number)}`;
const PERIODS = [
  { since: '2026-01-01T00:00:00.000Z', before: '2026-01-08T00:00:00.000Z' },
  { since: '2026-01-02T00:00:00.000Z', before: '2026-01-04T00:00:00.000Z' },
  { since: '2026-01-02T12:00:00.000Z', before: '2026-01-04T12:00:00.000Z' },
  { since: '2026-01-03T04:00:00.000Z', before: '2026-01-03T06:00:00.000Z' },
];

describeOnEachEngine('sums of days', (open) => {
  let db: Knex;
  let stores: Stores;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
  });

  const addUpAll = async () => {
    while (await stores.usage.addUp());
  };

  async function aScene(): Promise<Scene> {
    const owner = await aUser(stores);
    const pupil = await aUser(stores, { organizationId: owner.organizationId });
    const stranger = await aUser(stores);
    const assistants = [];
    for (const maker of [owner, owner, stranger])
      assistants.push({ id: (await stores.assistants.create(maker, content())).id, ownerId: maker.id });
    return { users: [owner, pupil, stranger], assistants };
  }

  const ledger = () => db<LedgerRow>('usage_ledger').orderBy('id');

  async function record({ user, assistant, activity, day, calls }: Recorded, scene: Scene): Promise<void> {
    const steps = calls.map(({ hour, over, model, price, tokens }) =>
      aModelStep({
        ...{ model, startedAt: `${dayOf(day + (over ? 1 : 0))}T${hour}:59:59.999Z` },
        usage: { promptTokens: tokens, completionTokens: 1, cachedTokens: 2, reasoningTokens: 3 },
        ...(price ? { cost: price } : {}),
      }),
    );
    const assistantId = assistant === null ? undefined : scene.assistants[assistant]?.id;
    const of = { user: scene.users[user] as User, assistantId: 0 };
    await stores.runs.record(aRun(of, { steps, activityId: activity, assistantId }));
  }

  async function change(step: Changed): Promise<void> {
    const rows = await ledger();
    const row = rows[step.which % Math.max(rows.length, 1)];
    if (!row) return;
    const { id, run_id, created_at: askedAt, activity_id, user_id } = row;
    const userId = user_id ?? 0;
    if (step.do === 'erase a run') await stores.erasure.eraseRuns([{ id: run_id, userId }]);
    else if (step.do === 'end an erasure')
      await stores.erasure.endErasure({ id: 0, activityId: activity_id ?? 7, userId, askedAt });
    else if (step.do === 'delete') await db('usage_ledger').where({ id }).del();
    else await db('usage_ledger').where({ id }).update({ cost: 11, currency: 'EUR', model: 'large' });
  }

  async function take(step: Recorded | Changed | Added, scene: Scene): Promise<void> {
    if (step.do === 'record') await record(step, scene);
    else if ('which' in step) await change(step);
    else await Promise.all(Array.from({ length: step.processes }, () => stores.usage.addUp()));
  }

  it('tell what the ledger tells, to the token and the run, whatever is written, changed, erased or added up', async () => {
    const scene = await aScene();
    await fc.assert(
      fc.asyncProperty(
        fc.array(STEP, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...PERIODS),
        fc.constantFrom(...filtersFor(scene)),
        async (steps, period, filter) => {
          for (const step of steps) await take(step, scene);
          const rows = await ledger();
          for (const group of USAGE_GROUPS) {
            const asked = { ...period, ...filter };
            expect(await told(stores, asked, group), group).to.deep.equal(
              countedIn(rows, asked, { group, scene }),
            );
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
    await addUpAll();
    const asked = { ...PERIODS[0], since: '2026-01-01T00:00:00.000Z', before: '2026-01-08T00:00:00.000Z' };
    expect(await told(stores, asked, 'user')).to.deep.equal(
      countedIn(await ledger(), asked, { group: 'user', scene }),
    );
  });

  it('name nobody who was forgotten, from the moment they are', async () => {
    const { users, assistants } = await aScene();
    const [, pupil] = users as [User, User];
    const run = aRun({ user: pupil, assistantId: assistants[0]?.id ?? 0 }, { activityId: 7 });
    await stores.runs.record(run);
    await addUpAll();
    expect(await db('usage_user_days').pluck('user_id')).to.deep.equal([pupil.id]);

    await stores.erasure.eraseRuns([{ id: run.id, userId: pupil.id }]);

    expect(await db('usage_user_days').pluck('user_id')).to.deep.equal([]);
    await addUpAll();
    expect(await db('usage_user_days').pluck('user_id')).to.deep.equal([0]);
  });

  it('are made in parts that split no run, and once all is added up there is nothing to do', async () => {
    const { users, assistants } = await aScene();
    const of = { user: users[0] as User, assistantId: assistants[0]?.id ?? 0 };
    const steps = ['small', 'small', 'large'].map((model) => aModelStep({ model }));
    await Promise.all(Array.from({ length: 700 }, () => stores.runs.record(aRun(of, { steps }))));

    await addUpAll();

    const rows = await db('usage_days').sum({ runs: 'runs', tokens: 'prompt_tokens' }).first<object>();
    expect(Object.values(rows).map(Number)).to.have.members([700, 700 * 90]);
    expect(await stores.usage.addUp()).to.equal(false);
    expect(await db('usage_unsummed')).to.deep.equal([]);
  });

  it('are as they were when adding up is broken off in the middle', async () => {
    const { users, assistants } = await aScene();
    await stores.runs.record(aRun({ user: users[0] as User, assistantId: assistants[0]?.id ?? 0 }));
    await db.schema.renameTable('usage_user_days', 'elsewhere');
    const fault: unknown = await stores.usage.addUp().catch((thrown: unknown) => thrown);
    await db.schema.renameTable('elsewhere', 'usage_user_days');

    expect(fault).to.be.an('error');
    expect([await db('usage_days'), await db('usage_summing')]).to.deep.equal([[], []]);
    await addUpAll();
    expect((await db('usage_days').pluck<unknown[]>('runs')).map(Number)).to.deep.equal([1]);
  });

  it('wait for what was numbered before and is written after others', async function () {
    if (!isPostgres(db)) return this.skip();
    const { users, assistants } = await aScene();
    const of = { user: users[0] as User, assistantId: assistants[0]?.id ?? 0 };
    const late = await db.transaction();
    await storesOn(late).runs.record(aRun(of));
    await stores.runs.record(aRun(of));

    expect(await stores.usage.addUp()).to.equal(false);
    await late.commit();
    await addUpAll();

    expect((await db('usage_days').pluck<unknown[]>('runs')).map(Number)).to.deep.equal([2]);
  });
});

function filtersFor({ users, assistants }: Scene): readonly Partial<UsageFilter>[] {
  const [owner, pupil] = users as [User, User];
  return [
    {},
    { organizationId: owner.organizationId },
    { userId: owner.id, ownerId: owner.id },
    { userId: pupil.id, ownerId: pupil.id, assistantId: assistants[0]?.id },
    { userId: pupil.id, organizationId: owner.organizationId, ownerId: pupil.id },
    { organizationId: owner.organizationId, activityId: 7 },
  ];
}

const FIGURES = [
  'runs',
  'runsInAll',
  'unpricedRuns',
  'chargedRuns',
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'reasoningTokens',
] as const;
type Figures = Record<string, number>;

/** By key, and what was paid by whom in which currency. */
async function told(stores: Stores, filter: UsageFilter, group: UsageGroup) {
  const rows: Record<string, Figures> = {};
  const total: Figures = {};
  for (const slice of await stores.usage.slices(filter, group)) {
    const row = (rows[slice.key] ??= {});
    for (const name of [
      'runs',
      'promptTokens',
      'completionTokens',
      'cachedTokens',
      'reasoningTokens',
    ] as const)
      row[name] = (row[name] ?? 0) + slice[name];
    for (const name of FIGURES.slice(1)) total[name] = (total[name] ?? 0) + slice[name];
    if (slice.booked) {
      const paid = `${String(slice.organizationId)} ${slice.booked.currency}`;
      for (const sum of [row, total]) sum[paid] = (sum[paid] ?? 0) + slice.booked.amount;
    }
  }
  return { rows, total };
}

/** The same by the book, row after row. */
function countedIn(
  ledger: readonly LedgerRow[],
  filter: UsageFilter,
  { group, scene }: { readonly group: UsageGroup; readonly scene: Scene },
) {
  const owned = scene.assistants.filter(({ ownerId }) => ownerId === filter.ownerId).map(({ id }) => id);
  const reasons = [filter.organizationId, filter.userId, filter.ownerId];
  const seen = ledger.filter(
    (row) =>
      row.created_at >= filter.since &&
      row.created_at < filter.before &&
      (filter.assistantId === undefined || row.assistant_id === filter.assistantId) &&
      (filter.activityId === undefined || row.activity_id === filter.activityId) &&
      (reasons.every((reason) => reason === undefined) ||
        row.organization_id === filter.organizationId ||
        row.user_id === filter.userId ||
        owned.includes(row.assistant_id ?? 0)),
  );
  const rows: Record<string, Figures> = {};
  for (const key of new Set(seen.map((row) => keyOf(row, group)))) {
    const here = seen.filter((row) => keyOf(row, group) === key);
    rows[key] = { runs: runsIn(here), ...tokensIn(here) };
  }
  const total =
    seen.length === 0
      ? {}
      : {
          runsInAll: runsIn(seen),
          unpricedRuns: runsIn(seen.filter((row) => row.currency === null)),
          chargedRuns: runsIn(seen.filter((row) => row.currency === null || Number(row.cost) !== 0)),
          ...tokensIn(seen),
        };
  return { rows, total };
}

const runsIn = (rows: readonly LedgerRow[]) => new Set(rows.map((row) => row.run_id)).size;

function tokensIn(rows: readonly LedgerRow[]): Figures {
  const sums: Figures = {};
  const add = (name: string, value: number) => {
    sums[name] = (sums[name] ?? 0) + value;
  };
  for (const row of rows) {
    add('promptTokens', row.prompt_tokens);
    add('completionTokens', row.completion_tokens);
    add('cachedTokens', row.cached_tokens ?? 0);
    add('reasoningTokens', row.reasoning_tokens ?? 0);
    if (row.currency !== null) add(`${String(row.organization_id)} ${row.currency}`, Number(row.cost));
  }
  return sums;
}

function keyOf(row: LedgerRow, group: UsageGroup): string {
  const keys: Record<UsageGroup, string | number | null> = {
    day: row.created_at.slice(0, 10),
    assistant: row.assistant_id,
    user: row.user_id,
    activity: row.activity_id,
    model: `${row.connector ?? ''}/${row.model ?? ''}`,
  };
  return String(keys[group] ?? '');
}
