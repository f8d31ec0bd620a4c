import { expect } from 'chai';
import type { Knex } from 'knex';
import { copyDatabase, type CopyJob } from '../../../db/copy/copy.js';
import { NOT_COPIED } from '../../../db/copy/derived.js';
import { planCopy } from '../../../db/copy/plan.js';
import { openTarget } from '../../../db/copy/sides.js';
import { tablesIn } from '../../../db/copy/tables.js';
import { openAsItIs, openDb } from '../../../db/open.js';
import { rawRows } from '../../../db/query/raw-rows.js';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const NOWHERE = { kind: 'folder', dataDir: 'nowhere' } as const;

const QUIET: Omit<CopyJob, 'from' | 'to'> = {
  blobs: { from: NOWHERE, to: NOWHERE },
  onProgress: () => undefined,
  warn: () => undefined,
  signal: new AbortController().signal,
};

const copy = (from: DatabaseTarget, to: DatabaseTarget) => copyDatabase({ ...QUIET, from, to });

async function within<T>(place: DatabaseTarget, work: (db: Knex) => PromiseLike<T>): Promise<T> {
  const db = await openDb(place);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Where an open database is. */
function placeOf(db: Knex): DatabaseTarget {
  const { connection } = (db.client as Knex.Client).config as {
    readonly connection: { readonly filename?: string; readonly connectionString?: string };
  };
  const { filename, connectionString = '' } = connection;
  return filename === undefined
    ? { kind: 'postgres', url: connectionString }
    : { kind: 'sqlite', file: filename };
}

const refusalOf = (from: DatabaseTarget, to: DatabaseTarget) =>
  copy(from, to).then(
    () => 'copied',
    (fault: unknown) => (fault as Error).message,
  );

/** What the engines keep in different ways, and what the text format of COPY has a meaning for. */
const TEXTS = ['', '\\N', '\\.', 'a\tb\\tc\r\nd', '\'"', '\u{1F600} é', '{"b": 1, "a": [true]}', ' '];
const LARGE = '9007199254740993';
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** Rows of every kind of column, by the front of the stores where there is one. */
async function fill(db: Knex): Promise<void> {
  const { id } = await aUser(storesOn(db));
  for (const [place, text] of TEXTS.entries())
    await db('audit').insert({
      ...{ action: 'x', resource: text, outcome: 'done', reason: text, created_at: String(place) },
    });
  await db('runs').insert({
    ...{ id: 'run', assistant_id: null, assistant_version: 0, organization_id: 1, user_id: id, via: 'api' },
    ...{ status: 'completed', started_at: '2026', ms: 1, iterations: 0, capped: true, estimated: false },
    ...{ prompt_tokens: 1, completion_tokens: 1 },
  });
  await db('run_steps').insert({
    ...{ run_id: 'run', position: 0, kind: 'model', ok: true, started_at: '2026', ms: 1, iteration: 0 },
    ...{ input_chars: 0, input_sha256: '', output_chars: 0, output_sha256: '' },
    cost: db.raw(LARGE),
  });
  await db('vector_pages').insert({ edition: 1, model: 'm', packed: BYTES });
  await db('test_question_runs').insert({
    ...{
      collection_seq: 1,
      at: '2026',
      reason: 'asked',
      top_k: 5,
      asked: 3,
      found: 1,
      mrr: 1 / 3,
      ranks: '{}',
    },
  });
  // The last number was given and taken away again.
  await db('audit')
    .where({ created_at: String(TEXTS.length - 1) })
    .delete();
}

const oddRows = (db: Knex) =>
  Promise.all([
    db('audit').orderBy('id').select('id', 'resource', 'created_at'),
    rawRows(db, 'SELECT CAST(cost AS text) AS cost FROM run_steps', []),
    db('vector_pages')
      .pluck<Buffer[]>('packed')
      .then(([packed]) => packed?.equals(BYTES)),
    db('runs')
      .select('capped', 'estimated')
      .then(([row]) => [Boolean(row.capped), Boolean(row.estimated)]),
    db('test_question_runs')
      .pluck<number[]>('mrr')
      .then(([mrr = 0]) => Math.fround(mrr)),
  ]);

describeOnEachEngine('a copy from', (openSource) => {
  describeOnEachEngine('to', (_openTarget, target) => {
    it('brings every value over as it was, and numbers of rows are not given a second time', async () => {
      const [source, to] = [await openSource(), await target()];
      await fill(source);

      const { copied } = await copy(placeOf(source), to);

      expect(copied).to.be.greaterThan(TEXTS.length);
      await within(to, async (db) => {
        expect(await oddRows(db)).to.deep.equal(await oddRows(source));
        const entry = { action: 'x', resource: '', outcome: 'done', reason: '', created_at: '' };
        const [next] = await db('audit').insert(entry).returning<{ id: number }[]>('id');
        expect(next?.id).to.equal(TEXTS.length + 1);
      });
    });
  });
});

describeOnEachEngine('a copy', (open, target) => {
  it('has every table and column of the schema, or a reason why not', async () => {
    const db = await open();
    const tables = await tablesIn(db);

    const pairs = planCopy(tables, tables);

    const copied = pairs.flatMap(({ source }) => source.columns.map(({ name }) => `${source.name}.${name}`));
    const all = [...tables.values()].flatMap(({ name, columns }) =>
      [...columns.keys()].map((column) => `${name}.${column}`),
    );
    const left = all.filter((column) => !copied.includes(column));
    const isReasoned = (column: string) => column in NOT_COPIED || (column.split('.')[0] ?? '') in NOT_COPIED;
    expect(copied.length).to.be.greaterThan(300);
    expect(left.filter((column) => !isReasoned(column))).to.deep.equal([]);
  });

  it('refuses a target that holds something else, says what to do, and changes nothing there', async () => {
    const [source, other] = [await open(), await open()];
    await fill(source);
    await aUser(storesOn(other));

    const refusal = await refusalOf(placeOf(source), placeOf(other));

    expect(refusal).to.match(
      /^The target holds other data than the source: .* Copy into a database that is empty/,
    );
    expect(await other('users')).to.have.length(1);
  });

  it('refuses to look in a folder for files that are in object storage, before anything is copied', async () => {
    const [source, other] = [await open(), await open()];
    const { id } = await aUser(storesOn(source));
    const at = new Date().toISOString();
    const key = `${String(id)}/one`;
    await source('file_blobs').insert({ key, owner_id: id, size: 1, state: 'named', changed_at: at });
    const name = { path: 'notes.md', folded: 'notes.md', size: 1, updated_at: at };
    await source('files').insert({ owner_id: id, ...name, blob: key });
    const blobs = { from: NOWHERE, to: { kind: 'folder', dataDir: 'elsewhere' } } as const;
    const [from, to] = [placeOf(source), placeOf(other)];

    const refusal = await copyDatabase({ ...QUIET, from, to, blobs }).catch((fault: unknown) => fault);

    expect((refusal as Error).message).to.match(/are in object storage\. Say where: --from-blobs/);
    expect(await other('users')).to.deep.equal([]);
  });

  it('refuses a source that is none of ours, newer, or older', async () => {
    const [from, to] = [await target(), await target()];
    const db = await openAsItIs(from);
    await db.schema.createTable('letters', (table) => table.increments());
    const refusals = [await refusalOf(from, to)];
    await db.schema.dropTable('letters');
    await (await openDb(from)).destroy();
    const later = { name: '20991231235900_later', batch: 2, migration_time: new Date() };
    await db('knex_migrations').insert(later);
    refusals.push(await refusalOf(from, to));
    await db('knex_migrations').where('name', '>', '20261116000200').delete();
    refusals.push(await refusalOf(from, to));
    await db.destroy();

    expect(refusals[0]).to.match(/is no database of Bellwether/);
    expect(refusals[1]).to.match(/is of a newer version/);
    expect(refusals[2]).to.match(/is of an older version\. Start it once with this version/);
  });

  it('that was not finished lets no service start on it, and no other source go on with it', async () => {
    const [source, other, to] = [await open(), await open(), await target()];
    await fill(source);
    await fill(other);
    const stop = new AbortController();
    const onProgress = () => {
      stop.abort(new Error('enough'));
    };

    await copyDatabase({ ...QUIET, from: placeOf(source), to, signal: stop.signal, onProgress }).catch(
      () => undefined,
    );

    const started = await openDb(to).catch((fault: unknown) => (fault as Error).message);
    expect(started).to.match(/a copy that is not whole yet\. Run the same "npm run db:copy" again/);
    expect(await refusalOf(placeOf(other), to)).to.match(/an unfinished copy of another source/);
    await copy(placeOf(source), to);
    expect(await within(to, (db) => db('users'))).to.have.length(1);
  });

  it('is refused beside another into the same target, and made once that one is over', async () => {
    const [source, to] = [await open(), await target()];
    await fill(source);
    const first = await openTarget(to);

    const beside = await refusalOf(placeOf(source), to);
    await first.close();

    expect(beside).to.equal(
      'Another process copies into the same target. Let it finish, then run this again.',
    );
    expect(await refusalOf(placeOf(source), to)).to.equal('copied');
  });

  it('waits for a moment for another that is at its end, as one whose process was killed', async () => {
    const [source, to] = [await open(), await target()];
    await fill(source);
    const first = await openTarget(to);

    const beside = refusalOf(placeOf(source), to);
    if (to.kind === 'postgres') await within(to, waitsForLock);
    await first.close();

    expect(await beside).to.equal('copied');
  });
});

const waitsForLock = async (db: Knex): Promise<void> => {
  const waiting = await db('pg_locks').where({ locktype: 'advisory', granted: false });
  if (waiting.length === 0) await waitsForLock(db);
};
