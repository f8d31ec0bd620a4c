import type { Knex } from 'knex';
import type {
  CountedSlice,
  QuestionsAsked,
  UsageFilter,
  UsageGroup,
  UsageSlice,
  UsageStore,
} from '../../src/core/runs/usage.js';
import { rawRows } from '../query/raw-rows.js';
import {
  addUpSome,
  callsOf,
  firstOf,
  IS_CHARGED,
  IS_UNPRICED,
  type Sql,
  summedUpTo,
  UP_TO,
} from './usage-sums.js';

const MOST_TRIES = 3;

const KEYS: Readonly<Record<UsageGroup, string>> = {
  day: 'day',
  assistant: 'assistant_id',
  user: 'user_id',
  activity: 'activity_id',
  model: `connector || '/' || model`,
};

interface SliceRow {
  /** 0 for what the ledger has nothing for. */
  readonly key: string | number;
  readonly organization_id: number;
  /** Empty where there was no price. */
  readonly currency: string;
  readonly prompt_tokens: number | string;
  readonly completion_tokens: number | string;
  readonly cached_tokens: number | string;
  readonly reasoning_tokens: number | string;
  readonly cost: number | string;
  readonly runs: number | string;
  readonly runs_in_all: number | string;
  readonly unpriced_runs: number | string;
  readonly charged_runs: number | string;
}

/** What was used, from the sums of days and, where there is none yet, from the ledger; `db` writes the sums. */
export function createUsageStore(reader: Knex, db: Knex = reader): UsageStore {
  /** In one statement, and so as of one moment: what is added up meanwhile is read here or there. */
  async function slicesAbove(upTo: Sql, filter: UsageFilter, group: UsageGroup) {
    const days = wholeDays(filter);
    const rest = notInSums(filter, days, upTo);
    const parts = [...(days ? [fromSums(filter, group, days)] : []), fromLedger(filter, group, rest)];
    const rows = await rawRows<SliceRow>(
      reader,
      parts.map(({ sql }) => sql).join(' UNION ALL '),
      parts.flatMap(({ values }) => values),
    );
    return rows.map(toSlice);
  }

  return {
    async slices(filter, group) {
      // PostgreSQL goes along an index only where it knows the number, which may change until it is asked.
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const upTo = await summedUpTo(reader);
        const slices = await slicesAbove({ sql: 'CAST(? AS bigint)', values: [upTo] }, filter, group);
        if ((await summedUpTo(reader)) === upTo) return slices;
      }
      return slicesAbove({ sql: UP_TO, values: [] }, filter, group);
    },

    addUp: () => addUpSome(db),
    questionsOf: (userId, since) => questionsOf(reader, userId, since),
  };
}

/** A run that another one started is a part of its question. */
async function questionsOf(db: Knex, userId: number, since: string): Promise<QuestionsAsked> {
  const own = 'runs.parent_run_id IS NULL';
  const [row] = (await db('usage_ledger')
    .leftJoin('runs', 'runs.id', 'usage_ledger.run_id')
    .where('usage_ledger.user_id', userId)
    .where('usage_ledger.created_at', '>=', since)
    .select(
      db.raw(`COUNT(DISTINCT CASE WHEN ${own} THEN run_id END) AS questions`),
      db.raw(`COUNT(DISTINCT CASE WHEN ${own} AND usage_ledger.cost IS NOT NULL THEN run_id END) AS priced`),
      db.raw('SUM(usage_ledger.prompt_tokens + usage_ledger.completion_tokens) AS tokens'),
      db.raw('SUM(usage_ledger.cost) AS cost'),
    )) as [Record<keyof QuestionsAsked, number | string | null>];
  const count = (value: number | string | null) => Number(value ?? 0);
  return {
    ...{ questions: count(row.questions), tokens: count(row.tokens) },
    ...{ priced: count(row.priced), cost: count(row.cost) },
  };
}

