import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../behaviour.js';
import { type Bench, type Competitor, type Measures, questionFor, type Scenario } from '../bench.js';
import { type Contender, FLOOR, OURS, RULES } from '../contenders.js';
import { type Thread, threadsOf } from '../cpu.js';
import { monotonicUs, type PartOf, readProfile, sharesOf } from '../cpu-profile.js';
import { eachInTurn } from '../rounds.js';
import { median } from '../statistics.js';

/**
 * By the files that functions are written in. What is asked of the database is its cost, whoever does it; of all else a
 * function that is in none of these belongs to whoever has called it.
 */
const DATABASE =
  /\/db\/|\/records\.mjs|\/node_modules\/(knex|tarn|sqlite3|better-sqlite3|pg|pg-pool|pg-protocol)\//;
const PARTS: Readonly<Record<string, RegExp>> = {
  http: /^node:(_http_|net$|stream|internal\/streams?\b|internal\/stream_)|^wasm:|\/node_modules\/undici\//,
  events: /\/agents\/models\/openai|\/event-reader\.mjs|\/node_modules\/eventsource-parser\//,
  hashes: /^node:internal\/crypto\//,
  lines:
    /\/node_modules\/(pino|sonic-boom|prom-client)\/|\/src\/(log|telemetry\/\w+|http\/middleware\/request-log)\.ts/,
  own: /^file:|\.ts$|\/node_modules\//,
};
/** Beyond what a thread writes to wake another one. */
const MOVED_BYTES = 16_384;
const SAMPLING_US = '200';
/** Of a process that is profiled: until most of its code is compiled. */
const WARM_ROUNDS = 6;

const partOf: PartOf = ({ functionName, url }, above) => {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage';
  if (above === 'database' || DATABASE.test(url)) return 'database';
  return Object.keys(PARTS).find((part) => PARTS[part]?.test(url)) ?? above ?? 'engine';
};

/**
 * What a chat's time goes to: of the main thread by a profile, and of the threads beside it by what the system says of
 * each. The profile is taken from a process of its own, and tells only the shares. What the database costs is all of
 * the driver's threads, and of the main thread the part for stores and whatever is below them.
 */
export const parts: Scenario = {
  name: 'parts',
  async run(bench) {
    const measured = bench.running.filter(({ contender }) => [OURS, RULES, FLOOR].includes(contender.name));
    const found: Record<string, Record<string, number>> = { databaseUs: {} };
    const shares = new Map<string, ReadonlyMap<string, number>>();
    for (const { contender } of measured) {
      bench.say(`profiling ${contender.title}`);
      shares.set(contender.name, await profiledShares(bench, contender));
    }
    const threads = new Map<string, Threads[]>();
    const allUs = await eachInTurn(
      bench,
      measured,
      async (competitor) => {
        const spent = await loadThreads(bench, competitor);
        threads.set(competitor.contender.name, [...(threads.get(competitor.contender.name) ?? []), spent]);
        return spent.main + spent.driver + spent.beside;
      },
      { judged: measured.map(({ contender }) => contender.name), rounds: bench.settings.rounds },
    );
    for (const name of allUs.keys()) {
      const usual = (thread: keyof Threads) => median((threads.get(name) ?? []).map((one) => one[thread]));
      const of = shares.get(name) ?? new Map<string, number>();
      const onMain = [...of].map(([part, share]) => [part, usual('main') * share] as const);
      found[`parts of ${name}`] = {
        ...Object.fromEntries(onMain),
        ...{ driver: usual('driver'), beside: usual('beside') },
        all: median(allUs.get(name) ?? []),
      };
      // Garbage has no owner on the stack: it counts for everybody in proportion.
      const share = (of.get('database') ?? 0) / (1 - (of.get('garbage') ?? 0));
      if (name !== FLOOR) (found['databaseUs'] ??= {})[name] = usual('main') * share + usual('driver');
    }
    return found satisfies Measures;
  },
};

/** Microseconds a chat. */
interface Threads {
  readonly main: number;
  readonly driver: number;
  /** Compilers, and collectors of garbage. */
  readonly beside: number;
}

async function loadThreads(bench: Bench, { stand }: Competitor): Promise<Threads> {
  const before = threadsOf(stand.pid);
  const { requests } = await chatFor(bench, stand, bench.settings.roundMs);
  const spent = threadsOf(stand.pid).map((thread) => since(thread, before));
  const us = (fits: (thread: Thread) => boolean) =>
    spent.filter(fits).reduce((ns, { cpuNs }) => ns + cpuNs, 0) / requests / 1000;
  const isMain = ({ id }: Thread) => id === stand.pid;
  const isDriver = (thread: Thread) => !isMain(thread) && thread.movedBytes > MOVED_BYTES;
  return {
    main: us(isMain),
    driver: us(isDriver),
    beside: us((thread) => !isMain(thread) && !isDriver(thread)),
  };
}

function since(thread: Thread, before: readonly Thread[]): Thread {
  const { cpuNs = 0, movedBytes = 0 } = before.find(({ id }) => id === thread.id) ?? {};
  return { id: thread.id, cpuNs: thread.cpuNs - cpuNs, movedBytes: thread.movedBytes - movedBytes };
}

async function profiledShares(bench: Bench, contender: Contender): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-profile-'));
  const { roundMs } = bench.settings;
  try {
    const stand = await contender.start(bench.modelUrl, {
      nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval', SAMPLING_US],
    });
    await chatFor(bench, stand, WARM_ROUNDS * roundMs);
    const fromUs = monotonicUs();
    await chatFor(bench, stand, 2 * roundMs);
    const toUs = monotonicUs();
    // The profile is written at the end.
    await stand.stop();
    return sharesOf(await readProfile(folder), partOf, { fromUs, toUs });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function chatFor({ load, settings }: Bench, stand: Competitor['stand'], ms: number) {
  const question = await questionFor(stand, CHAT);
  return await load.do({
    kind: 'closed-loop',
    ...{ question, ms, concurrency: settings.concurrency, pid: stand.pid },
  });
}
