import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import knex from 'knex';
import { openDb } from '../../db/open.js';
import { createStores } from '../../db/stores.js';
import { createProgressDisplay } from '../../src/commands/progress.js';
import type { Collection } from '../../src/core/knowledge/collection.js';
import type { Stores } from '../../src/core/stores.js';
import { seededRandom } from '../seeded-random.js';
import { median, percentile } from '../statistics.js';

/**
 * How many of the nearest passages are found, beside an exact search, and how fast: by outlines in memory and by the index of
 * pgvector, in a database of its own that is dropped in the end.
 *
 *   DATABASE_URL=postgres://… npm run bench:vectors -- [--sizes 5000,20000,100000] [--dimensions 384] [--nearest 40]
 */

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '5000,20000,100000' },
    dimensions: { type: 'string', default: '384' },
    nearest: { type: 'string', default: '40' },
  },
});
const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('Set DATABASE_URL to a PostgreSQL server that has pgvector.');

const MODEL = 'bench:heaps';
const QUESTIONS = 100;
const WARM_UPS = 10;
const OF_A_DOCUMENT = 1_000;
const LIMIT = Number(options.nearest);
const DIMENSIONS = Number(options.dimensions);
const random = seededRandom(20_261_117);
const progress = createProgressDisplay(process.stderr);

const admin = knex({ client: 'pg', connection: url });
const name = `bench_${randomUUID()}`;
await admin.raw('CREATE DATABASE ??', [name]);
const db = await openDb({ kind: 'postgres', url: new URL(`/${name}`, url).href });
try {
  const stores = createStores(db, {
    ...{ filesFolder: 'unused', documentsFolder: 'unused', attachmentsFolder: 'unused' },
    catalogue: { placeholderOf: () => undefined },
  });
  console.table(await measure(stores, options.sizes.split(',').map(Number)));
} finally {
  await db.destroy();
  await admin.raw('DROP DATABASE ?? WITH (FORCE)', [name]);
  await admin.destroy();
}

/** One collection that grows through all sizes. */
async function measure(stores: Stores, sizes: readonly number[]): Promise<object[]> {
  const collection = await aCollection(stores);
  const heaps = Array.from({ length: 200 }, () => aVector());
  const aPassage = () => near(heaps[Math.floor(random() * heaps.length)] ?? aVector());
  const known = new Map<number, Float32Array>();
  const rows: object[] = [];
  for (const size of sizes) {
    while (known.size < size) {
      const some = Array.from({ length: Math.min(OF_A_DOCUMENT, size - known.size) }, aPassage);
      for (const [id, vector] of await addDocument(stores, collection, some)) known.set(id, vector);
      progress.show({ title: 'passages', done: known.size, total: size });
    }
    progress.end();
    const questions = Array.from({ length: QUESTIONS }, aPassage);
    const exact = questions.map((question) => nearestOf(known, question));
    rows.push({ passages: size, by: 'outlines', ...(await ask(stores, collection, { questions, exact })) });
    const since = performance.now();
    await stores.vectors.keepIndexes(new AbortController().signal, 1);
    const seconds = Math.round((performance.now() - since) / 1_000);
    const indexed = await ask(stores, collection, { questions, exact });
    rows.push({ passages: size, by: 'pgvector', ...indexed, 'brought in step in s': seconds });
    // Without it the next size begins as this one did.
    await stores.vectors.keepIndexes(new AbortController().signal, Number.MAX_SAFE_INTEGER);
  }
  return rows;
}

async function ask(
  { passages }: Stores,
  { id }: Collection,
  { questions, exact }: { readonly questions: Float32Array[]; readonly exact: ReadonlySet<number>[] },
) {
  const times: number[] = [];
  let kept = 0;
  const nearest = (vector: Float32Array) =>
    passages.nearest({ collectionIds: [id], model: MODEL, vector, limit: LIMIT });
  for (const question of questions.slice(0, WARM_UPS)) await nearest(question);
  const used = process.cpuUsage();
  for (const [i, question] of questions.entries()) {
    const since = performance.now();
    const found = await nearest(question);
    times.push(performance.now() - since);
    kept += found.filter(({ passageId }) => exact[i]?.has(passageId)).length;
  }
  const { user, system } = process.cpuUsage(used);
  return {
    [`recall@${String(LIMIT)}`]: Number((kept / (questions.length * LIMIT)).toFixed(4)),
    'median ms': Number(median(times).toFixed(1)),
    'p95 ms': Number(percentile(times, 95).toFixed(1)),
    'CPU ms of the service': Number(((user + system) / 1_000 / questions.length).toFixed(1)),
  };
}

function nearestOf(known: ReadonlyMap<number, Float32Array>, question: Float32Array): ReadonlySet<number> {
  const ids = [...known.keys()];
  const cosines = Float64Array.from(known.values(), (vector) => dot(vector, question));
  const least = Float64Array.from(cosines).sort().at(-LIMIT) ?? -1;
  return new Set(ids.filter((_, i) => (cosines[i] ?? -1) >= least));
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}

/** Of length one, in any direction. */
function aVector(): Float32Array {
  return unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
}

/** Vectors of texts lie in heaps: about as far from the middle of one as its middle is from any other. */
function near(heap: Float32Array): Float32Array {
  const away = aVector();
  return unit(heap.map((value, i) => value + (away[i] ?? 0)));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

async function aCollection({ organizations, users, collections }: Stores): Promise<Collection> {
  const { id: organizationId } = await organizations.create({ slug: name, name, isSystem: false });
  const owner = { organizationId, email: 'bench@example.org', name, role: 'creator' as const };
  const user = await users.create({ ...owner, passwordHash: null });
  return collections.create(user, { name, description: '', isShared: false });
}

async function addDocument(
  { documents, vectors }: Stores,
  { id }: Collection,
  some: readonly Float32Array[],
): Promise<readonly (readonly [number, Float32Array])[]> {
  const file = { filename: 'heaps.md', sourceUrl: undefined, bytes: 1, sha256: randomUUID() };
  await documents.add(id, { id: randomUUID(), ...file });
  const work = await documents.claim({ ms: 600_000 });
  const edition = work && (await documents.beginEdition(work));
  if (!work || edition === undefined) throw new Error('A document could not be taken in.');
  const place = { page: undefined, start: 0, end: 1 };
  await documents.write(edition, {
    sections: [{ ...place, title: '', text: '' }],
    passages: some.map(() => ({ ...place, section: 0, pageEnd: undefined, text: 'x', terms: ['x'] })),
  });
  const missing = await vectors.missing(edition, MODEL, some.length);
  const written = missing.map(({ passageId }, i) => [passageId, some[i] ?? aVector()] as const);
  await vectors.write(
    MODEL,
    written.map(([passageId, vector]) => ({ passageId, vector })),
  );
  const facts = { format: 'markdown', pages: undefined, language: 'en', faults: [], embeddedWith: MODEL };
  await documents.publish(work, edition, facts);
  return written;
}
