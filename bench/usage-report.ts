import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../db/open.js';
import { createUsageStore } from '../db/stores/usage.js';
import { USAGE_GROUPS, type UsageFilter } from '../src/core/runs/usage.js';
import { median } from './statistics.js';

/**
 * How long a report on half a million rows of the ledger takes, and how long it takes to add them up by day: a school of
 * 2,000 people with 60 assistants, of whom 300 ask on a day.
 *
 *   npx tsx bench/usage-report.ts [postgres://…]
 *
 * The address is that of an empty database and a superuser.
 */

const ROWS = 500_000;
const DAYS = 365;
const PEOPLE = 2_000;
const A_DAY = 300;
const ROUNDS = 7;
const ROWS_AT_ONCE = 400;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2025-01-01');

const url = process.argv[2];
const home = await mkdtemp(join(tmpdir(), 'bellwether-usage-'));
const db = await openDb(
  url === undefined ? { kind: 'sqlite', file: join(home, 'usage.db') } : { kind: 'postgres', url },
);
const usage = createUsageStore(db);

/** Two calls for each run. */
function aRow(i: number, organization_id: number) {
  const run = Math.floor(i / 2);
  const day = Math.floor((i * DAYS) / ROWS);
  const user_id = 1 + ((day * 37 + (run % A_DAY) * 7) % PEOPLE);
  const assistant_id = 1 + (user_id % 20) * 3 + (run % 3);
  return {
    ...{ run_id: `run_${String(run)}`, organization_id, user_id, assistant_id },
    activity_id: assistant_id % 3 === 0 ? null : assistant_id,
    ...{ connector: 'openai', model: `model-${String(assistant_id % 4)}` },
    ...{ prompt_tokens: 700 + (i % 100), completion_tokens: 120, estimated: false },
    ...{ cached_tokens: 0, reasoning_tokens: 0, cost: 177_000 + i, currency: 'EUR' },
    created_at: new Date(FIRST_DAY + Math.floor((i * DAYS * DAY_MS) / ROWS)).toISOString(),
  };
}

async function fill(): Promise<number> {
  const at = new Date(FIRST_DAY).toISOString();
  const [row] = await db('organizations')
    .insert({
      slug: 'school',
      name: 'School',
      is_system: false,
      config: '{}',
      created_at: at,
      updated_at: at,
    })
    .returning<{ id: number }[]>('id');
  const id = row?.id ?? 0;
  await db.transaction(async (trx) => {
    // People and assistants are not looked for: a report has no names yet.
    await trx.raw(
      url === undefined ? 'PRAGMA defer_foreign_keys = ON' : 'SET LOCAL session_replication_role = replica',
    );
    for (let i = 0; i < ROWS; i += ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, n) => aRow(i + n, id));
      await trx('usage_ledger').insert(rows);
    }
  });
  if (url !== undefined) await db.raw('ANALYZE');
  return id;
}

const until = (days: number) => {
  const before = new Date(FIRST_DAY + DAYS * DAY_MS);
  return { since: new Date(before.getTime() - days * DAY_MS).toISOString(), before: before.toISOString() };
};

async function report(organizationId: number): Promise<void> {
  const filters: Record<string, UsageFilter> = {
    '30 days': { organizationId, ...until(30) },
    'a year': { organizationId, ...until(DAYS) },
    'a year of one person': { userId: 7, ownerId: 7, ...until(DAYS) },
  };
  for (const [period, filter] of Object.entries(filters)) {
    const figures = [];
    for (const group of USAGE_GROUPS)
      figures.push(`${group} ${await timed(() => usage.slices(filter, group))}`);
    process.stdout.write(`${period}: ${figures.join(', ')}\n`);
  }
}

async function timed(task: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await task();
    times.push(performance.now() - began);
  }
  return `${median(times).toFixed(1)} ms`;
}

try {
  if (url === undefined) await db.raw('PRAGMA foreign_keys = OFF');
  const organization = await fill();
  const parts: number[] = [];
  for (let more = true; more;) {
    const began = performance.now();
    more = await usage.addUp();
    if (more) parts.push(performance.now() - began);
  }
  const whole = parts.reduce((sum, ms) => sum + ms, 0) / 1_000;
  process.stdout.write(
    `added up in ${whole.toFixed(1)} s, in ${String(parts.length)} parts, the longest ${Math.max(...parts).toFixed(0)} ms\n`,
  );
  if (url !== undefined) await db.raw('ANALYZE');
  await report(organization);
} finally {
  await db.destroy();
  await rm(home, { recursive: true, force: true });
}