interface Days {
  /** Included. */
  readonly first: string;
  /** Not included. */
  readonly end: string;
}

const MIDNIGHT = 'T00:00:00.000Z';
const DAY_MS = 86_400_000;

/** The days that lie in it from their beginning to their end; undefined where there is none. */
function wholeDays({ since, before }: UsageFilter): Days | undefined {
  const day = since.slice(0, 10);
  const next = () => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const first = since === day + MIDNIGHT ? day : next();
  const end = before.slice(0, 10);
  return first < end ? { first, end } : undefined;
}

const TOKENS = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens', 'cost'];
const sumOf = (expression: string, name: string) => `sum(${expression}) AS ${name}`;

function fromSums(filter: UsageFilter, group: UsageGroup, { first, end }: Days): Sql {
  const { organizationId, userId, ownerId, askedBy } = filter;
  const byUser = group === 'user' || [userId, ownerId, askedBy].some((id) => id !== undefined);
  const { sql: narrowing, values } = all([
    { sql: 'day >= ? AND day < ?', values: [first, end] },
    ...narrowed(filter),
  ]);
  // Each reason to see a row goes along an index of its own; what an earlier one has found, a later one leaves out.
  const elsewhere =
    organizationId === undefined ? [] : [{ sql: 'organization_id <> ?', values: [organizationId] }];
  const others = userId === undefined ? [] : [{ sql: 'user_id <> ?', values: [userId] }];
  const reasons = [
    ...(organizationId === undefined ? [] : [{ sql: 'organization_id = ?', values: [organizationId] }]),
    ...(userId === undefined ? [] : [all([{ sql: 'user_id = ?', values: [userId] }, ...elsewhere])]),
    ...(ownerId === undefined ? [] : [all([owned(ownerId), ...elsewhere, ...others])]),
  ];
  const [one = { sql: 'organization_id IN (SELECT id FROM organizations)', values: [] }, ...more] = reasons;
  const table = byUser ? 'usage_user_days' : 'usage_days';
  const ways = [one, ...more].map((reason) => ({
    sql: `SELECT * FROM ${table} WHERE ${reason.sql} AND ${narrowing}`,
    values: [...reason.values, ...values],
  }));
  const columns = [
    ...TOKENS.map((name) => sumOf(name, name)),
    sumOf(group === 'model' ? 'model_runs' : 'runs', 'runs'),
    sumOf('runs', 'runs_in_all'),
    sumOf('unpriced_runs', 'unpriced_runs'),
    sumOf('charged_runs', 'charged_runs'),
  ];
  return {
    sql: `SELECT ${KEYS[group]} AS key, organization_id, currency, ${columns.join(', ')}
      FROM (${ways.map(({ sql }) => sql).join(' UNION ALL ')}) AS way GROUP BY 1, 2, 3`,
    values: ways.flatMap((way) => way.values),
  };
}

const ACTIVITIES_OF_COURSE = `SELECT lti_activities.id FROM lti_activities JOIN lti_courses
  ON lti_courses.platform_id = lti_activities.platform_id AND lti_courses.course_id = lti_activities.course_id
  WHERE lti_courses.id = ?`;

/** What of all that may be seen is asked for. */
function narrowed({ assistantId, activityId, courseId, askedBy }: UsageFilter): readonly Sql[] {
  return [
    ...(assistantId === undefined ? [] : [{ sql: 'assistant_id = ?', values: [assistantId] }]),
    ...(activityId === undefined ? [] : [{ sql: 'activity_id = ?', values: [activityId] }]),
    ...(courseId === undefined
      ? []
      : [{ sql: `activity_id IN (${ACTIVITIES_OF_COURSE})`, values: [courseId] }]),
    ...(askedBy === undefined ? [] : [{ sql: 'user_id = ?', values: [askedBy] }]),
  ];
}

