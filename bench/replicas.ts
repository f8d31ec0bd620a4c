import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { startPostgres } from '../test/support/runner/postgres-server.js';
import { S3_ENV, startS3Process } from '../test/support/s3-server.js';
import { CHAT } from './behaviour.js';
import { questionFor } from './bench.js';
import { cpuNsOf } from './cpu.js';
import { ask, type Question } from './load/ask.js';
import { type Running, startNode } from './processes.js';
import { type BenchService, post, startService } from './service.js';
import { median } from './statistics.js';

/**
 * What replicas bring: chats and documents with one, two and three processes on one PostgreSQL and one S3
 * store, all on this machine. What limits them here are the cores, which the model server and this program share; so what
 * each part takes of them for one chat is told, by which a larger installation can be calculated (docs/scaling.md).
 */

const COUNTS = [1, 2, 3];
const ROUNDS = 5;
const ROUND_MS = 3_000;
/** Of each: one that has seen half as much is not half as warm. */
const WARM_UP_CHATS = 1_000;
/** At each: what is written together depends on how many ask one process at once. */
const CONCURRENCY = 32;
const DOCUMENTS = 60;
const PARAGRAPHS = 100;
const LOOK_MS = 50;

interface Stage {
  readonly replicas: readonly BenchService[];
  readonly model: Running;
  readonly database: { readonly pid: number; readonly client: pg.Client };
}

/** Itself and what it has started. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

const cpuMsOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuNsOf(pid), 0) / 1e6;

interface Spent {
  readonly replicas: number;
  readonly database: number;
  readonly rest: number;
  readonly commits: number;
}

async function spentBy({ replicas, model, database }: Stage): Promise<Spent> {
  // Otherwise it is told what it was told before.
  await database.client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await database.client.query<{ commits: string }>(
    'SELECT sum(xact_commit) AS commits FROM pg_stat_database',
  );
  return {
    replicas: cpuMsOf(replicas.map(({ pid }) => pid)),
    database: cpuMsOf(familyOf(database.pid)),
    rest: cpuMsOf([model.pid, process.pid]),
    commits: Number(rows[0]?.commits),
  };
}

/** What doing something so often took, each time. */
async function costOf(stage: Stage, work: () => Promise<number>) {
  const before = await spentBy(stage);
  const began = performance.now();
  const times = await work();
  const took = performance.now() - began;
  // What is counted by PostgreSQL's processes is told once a second.
  await pause(1_200);
  const after = await spentBy(stage);
  const each = (part: keyof Spent) => (after[part] - before[part]) / times;
  return {
    rate: times / (took / 1000),
    replicaMs: each('replicas'),
    databaseMs: each('database'),
    restMs: each('rest'),
    commits: each('commits'),
  };
}

type Cost = Awaited<ReturnType<typeof costOf>>;

/** The same question of each replica in turn, until it was asked often or long enough. */
async function chats(questions: readonly Question[], isOver: (asked: number) => boolean): Promise<number> {
  const dispatcher = new Agent({ connections: CONCURRENCY });
  let asked = 0;
  const askOn = async () => {
    while (!isOver(asked)) await ask(questions[asked++ % questions.length] as Question, { dispatcher });
  };
  await Promise.all(Array.from({ length: CONCURRENCY * questions.length }, askOn));
  await dispatcher.destroy();
  return asked;
}

async function questionsOf({ replicas }: Stage, behaviour: typeof CHAT): Promise<Question[]> {
  const [first] = replicas as [BenchService];
  const model = await first.assistantFor(behaviour);
  return Promise.all(
    replicas.map((replica) =>
      questionFor(
        { ...replica, modelFor: () => Promise.resolve(model), stop: () => replica.stop() },
        behaviour,
      ),
    ),
  );
}

/** Documents of a few pages, uploaded to each replica in turn, until all of them can be found. */
async function ingest({ replicas }: Stage): Promise<number> {
  const [first] = replicas as [BenchService];
  const { json } = await post(first.url, '/lamb/v1/collections', {
    name: `Bench ${String(replicas.length)}`,
  });
  const path = `/lamb/v1/collections/${(json as { readonly id: string }).id}/documents`;
  const headers = { authorization: `Bearer ${first.adminKey}` };
  await Promise.all(
    Array.from({ length: DOCUMENTS }, async (_, i) => {
      const form = new FormData();
      form.append('file', new Blob([pages(i)], { type: 'text/markdown' }), `chapter-${String(i)}.md`);
      const { url } = replicas[i % replicas.length] as BenchService;
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: form });
      if (!answer.ok) throw new Error(`Not taken: ${await answer.text()}`);
    }),
  );
  for (;;) {
    const { body } = await request(`${first.url}${path}?status=ready&limit=100`, { headers });
    const { data } = (await body.json()) as { readonly data: readonly { readonly status: string }[] };
    if (data.filter(({ status }) => status === 'ready').length === DOCUMENTS) return DOCUMENTS;
    await pause(LOOK_MS);
  }
}

function pages(document: number): string {
  const sentence = (n: number) =>
    `Paragraph ${String(n)} of chapter ${String(document)} tells of enrolment, timetables and the library in ${String(n * 7 + document)} words.`;
  return Array.from(
    { length: PARAGRAPHS },
    (_, n) => `## Part ${String(n)}\n\n${`${sentence(n)} `.repeat(4)}\n`,
  ).join('\n');
}

const ENV = { SECRET_KEY: 'the same at all replicas 0123', ...S3_ENV };

async function measure(count: number): Promise<Record<string, number | string>> {
  const [database, store, model] = await Promise.all([
    startPostgres('durable'),
    startS3Process(),
    startNode(['bench/model-server.ts']),
  ]);
  const client = new pg.Client(database.url);
  await client.connect();
  const replicas: BenchService[] = [];
  try {
    const env = { ...ENV, TOOLS_DIR: '', DATABASE_URL: database.url, BLOBS_URL: store.blobsUrl() };
    for (let i = 0; i < count; i++) replicas.push(await startService(model.url, { core: '0-63', env }));
    const stage = { replicas, model, database: { pid: database.pid(), client } };
    const questions = await questionsOf(stage, CHAT);
    await chats(questions, (asked) => asked >= WARM_UP_CHATS * count);
    const rounds: Cost[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const until = performance.now() + ROUND_MS;
      rounds.push(await costOf(stage, () => chats(questions, () => performance.now() > until)));
    }
    const ofChats = (pick: (cost: Cost) => number, digits: number) =>
      median(rounds.map(pick)).toFixed(digits);
    const documents = await costOf(stage, () => ingest(stage));
    return {
      processes: count,
      'chats a second': ofChats(({ rate }) => rate, 0),
      'CPU ms a chat, service': ofChats(({ replicaMs }) => replicaMs, 3),
      PostgreSQL: ofChats(({ databaseMs }) => databaseMs, 3),
      'model and load': ofChats(({ restMs }) => restMs, 3),
      'commits a chat': ofChats(({ commits }) => commits, 2),
      'documents a second': documents.rate.toFixed(1),
      'CPU ms a document, service': documents.replicaMs.toFixed(0),
      'PostgreSQL ': documents.databaseMs.toFixed(0),
    };
  } finally {
    await client.end();
    for (const replica of replicas) await replica.stop();
    await Promise.all([store.stop(), model.stop()]);
    await database.remove();
  }
}

const rows: Record<string, number | string>[] = [];
for (const count of COUNTS) {
  process.stderr.write(`${String(count)} of ${String(COUNTS.length)} …\n`);
  rows.push(await measure(count));
}
console.table(rows);
