import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Behaviour, CHAT } from '../behaviour.js';
import { type Bench, type Competitor, type Measures, questionFor, type Scenario } from '../bench.js';
import { FLOOR, OURS, RULES } from '../contenders.js';
import { cpuPerRequest, reasonOf } from '../rounds.js';

const ONE_TOOL: Behaviour = { ...CHAT, words: 20, tools: 3, calls: 1 };

/** By what they are made for. */
const KINDS: Readonly<Record<string, RegExp>> = {
  network: /^(readv?|writev|recv\w+|send\w+|epoll_\w+|accept4?|shutdown|close|setsockopt)$/,
  threads: /^futex$/,
  file: /^(p(read|write)\w*|f(data)?sync|fcntl|lseek|ftruncate|stat\w*|fstat\w*)$/,
  lines: /^write$/,
};
const MEMORY = /^(brk|mmap|munmap|madvise|mprotect|mremap)$/;

/**
 * What a chat asks of the operating system, counted: the part of its cost that no code can be written around. Memory is left
 * out, which the collector asks for now and then.
 */
export const systemCalls: Scenario = {
  name: 'system-calls',
  async run(bench) {
    const found: Record<string, Record<string, number>> = {};
    try {
      for (const competitor of bench.running) {
        const { name } = competitor.contender;
        if (![FLOOR, RULES, OURS].includes(name)) continue;
        found[`calls of ${name}, burst`] = await callsOf(bench, competitor, CHAT);
        if (name === OURS) found[`calls of ${name}, one tool`] = await callsOf(bench, competitor, ONE_TOOL);
      }
    } catch (fault) {
      bench.skip(`System calls are counted by strace, which cannot be used here: ${reasonOf(fault)}`);
      return {};
    }
    return found satisfies Measures;
  },
};

async function callsOf(bench: Bench, competitor: Competitor, behaviour: Behaviour) {
  const { pid } = competitor.stand;
  const ms = bench.settings.roundMs;
  await cpuPerRequest(bench, competitor, { behaviour, ms });
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-strace-'));
  try {
    const file = join(folder, 'calls');
    const watching = spawn('strace', ['-c', '-f', '-o', file, '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // It says so when it has begun, for each thread, or why it cannot.
    const [said] = (await Promise.race([once(watching.stderr, 'data'), once(watching, 'error')])) as [
      Buffer | Error,
    ];
    if (said instanceof Error || !String(said).includes('attached')) throw new Error(String(said).trim());
    const { requests } = await bench.load.do({
      ...{ kind: 'closed-loop', concurrency: bench.settings.concurrency, pid },
      ...{ question: await questionFor(competitor.stand, behaviour), ms: 2 * ms },
    });
    watching.kill('SIGINT');
    await once(watching, 'exit');
    bench.say(`${competitor.contender.name}: ${String(requests)} chats`);
    return perRequest(await readFile(file, 'utf8'), requests);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row is: share of time, seconds, microseconds a call, calls, perhaps errors, name. */
function perRequest(table: string, requests: number): Record<string, number> {
  const sums: Record<string, number> = { network: 0, threads: 0, file: 0, lines: 0, other: 0, all: 0 };
  for (const [, count = '', name = ''] of table.matchAll(
    /^ *[\d.]+ +[\d.]+ +\d+ +(\d+)(?: +\d+)? +(\w+)$/gm,
  )) {
    if (name === 'total' || MEMORY.test(name)) continue;
    const kind = Object.keys(KINDS).find((one) => KINDS[one]?.test(name)) ?? 'other';
    for (const sum of [kind, 'all']) sums[sum] = (sums[sum] ?? 0) + Number(count) / requests;
  }
  return sums;
}
