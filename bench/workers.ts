import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Pool, request } from 'undici';
import { CHAT } from './behaviour.js';
import { cpuNsOf, rssKbOf } from './cpu.js';
import { startNode } from './processes.js';
import { type BenchService, startService } from './service.js';
import { median } from './statistics.js';

/**
 * What WORKERS brings: chats a second and CPU for each with one process and with several, in turn. Nothing is kept to
 * a core, so the model server and this program, which asks, take their share of the same cores: what they take is told,
 * and with it how many chats a second the machine could do at most.
 */

const ROUNDS = 5;
const ROUND_MS = 3000;
/** Of each process: a worker that has seen half as much is not half as warm. */
const WARM_UP_CHATS = 1500;
const CONCURRENCY = 32;
const CORES = availableParallelism();
const COUNTS = [1, Math.max(2, CORES)];

interface Contender {
  readonly workers: number;
  readonly service: BenchService;
  readonly pool: Pool;
  readonly body: string;
}

interface Round {
  readonly rate: number;
  /** Milliseconds of CPU for each chat, of the service and of everybody. */
  readonly cpuMs: number;
  readonly allCpuMs: number;
}

async function startContender(workers: number, modelUrl: string): Promise<Contender> {
  const core = CORES > 1 ? `0-${String(CORES - 1)}` : '0';
  const env = { WORKERS: String(workers), TOOLS_DIR: '' };
  const service = await startService(modelUrl, { core, env });
  const body = {
    model: await service.assistantFor(CHAT),
    stream: true,
    messages: [{ role: 'user', content: 'Tell me.' }],
  };
  return {
    ...{ workers, service },
    pool: new Pool(service.url, { connections: CONCURRENCY }),
    body: JSON.stringify(body),
  };
}

async function chat({ service, pool, body }: Contender): Promise<void> {
  const answer = await request(`${service.url}/v1/chat/completions`, {
    dispatcher: pool,
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.body.text();
  // A fast wrong answer is no answer.
  if (!text.includes(`word${String(CHAT.words - 1)} `) || !text.endsWith('data: [DONE]\n\n')) {
    throw new Error(`Incomplete: ${text.slice(-300)}`);
  }
}

/** Itself and its workers. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

const cpuMsOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuNsOf(pid), 0) / 1e6;

async function warmUp(contender: Contender): Promise<void> {
  let left = WARM_UP_CHATS * contender.workers;
  const askOn = async () => {
    while (left-- > 0) await chat(contender);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, askOn));
}

async function load(contender: Contender, modelPid: number): Promise<Round> {
  const family = familyOf(contender.service.pid);
  const others = [modelPid, process.pid];
  const before = { own: cpuMsOf(family), others: cpuMsOf(others) };
  const began = performance.now();
  let chats = 0;
  const askOn = async () => {
    while (performance.now() - began < ROUND_MS) {
      await chat(contender);
      chats += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, askOn));
  const took = performance.now() - began;
  const own = cpuMsOf(family) - before.own;
  const rest = cpuMsOf(others) - before.others;
  return { rate: chats / (took / 1000), cpuMs: own / chats, allCpuMs: (own + rest) / chats };
}

function row({ workers, service }: Contender, rounds: readonly Round[], alone: number) {
  const of = (pick: (round: Round) => number, digits: number) =>
    Number(median(rounds.map(pick)).toFixed(digits));
  const memory = familyOf(service.pid).map((pid) => Math.round(rssKbOf(pid) / 1024));
  return {
    WORKERS: workers,
    'chats a second': of(({ rate }) => rate, 0),
    '× one process': of(({ rate }) => rate / alone, 2),
    'CPU ms a chat': of(({ cpuMs }) => cpuMs, 3),
    'with model and load': of(({ allCpuMs }) => allCpuMs, 3),
    'most the cores could do': of(({ allCpuMs }) => (CORES * 1000) / allCpuMs, 0),
    'MB of each process': memory.join(' + '),
  };
}

const model = await startNode(['bench/model-server.ts']);
const contenders: Contender[] = [];
try {
  for (const workers of COUNTS) contenders.push(await startContender(workers, model.url));
  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await warmUp(contender);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [contender, done] of rounds) done.push(await load(contender, model.pid));
    process.stderr.write(`round ${String(round)} of ${String(ROUNDS)}\n`);
  }
  const [first = []] = rounds.values();
  const alone = median(first.map(({ rate }) => rate));
  console.table([...rounds].map(([contender, done]) => row(contender, done, alone)));
} finally {
  for (const { service, pool } of contenders) {
    await pool.destroy();
    await service.stop();
  }
  await model.stop();
}
