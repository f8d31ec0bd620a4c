import type { Knex } from 'knex';
import { openDb } from '../db/open.js';
import { createRunMonthStore } from '../db/stores/runs/months.js';
import { createRunStore } from '../db/stores/runs.js';
import { createUsageStore } from '../db/stores/usage.js';
import { newRunId } from '../src/core/base/ids.js';
import type { RunRecord, RunStep } from '../src/core/runs/record.js';
import { median } from './statistics.js';

/**
 * What runs by months cost on PostgreSQL: the same rows in one table each, and in partitions of 24 months. The two are asked by
 * turns, so that what else the machine does falls on both.
 *
 *   npx tsx bench/run-months.ts postgres://…/one postgres://…/months
 *
 * The addresses are those of two empty databases.
 */

const RUNS = 240_000;
const MONTHS = 24;
const ASKED = 100;
const ROUNDS = 9;
const MIGRATION = '20261116001600_runs_by_month';

/** Over the months that begin with the next one, so that each of them can have a partition. */
const FILL = `
  CREATE TEMP TABLE made AS
    SELECT i, 'run_' || regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-')
        || '-7' || substr(gen_random_uuid()::text, 16) AS id,
      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM generate_series(0, ${String(RUNS - 1)}) AS i, LATERAL (
      SELECT date_trunc('month', now(), 'UTC') + interval '1 month' + i * interval '${String(MONTHS)} months' / ${String(RUNS)} AS at
    ) AS times;
  INSERT INTO runs (id, assistant_version, organization_id, user_id, via, status, started_at, ms, iterations, capped,
      prompt_tokens, completion_tokens, estimated)
    SELECT id, 1, 1, 1, 'api-key', 'completed', at, 900, 1, false, 700, 120, false FROM made ORDER BY i;
  INSERT INTO run_steps (run_id, position, kind, ok, started_at, ms, iteration, input_chars, input_sha256, output_chars, output_sha256)
    SELECT id, position, 'tool', true, at, 100, 1, 100, repeat('a', 64), 100, repeat('b', 64)
    FROM made, generate_series(0, 1) AS position ORDER BY i;
  INSERT INTO usage_ledger (run_id, organization_id, user_id, connector, model, prompt_tokens, completion_tokens, estimated, created_at)
    SELECT id, 1, 1, 'openai', 'model', 700, 120, false, at FROM made ORDER BY i;`;

const text = { chars: 100, sha256: 'a'.repeat(64) };

function aRun(): RunRecord {
  const startedAt = new Date().toISOString();
  const usage = { promptTokens: 700, completionTokens: 120 };
  const step: RunStep = { kind: 'tool', ok: true, startedAt, ms: 1, iteration: 1, input: text, output: text };
  return {
    ...{ id: newRunId(), parentRunId: undefined, conversationId: undefined, activityId: undefined },
    ...{ assistantId: undefined, assistantVersion: 1, organizationId: 1, userId: 1, via: 'api-key' },
    ...{ status: 'completed', errorCode: undefined, startedAt, ms: 1, iterations: 1, capped: false, usage },
    steps: [{ ...step, kind: 'model', connector: 'openai', model: 'model', usage }, step],
  };
}

async function fill(db: Knex): Promise<readonly string[]> {
  const at = new Date().toISOString();
  const times = { created_at: at, updated_at: at };
  await db('organizations').insert({
    ...{ id: 1, slug: 'school', name: 'School', is_system: false, config: '{}' },
    ...times,
  });
  await db('users').insert({
    ...{ id: 1, organization_id: 1, email: 'ada@example.org', name: 'Ada', role: 'creator' },
    ...times,
  });
  await db.raw(FILL);
  await db.raw('ANALYZE');
  while (await createUsageStore(db).addUp());
  return db('runs').orderBy('id').pluck<string[]>('id');
}

async function oneTable(url: string): Promise<Knex> {
  const db = await openDb({ kind: 'postgres', url });
  while ((await db('knex_migrations').where('name', MIGRATION)).length > 0) await db.migrate.down();
  // The sums of before had no such thing; what asks for it is the same on both sides.
  await db.raw(`ALTER TABLE usage_summing ADD COLUMN closed_before text NOT NULL DEFAULT ''`);
  return db;
}

async function byMonths(url: string): Promise<Knex> {
  const db = await openDb({ kind: 'postgres', url });
  const now = new Date();
  for (let month = 0; month < MONTHS; month += 1)
    await createRunMonthStore(db).makeAhead(
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month)),
    );
  return db;
}

async function side(db: Knex) {
  const [runs, usage, ids] = [createRunStore(db), createUsageStore(db), await fill(db)];
  const aYear = {
    since: `${String(new Date().getUTCFullYear() + 1)}-01-01T00:00:00.000Z`,
    organizationId: 1,
  };
  const before = `${String(new Date().getUTCFullYear() + 2)}-01-01T00:00:00.000Z`;
  const questions: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
    'a run by its id': (i) => runs.get(ids[(i * 7919) % ids.length] ?? ''),
    'a page of an organisation': () => runs.list({ organizationId: 1 }, { limit: 50 }),
    'a page of a person and their assistants': () => runs.list({ userId: 1, ownerId: 1 }, { limit: 50 }),
    'a page of all': () => runs.list({}, { limit: 50 }),
    'a report of a year by day': () => usage.slices({ ...aYear, before }, 'day'),
    'a chat on record': () => runs.record(aRun()),
  };
  return questions;
}

async function timed(ask: (i: number) => Promise<unknown>, from: number): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < ASKED; i += 1) await ask(from + i);
  return (performance.now() - begun) / ASKED;
}

const [one = '', months = ''] = process.argv.slice(2);
const databases = [await oneTable(one), await byMonths(months)];
const sides = [];
for (const db of databases) sides.push(await side(db));
const [table, partitions] = sides;
for (const what of Object.keys(table ?? {})) {
  const times: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [table?.[what], partitions?.[what]];
    if (a && b) times.push([await timed(a, round * ASKED), await timed(b, round * ASKED)]);
  }
  const of = (side: 0 | 1) => median(times.map((pair) => pair[side])).toFixed(2);
  const ratio = median(times.map(([before, after]) => after / before)).toFixed(2);
  console.log(`${what}: ${of(0)} ms in one table, ${of(1)} ms in months, ${ratio} times as much`);
}
for (const db of databases) await db.destroy();
