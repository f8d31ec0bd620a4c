import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { createStores } from '../../../db/stores.js';
import type { Source, SourceContent } from '../../../src/core/knowledge/source.js';
import type { Stores } from '../../../src/core/stores.js';
import { fitsPattern } from '../../../src/knowledge/sources/file-patterns.js';
import type { SourceReader } from '../../../src/knowledge/sources/reader.js';
import {
  createSourceRuns,
  type SourceRunDeps,
  type SourceRuns,
} from '../../../src/knowledge/sources/source-runs.js';
import { catalogue } from '../../db/fixtures.js';
import { aCollection, ALL } from '../../db/knowledge/library.js';
import { until } from '../../http/support/collection-client.js';
import { describeOnEachEngine } from '../../support/databases.js';

const CONTENT: SourceContent = {
  name: 'Notes',
  settings: { kind: 'web', url: 'https://example.org/', sitemap: true },
  token: undefined,
  schedule: 'off',
};
const LIMITS = { items: 10, pages: 10, bytes: 100, runBytes: 150, runMs: 60_000 };

/** Brings its items one by one, each with its name for its bytes unless told otherwise. */
function readerOf(
  files: Readonly<Record<string, string>>,
  before: (key: string) => Promise<void> = () => Promise.resolve(),
): SourceReader {
  return {
    list: () =>
      Promise.resolve({
        items: Object.entries(files).map(([key, text]) => ({ key, name: key, version: text })),
        skipped: 0,
      }),
    async *bring(wanted) {
      for (const item of wanted) {
        await before(item.key);
        const bytes = [Buffer.from(files[item.key] ?? '')];
        yield { item, outcome: 'brought', name: item.name, version: item.version, bytes: stream(bytes) };
      }
    },
  };
}

async function* stream(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield* parts;
}

