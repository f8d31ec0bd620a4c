import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../behaviour.js';
import { type Bench, type Competitor, questionFor, type Scenario } from '../bench.js';
import { type Contender, OURS, RULES } from '../contenders.js';
import { type Thread, threadsOf } from '../cpu.js';
import { monotonicUs, readProfile, shareOf } from '../cpu-profile.js';
import { inTurn } from '../rounds.js';

/** Stores, what they are written with, and the driver; of the rules alone what keeps their records. */
const DATABASE =
  /\/db\/|\/records\.mjs|\/node_modules\/(knex|tarn|sqlite3|better-sqlite3|pg|pg-pool|pg-protocol)\//;
/** Beyond what a thread writes to wake another one. */
const MOVED_BYTES = 16_384;
const SAMPLING_US = '200';

/**
 * What the database costs for each chat: all of the driver's threads, and of the main thread the part that a profile
 * finds in the stores and below them. The profile is taken from a process of its own, and tells only the share.
 */
export const database: Scenario = {
  name: 'database',
  async run(bench) {
    const keeping = bench.running.filter(({ contender }) => [OURS, RULES].includes(contender.name));
    const shares = new Map<string, number>();
    for (const { contender } of keeping) {
      bench.say(`profiling ${contender.title}`);
      shares.set(contender.name, await profiledShare(bench, contender));
    }
    const databaseUs = await inTurn(bench, keeping, async (competitor) => {
      const share = shares.get(competitor.contender.name) ?? NaN;
      const { mainNs, driverNs, requests } = await loadThreads(bench, competitor);
      return (mainNs * share + driverNs) / requests / 1000;
    });
    return { databaseUs };
  },
};

async function loadThreads(bench: Bench, { stand }: Competitor) {
  const before = threadsOf(stand.pid);
  const { requests } = await chatFor(bench, stand, bench.settings.roundMs);
  const spent = threadsOf(stand.pid).map((thread) => since(thread, before));
  const isMain = ({ id }: Thread) => id === stand.pid;
  const sum = (threads: readonly Thread[]) => threads.reduce((ns, { cpuNs }) => ns + cpuNs, 0);
  return {
    requests,
    mainNs: sum(spent.filter(isMain)),
    driverNs: sum(spent.filter((thread) => !isMain(thread) && thread.movedBytes > MOVED_BYTES)),
  };
}

function since(thread: Thread, before: readonly Thread[]): Thread {
  const { cpuNs = 0, movedBytes = 0 } = before.find(({ id }) => id === thread.id) ?? {};
  return { id: thread.id, cpuNs: thread.cpuNs - cpuNs, movedBytes: thread.movedBytes - movedBytes };
}

async function profiledShare(bench: Bench, contender: Contender): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-profile-'));
  try {
    const stand = await contender.start(bench.modelUrl, {
      nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval', SAMPLING_US],
    });
    await chatFor(bench, stand, bench.settings.roundMs + bench.settings.warmUp.ms);
    const fromUs = monotonicUs();
    await chatFor(bench, stand, bench.settings.roundMs);
    const toUs = monotonicUs();
    // The profile is written at the end.
    await stand.stop();
    return shareOf(await readProfile(folder), DATABASE, { fromUs, toUs });
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
