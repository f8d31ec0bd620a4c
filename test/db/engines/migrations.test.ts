import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import { isPostgres, rawRows } from '../../../db/query/raw-rows.js';
import { createMigrationSource } from '../../../db/schema-version.js';
import { BASELINE } from '../../../db/squashed-migrations.js';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const TABLES = [
  'organizations',
  'users',
  'api_keys',
  'sessions',
  'assistants',
  'assistant_versions',
  'assistant_shares',
  'conversations',
  'messages',
  'runs',
  'run_steps',
  'usage_ledger',
  'audit',
  'lti_platforms',
  'lti_keys',
  'lti_people',
  'lti_activities',
  'lti_activity_assistants',
  'lti_participants',
  'lti_consents',
  'lti_sessions',
  'lti_erasures',
  'lti_submissions',
  'one_time_tickets',
  'collections',
  'documents',
  'editions',
  'sections',
  'passages',
  'term_counts',
  'passage_vectors',
  'vector_pages',
];

describeOnEachEngine('migrations', (open, target, migrated) => {
  it('go down and up again, those of after the baseline and then all of them, and take no table, trigger or index with them', async () => {
    const db = await openDb(await target());
    const what = async () => ({ tables: await tablesIn(db), others: await triggersAndIndexesIn(db) });

    const before = await what();
    while ((await db('knex_migrations').whereNot('name', BASELINE)).length > 0) await db.migrate.down();
    await db.migrate.latest();
    const after = await what();
    await db.migrate.rollback(undefined, true);
    const down = await tablesIn(db);
    await db.migrate.latest();
    const upAgain = await what();
    await db.destroy();

    expect(before.tables).to.have.members(TABLES);
    expect(before.others).to.be.an('array').that.is.not.empty;
    expect(after, 'from the baseline on').to.deep.equal(before);
    expect(down).to.deep.equal([]);
    expect(upAgain, 'from nothing').to.deep.equal(before);
  });

  it('are recorded without a file ending, so that sources and build agree', async () => {
    const db = await open();

    const names = await db('knex_migrations').orderBy('id').pluck<string[]>('name');

    expect(names).to.have.length.above(0);
    for (const name of names) expect(name).to.match(/^\d{14}_[a-z_]+$/);
  });

  it('keep what is there when the database is opened again', async () => {
    const place = await migrated();
    const first = await openDb(place);
    await aUser(storesOn(first), { email: 'ada@example.org' });
    await first.destroy();

    const second = await openDb(place);
    const found = await storesOn(second).users.byEmail('ada@example.org');
    await second.destroy();

    expect(found?.name).to.equal('Ada');
  });

  it('run once when several processes start at the same time', async () => {
    const place = await target();

    // This is the third of them.
    const processes = [1, 2].map(() => run('open', place));
    const [db, ...outputs] = await Promise.all([openDb(place), ...processes.map(outcomeOf)]);
    const own = (await db('knex_migrations')).length;
    await db.destroy();

    const count = (await createMigrationSource().getMigrations([])).length;
    expect(outputs).to.deep.equal(processes.map(() => `migrations: ${String(count)}\n`));
    expect(own).to.equal(count);
  });

  it('do not wait for ever on a process that was killed half-way', async () => {
    const place = await target();
    const holder = run('hold', place);
    await once(createInterface({ input: holder.stdout }), 'line');

    const opening = openDb(place);
    holder.kill('SIGKILL');
    const db = await opening;

    expect(await db.schema.hasTable('half_done')).to.equal(false);
    expect(await tablesIn(db)).to.have.members(TABLES);
    await db.destroy();
  });

  it("are not stopped by a lock row of knex's own that was left behind", async () => {
    const place = await migrated();
    const before = await openDb(place);
    await before('knex_migrations_lock').update({ is_locked: 1 });
    await before.destroy();

    const db = await openDb(place);

    expect(await tablesIn(db)).to.have.members(TABLES);
    await db.destroy();
  });

  it('leave foreign keys enforced', async () => {
    const db = await open();

    const outcome = await db('api_keys')
      .insert({ user_id: 404, name: 'n', prefix: 'p', hash: 'h', created_at: 'now' })
      .catch(() => 'refused');

    expect(outcome).to.equal('refused');
  });

  it('read counts as numbers', async () => {
    const db = await open();

    const [row] = (await db('users').count({ people: '*' })) as [{ people: unknown }];

    expect(row.people).to.equal(0);
  });
});

describe('a database file', () => {
  it('is private, in WAL mode, and synced at every commit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellwether-sqlite-'));
    const file = join(folder, 'test.db');
    const db = await openDb({ kind: 'sqlite', file });

    const [journal] = (await db.raw('PRAGMA journal_mode')) as [{ journal_mode: string }];
    const [synchronous] = (await db.raw('PRAGMA synchronous')) as [{ synchronous: number }];
    const [waiting] = (await db.raw('PRAGMA busy_timeout')) as [{ timeout: number }];
    const { mode } = await stat(file);
    await db.destroy();
    await rm(folder, { recursive: true });

    expect([journal.journal_mode, synchronous.synchronous, waiting.timeout]).to.deep.equal(['wal', 2, 5000]);
    expect(mode & 0o777).to.equal(0o600);
  });
});

async function tablesIn(db: Knex): Promise<string[]> {
  const found = await Promise.all(
    TABLES.map(async (table) => ((await db.schema.hasTable(table)) ? [table] : [])),
  );
  return found.flat();
}

async function triggersAndIndexesIn(db: Knex): Promise<string[]> {
  const asked = isPostgres(db)
    ? `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()`
    : `SELECT name FROM sqlite_master WHERE type IN ('trigger', 'index')`;
  const rows = await rawRows<{ readonly name: string }>(db, asked, []);
  return rows.map(({ name }) => name).sort();
}

type Child = ChildProcessByStdio<null, Readable, null>;

const SCRIPT = fileURLToPath(new URL('./migrating-process.mjs', import.meta.url));

function run(task: 'open' | 'hold', target: DatabaseTarget): Child {
  return spawn(process.execPath, [SCRIPT, task, JSON.stringify(target)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Each connection that waits for its turn occupies a thread; the one whose turn it is needs one too.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
  });
}

async function outcomeOf(child: Child): Promise<string> {
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output;
}
