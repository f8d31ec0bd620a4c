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
const DAYS = 336;
const PEOPLE = 2_000;
const A_DAY = 300;
const ROUNDS = 7;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2025-01-01');

const url = process.argv[2];
const home = await mkdtemp(join(tmpdir(), 'bellwether-usage-'));
const db = await openDb(
  url === undefined ? { kind: 'sqlite', file: join(home, 'usage.db') } : { kind: 'postgres', url },
);
const usage = createUsageStore(db);

const DAY = `(i * ${String(DAYS)} / ${String(ROWS)})`;
const SECOND = `(i * ${String(DAYS * 86_400)} / ${String(ROWS)} % 86400)`;
const USER = `(1 + (${DAY} * 37 + (i / 2 % ${String(A_DAY)}) * 7) % ${String(PEOPLE)})`;
const ASSISTANT = `(1 + ${USER} % 20 * 3 + i / 2 % 3)`;
const two = (value: string) => `substr(CAST(100 + (${value}) AS TEXT), 2)`;
const DATE = `'2025-' || ${two(`1 + ${DAY} / 28`)} || '-' || ${two(`1 + ${DAY} % 28`)}`;
const TIME = [`${SECOND} / 3600`, `${SECOND} / 60 % 60`, `${SECOND} % 60`].map(two).join(" || ':' || ");

/** Two calls for each run, in twelve months of 28 days; SQL that both databases understand. */
const ledger = (organization: number) => `
  INSERT INTO usage_ledger (run_id, organization_id, user_id, assistant_id, activity_id, connector, model, prompt_tokens,
    completion_tokens, estimated, cost, currency, created_at)
  WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${String(ROWS - 1)})
  SELECT 'run_' || (i / 2), ${String(organization)}, ${USER}, ${ASSISTANT}, ${ASSISTANT}, 'openai', 'model-' || (${ASSISTANT} % 4),
    700 + i % 100, 120, (i < 0), 177000 + i, 'EUR', ${DATE} || 'T' || ${TIME} || '.000Z' FROM n`;

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
  // People and assistants are not looked for: a report has no names yet.
  if (url === undefined) await db.raw('PRAGMA foreign_keys = OFF');
  await db.transaction(async (trx) => {
    if (url !== undefined) await trx.raw('SET LOCAL session_replication_role = replica');
    await trx.raw(ledger(id));
  });
  if (url !== undefined) await db.raw('ANALYZE');
  return id;
}

const until = (days: number) => {
  const before = new Date(Date.parse('2025-12-29'));
  return { since: new Date(before.getTime() - days * DAY_MS).toISOString(), before: before.toISOString() };
};

async function report(organizationId: number): Promise<void> {
  const filters: Record<string, UsageFilter> = {
    '30 days': { organizationId, ...until(30) },
    'a year': { organizationId, ...until(365) },
    'a year of one person': { userId: 7, ownerId: 7, ...until(365) },
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
