import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';

/** What the service adds on top of the model: CPU for each streamed chat of 200 chunks, beside a raw byte relay. */

const ROUNDS = 3;
const ROUND_MS = 3000;
const WARM_UP_MS = 1500;
const CONCURRENCY = 16;
const TICKS_A_SECOND = 100;
const KEY = 'bw_bench_0123456789abcdef0123456789abcdef';

interface Contender {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly model: string;
}

const dispatcher = new Agent({ connections: CONCURRENCY });
const children: ChildProcess[] = [];

async function start(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const { url } = JSON.parse(line) as { url?: string };
    if (url) {
      child.stdout.resume();
      return { url, pid: child.pid ?? 0 };
    }
  }
  throw new Error(`${args.join(' ')} ended before it listened`);
}

async function chat({ url, model }: Contender): Promise<void> {
  const answer = await request(`${url}/v1/chat/completions`, {
    dispatcher,
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Tell me.' }] }),
  });
  const text = await answer.body.text();
  // A fast wrong answer is no answer.
  if (!text.includes('word199 ') || !text.endsWith('data: [DONE]\n\n'))
    throw new Error(`Incomplete: ${text.slice(-300)}`);
}

function cpuMs(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1000;
}

async function load(contender: Contender, ms: number): Promise<{ chats: number; cpu: number }> {
  const before = cpuMs(contender.pid);
  const until = Date.now() + ms;
  let chats = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (Date.now() < until) {
        await chat(contender);
        chats += 1;
      }
    }),
  );
  return { chats, cpu: (cpuMs(contender.pid) - before) / chats };
}

async function makeAssistant(url: string): Promise<string> {
  const answer = await request(`${url}/lamb/v1/assistants`, {
    dispatcher,
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', metadata: { connector: 'openai', llm: 'bench' } }),
  });
  const { id } = (await answer.body.json()) as { id: number };
  return `lamb_assistant.${String(id)}`;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
try {
  const model = await start(['bench/model.mjs']);
  const relay = await start(['bench/passthrough.mjs', model.url]);
  const service = await start(['dist/src/main.js'], {
    PORT: '0',
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: `${model.url}/v1`,
    ADMIN_API_KEY: KEY,
    RATE_LIMIT: '0',
    DEMO_DATA: 'false',
  });
  const contenders: Contender[] = [
    { name: 'passthrough', ...relay, model: 'bench' },
    { name: 'bellwether', ...service, model: await makeAssistant(service.url) },
  ];

  for (const contender of contenders) await load(contender, WARM_UP_MS);
  const figures = new Map<string, { cpu: number[]; rate: number[] }>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const { chats, cpu } = await load(contender, ROUND_MS);
      const figure = figures.get(contender.name) ?? { cpu: [], rate: [] };
      figure.cpu.push(cpu);
      figure.rate.push(chats / (ROUND_MS / 1000));
      figures.set(contender.name, figure);
    }
    process.stderr.write(`round ${String(round)} of ${String(ROUNDS)}\n`);
  }

  const floor = median(figures.get('passthrough')?.cpu ?? []);
  console.table(
    [...figures].map(([name, { cpu, rate }]) => ({
      contender: name,
      'CPU ms a chat': Number(median(cpu).toFixed(3)),
      '× passthrough': Number((median(cpu) / floor).toFixed(2)),
      'chats a second': Math.round(median(rate)),
    })),
  );
} finally {
  for (const child of children) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await dispatcher.close();
  await rm(dataDir, { recursive: true, force: true });
}