describeOnEachEngine('runs of sources', (open) => {
  let db: Knex;
  let stores: Stores;
  let folder: string;
  let collectionId: string;
  let opened: SourceRuns[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-sources-'));
    db = await open();
    stores = createStores(db, {
      ...{ filesFolder: 'unused', documentsFolder: folder, attachmentsFolder: 'unused' },
      catalogue,
    });
    ({ id: collectionId } = await aCollection(stores));
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((runs) => runs.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  const start = (reader: SourceReader, more: Partial<SourceRunDeps> = {}) => {
    const silent = () => undefined;
    const runs = createSourceRuns({
      ...{ ...stores, nudge: silent, limits: LIMITS, readerOf: () => Promise.resolve(reader) },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      ...more,
    });
    opened.push(runs);
    runs.start();
    return runs;
  };
  const make = async (changes: Partial<SourceContent> = {}): Promise<Source> =>
    (await stores.sources.create(collectionId, { ...CONTENT, ...changes }))!;
  const ended = async ({ id }: Source) =>
    (await until(
      async () => (await stores.sources.get(collectionId, id))?.lastRun,
      (run) => run !== undefined && run.status !== 'running',
    ))!;
  const names = async () =>
    (await stores.documents.list(collectionId, {}, ALL)).data.map(({ filename }) => filename).sort();

  it('are taken over from a process that fell silent, and nothing is brought twice', async () => {
    const source = await make();
    let reached: () => void = () => undefined;
    const isAtSecond = new Promise<void>((resolve) => (reached = resolve));
    const files = { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' };
    let find: () => void = () => undefined;
    const isFound = new Promise<void>((resolve) => (find = resolve));
    // It says nothing while it is held up over the second.
    const dying = readerOf(files, (key) => {
      if (key !== 'b.md') return Promise.resolve();
      reached();
      return isFound;
    });
    const silent = createSourceRuns({
      ...{ ...stores, nudge: () => undefined, limits: LIMITS, readerOf: () => Promise.resolve(dying) },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      pace: { beatMs: 600_000 },
    });
    silent.start();
    await isAtSecond;
    await db('sources').update({ lease_until: new Date(0).toISOString() });

    start(readerOf(files));
    const run = await ended(source);
    // It wakes up again, when the work is somebody else's.
    find();
    await silent.stop();

    expect(await names()).to.deep.equal(['a.md', 'b.md', 'c.md']);
    expect(run).to.include({ status: 'done', done: 3, total: 3 });
    expect((await stores.sources.runs(collectionId, source.id, ALL)).data).to.have.length(1);
  });

  it('begin by themselves when they are due, without anybody asking', async () => {
    const source = await make({ schedule: 'hourly' });
    await db('sources').update({ next_run_at: new Date(Date.now() + 100).toISOString() });

    start(readerOf({ 'a.md': 'a' }));
    const { outcome, startedAt } = await ended(source);
    const after = await stores.sources.get(collectionId, source.id);

    expect(outcome).to.include({ added: 1 });
    expect(Date.parse(after?.nextRunAt ?? '') - Date.parse(startedAt)).to.equal(3_600_000);
  });

  it('are begun by a process that had nothing to run and could not ask for more, when the one they were given to is gone', async () => {
    let looked: () => void = () => undefined;
    const hasLooked = new Promise<void>((resolve) => (looked = resolve));
    const sources = {
      ...stores.sources,
      nextDue() {
        looked();
        return Promise.reject(new Error('The database is away.'));
      },
    };
    start(readerOf({ 'a.md': 'a' }), { sources, pace: { mostMs: 20 } });
    await hasLooked;

    const run = await ended(await make());

    expect(run.status).to.equal('done');
  });

  it('go on with what is left when a service that stops has given them back', async () => {
    const source = await make();
    let reached: () => void = () => undefined;
    const isAtSecond = new Promise<void>((resolve) => (reached = resolve));
    const files = { 'a.md': 'a', 'b.md': 'b' };
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const stopping = start(
      readerOf(files, (key) => {
        if (key === 'a.md') return Promise.resolve();
        reached();
        return gate;
      }),
    );
    await isAtSecond;
    const stopped = stopping.stop();
    goOn();
    await stopped;
    const left = await stores.sources.get(collectionId, source.id);

    start(readerOf(files));
    const { outcome } = await ended(source);

    expect(left?.lastRun?.status).to.equal('running');
    expect(await names()).to.deep.equal(['a.md', 'b.md']);
    expect(outcome.failed).to.deep.equal([]);
  });

  it('end at the bytes and the number that one may bring; what is too large alone is named', async () => {
    const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.md`, name.repeat(90)]));
    const full = await make();
    const first = start(readerOf({ '0.md': 'x'.repeat(101), ...files }));
    const run = await ended(full);
    await first.stop();
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`${String(n)}.md`, `text ${String(n)}`]),
    );
    await stores.sources.want(collectionId, full.id);
    start(readerOf(many));
    const cut = await until(
      () => ended(full),
      ({ id }) => id !== run.id,
    );

    expect(run).to.deep.include({
      status: 'failed',
      error: {
        message: 'This run has brought as much as one may. The next one goes on with the rest.',
        code: 'run_full',
      },
    });
    expect(run.outcome).to.deep.include({
      added: 2,
      failed: [{ name: '0.md', reason: 'The file is larger than 100 bytes.', code: 'too_large' }],
    });
    // Of a list that is not whole nothing follows for what is not on it.
    expect(cut.outcome).to.include({ removed: 0, added: 10 });
    expect(cut.error?.message).to.contain('It has 12 documents, and 10 are taken at most.');
    expect(cut.error).to.deep.include({ code: 'too_many_documents', values: ['12', '10'] });
  });

  it('are given up over what ends the service again and again', async () => {
    const source = await make();
    for (let n = 0; n < 3; n++) await stores.sources.claim({ ms: -1 });

    start(readerOf({ 'a.md': 'a' }));
    const run = await ended(source);

    expect(run).to.include({ status: 'failed' });
    expect(run.error?.message).to.contain('the service ended 3 times');
  });
});

describe('patterns of files', () => {
  it('fit names in any folder, or paths from the beginning', () => {
    const fit = (pattern: string) =>
      ['a.md', 'x/a.md', 'x/y/b.MD', 'x/a.txt'].filter((path) => fitsPattern(path, pattern));

    expect(fit('*.md')).to.deep.equal(['a.md', 'x/a.md', 'x/y/b.MD']);
    expect(fit('x/*.md')).to.deep.equal(['x/a.md']);
    expect(fit('x/**/*.md')).to.deep.equal(['x/a.md', 'x/y/b.MD']);
    expect(fit('**/?.txt')).to.deep.equal(['x/a.txt']);
    expect(fit('**')).to.have.length(4);
  });

  it('take no time to speak of, whatever is made of them', () => {
    const began = performance.now();

    expect(fitsPattern('a'.repeat(200), `${'*a'.repeat(90)}b`)).to.equal(false);
    expect(fitsPattern('a/'.repeat(90), `${'**/a/'.repeat(40)}b`)).to.equal(false);
    expect(performance.now() - began).to.be.lessThan(1_000);
  });
});
