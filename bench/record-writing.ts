import { BLANK_CONTENT } from '../src/core/assistants/assistant.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDb } from '../db/open.js';
import { createStores } from '../db/stores.js';
import { newRunId } from '../src/core/base/ids.js';
import type { RunRecord } from '../src/core/runs/record.js';
import type { RunStore, User } from '../src/core/stores.js';

/**
 * What it costs to write down a chat: CPU of all threads for each run of one model call, with so many people chatting at
 * once. Each pauses between two chats, so that records arrive as they do from a busy service; what the pauses cost by
 * themselves is measured first and taken off.
 */

const RUNS = 2000;
const ROUNDS = 3;
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Load {
  readonly people: number;
  /** How long somebody pauses after a chat, on average. */
  readonly pauseMs: number;
}

const LOADS: readonly Load[] = [
  { people: 1, pauseMs: 0 },
  { people: 16, pauseMs: 0 },
  { people: 16, pauseMs: 4 },
];

type Step = RunRecord['steps'][number];

function aStep(startedAt: string): Step {
  return {
    kind: 'model',
    ok: true,
    startedAt,
    ms: 12,
    iteration: 1,
    input: { chars: 120, sha256: SHA256 },
    output: { chars: 1200, sha256: SHA256 },
    connector: 'openai',
    model: 'gpt-4o-mini',
    usage: { promptTokens: 30, completionTokens: 200 },
  };
}

function aRun(user: User, assistantId: number): RunRecord {
  const startedAt = new Date().toISOString();
  return {
    id: newRunId(),
    parentRunId: undefined,
    assistantId,
    assistantVersion: 1,
    organizationId: user.organizationId,
    userId: user.id,
    via: 'api-key',
    conversationId: undefined,
    activityId: undefined,
    status: 'completed',
    errorCode: undefined,
    startedAt,
    ms: 40,
    iterations: 1,
    capped: false,
    usage: { promptTokens: 30, completionTokens: 200 },
    steps: [aStep(startedAt)],
  };
}

/** CPU and elapsed time for each run, in microseconds. */
async function measure(
  { people, pauseMs }: Load,
  record: (run: RunRecord) => Promise<void>,
  make: () => RunRecord,
) {
  let left = RUNS;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: people }, async () => {
      while (left-- > 0) {
        if (pauseMs > 0) await delay(Math.random() * 2 * pauseMs);
        await record(make());
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / RUNS, elapsed: ((performance.now() - start) * 1000) / RUNS };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

async function figuresOf(runs: RunStore, make: () => RunRecord, statements: () => number) {
  const rows = [];
  for (const load of LOADS) {
    const rounds = [];
    const before = statements();
    for (let round = 0; round < ROUNDS; round++) {
      const idle = await measure(load, () => Promise.resolve(), make);
      const busy = await measure(load, (run) => runs.record(run), make);
      rounds.push({ cpu: busy.cpu - idle.cpu, rate: 1e6 / busy.elapsed });
    }
    rows.push({
      people: load.people,
      'pause ms': load.pauseMs,
      'CPU µs a run': Number(median(rounds.map(({ cpu }) => cpu)).toFixed(1)),
      'runs a statement': Number(((RUNS * ROUNDS) / (statements() - before)).toFixed(1)),
      'runs a second': Math.round(median(rounds.map(({ rate }) => rate))),
    });
  }
  return rows;
}

const folder = await mkdtemp(join(tmpdir(), 'bellwether-records-'));
const db = await openDb({ kind: 'sqlite', file: join(folder, 'bench.db') });
try {
  const stores = createStores(db, {
    filesFolder: 'unused',
    documentsFolder: 'unused',
    attachmentsFolder: 'unused',
    catalogue: { placeholderOf: () => undefined },
  });
  const { id: organizationId } = await stores.organizations.create({
    slug: 'bench',
    name: 'Bench',
    isSystem: false,
  });
  const facts = {
    organizationId,
    email: 'bench@example.org',
    name: 'Bench',
    role: 'creator',
    passwordHash: null,
  } as const;
  const user = await stores.users.create(facts);
  const { id } = await stores.assistants.create(user, {
    ...BLANK_CONTENT,
    name: 'Bench',
  });
  const make = () => aRun(user, id);
  let statements = 0;
  db.on('query', () => (statements += 1));
  for (let n = 0; n < 500; n++) await stores.runs.record(make());

  console.table(await figuresOf(stores.runs, make, () => statements));
} finally {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
}