/** Whatever is in no sum. */
function fromLedger(filter: UsageFilter, group: UsageGroup, rest: Sql): Sql {
  const { organizationId, userId, ownerId, since, before } = filter;
  const reasons = [
    ...(organizationId === undefined ? [] : [{ sql: 'organization_id = ?', values: [organizationId] }]),
    ...(userId === undefined ? [] : [{ sql: 'user_id = ?', values: [userId] }]),
    ...(ownerId === undefined ? [] : [owned(ownerId)]),
  ];
  const seen = all([
    { sql: 'created_at >= ? AND created_at < ?', values: [since, before] },
    ...narrowed(filter),
    ...(reasons.length === 0 ? [] : [any(reasons)]),
  ]);
  const columns = [
    ...TOKENS.map((name) => sumOf(name, name)),
    ...['runs', 'runs_in_all', 'unpriced_runs', 'charged_runs'].map((name) => sumOf(name, name)),
  ];
  return {
    sql: `SELECT key, organization_id, currency, ${columns.join(', ')} FROM (
        SELECT *, ${KEYS[group]} AS key, ${firstOf(KEYS[group])} AS runs, ${firstOf()} AS runs_in_all,
          ${firstOf(IS_UNPRICED, IS_UNPRICED)} AS unpriced_runs, ${firstOf(IS_CHARGED, IS_CHARGED)} AS charged_runs
        FROM (${callsOf(seen.sql, `(${rest.sql}) AS said`)}) AS said) AS said
      GROUP BY 1, 2, 3`,
    values: [...rest.values, ...seen.values],
  };
}

/** Rows that came since, are kept out of sums, were changed, or lie beside whole days; each once. */
function notInSums({ since, before }: UsageFilter, days: Days | undefined, upTo: Sql): Sql {
  const edges = days
    ? [
        [since, days.first + MIDNIGHT],
        [days.end + MIDNIGHT, before],
      ]
    : [[since, before]];
  const beside = edges.filter(([from = '', to = '']) => from < to);
  const parts = [
    `SELECT * FROM usage_ledger WHERE id > ${upTo.sql}`,
    'SELECT usage_ledger.* FROM usage_unsummed CROSS JOIN usage_ledger WHERE usage_ledger.id = ledger_id',
    `SELECT usage_ledger.* FROM usage_stale_days CROSS JOIN usage_ledger
      WHERE usage_ledger.organization_id = usage_stale_days.organization_id
        AND usage_ledger.created_at >= usage_stale_days.day AND usage_ledger.created_at < usage_stale_days.day || 'T24'`,
    ...beside.map(
      () => `SELECT * FROM usage_ledger WHERE organization_id IN (SELECT id FROM organizations)
        AND created_at >= ? AND created_at < ?`,
    ),
  ];
  return { sql: parts.join(' UNION '), values: [...upTo.values, ...beside.flat()] };
}

const owned = (ownerId: number): Sql => ({
  sql: 'assistant_id IN (SELECT id FROM assistants WHERE owner_id = ?)',
  values: [ownerId],
});

const joined = (parts: readonly Sql[], word: string): Sql => ({
  sql: `(${parts.map(({ sql }) => sql).join(` ${word} `)})`,
  values: parts.flatMap(({ values }) => values),
});
const all = (parts: readonly Sql[]) => joined(parts, 'AND');
const any = (parts: readonly Sql[]) => joined(parts, 'OR');

function toSlice(row: SliceRow): CountedSlice {
  return {
    key: row.key === 0 ? '' : String(row.key),
    organizationId: row.organization_id,
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    cachedTokens: Number(row.cached_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    runs: Number(row.runs),
    runsInAll: Number(row.runs_in_all),
    unpricedRuns: Number(row.unpriced_runs),
    chargedRuns: Number(row.charged_runs),
    ...bookedIn(row),
  };
}

export function bookedIn({
  cost,
  currency,
}: Pick<SliceRow, 'cost' | 'currency'>): Pick<UsageSlice, 'booked'> {
  return currency === '' ? {} : { booked: { amount: Number(cost), currency } };
}
