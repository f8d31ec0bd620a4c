import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../behaviour.js';
import type { Bench, Competitor, Figures, Scenario } from '../bench.js';
import { FLOOR, onOther, OURS } from '../contenders.js';
import type { OtherNode } from '../other-node.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';
import { median } from '../statistics.js';
import { cpuPerPacedWord } from './paced.js';
import { startAsDelivered } from './start.js';
import { withCalls } from './tools.js';

/** Of a round: both Nodes are measured, in turn. */
const SHARE = 1 / 2;
/** No target is about it. */
const MOST_ROUNDS = 3;

/** The service and the floor on Node 24, in turn with the same on the Node that all the rest was measured on. */
export const node24: Scenario = {
  name: 'node-24',
  async run(bench) {
    const { otherNode, running, modelUrl } = bench;
    if (process.version.startsWith('v24.')) return skipped(bench, 'this is Node 24 already');
    if (!otherNode) return skipped(bench, 'Node 24 could not be fetched');
    const here = running.filter(({ contender }) => [FLOOR, OURS].includes(contender.name));
    const there: Competitor[] = [];
    try {
      for (const { contender } of here) {
        const stand = await contender.start(modelUrl, { node: otherNode.path });
        there.push({ contender: { ...contender, name: onOther(contender.name) }, stand });
      }
      const settings = { ...bench.settings, rounds: Math.min(bench.settings.rounds, MOST_ROUNDS) };
      const chatFigures = await chats({ ...bench, settings }, here, there);
      return { ...chatFigures, nodeStartMs: await starts(bench, otherNode) };
    } finally {
      for (const { stand } of there) await stand.stop();
    }
  },
};

function skipped(bench: Bench, reason: string) {
  bench.skip(reason);
  return {};
}

async function chats(bench: Bench, here: readonly Competitor[], there: readonly Competitor[]) {
  const { roundMs, paced } = bench.settings;
  const all = [...here, ...there];
  const measure = (competitors: readonly Competitor[], behaviour: typeof CHAT) =>
    inTurn(
      bench,
      competitors,
      async (competitor) =>
        (await cpuPerRequest(bench, competitor, { behaviour, ms: roundMs * SHARE })) / 1e6,
    );

  // Also those that were warm: code that has rested for minutes is compiled again.
  await warmUp(bench, all, CHAT);
  const nodeBurstMs = await measure(all, CHAT);
  const nodePacedUs = await inTurn(bench, all, (competitor) =>
    cpuPerPacedWord(bench, competitor, paced.words),
  );
  const able = all.filter(({ contender }) => contender.runsTools);
  await warmUp(bench, able, withCalls(1));
  return { nodeBurstMs, nodePacedUs, nodeOneToolMs: await measure(able, withCalls(1)) };
}

/** Each on a database of its own that it has opened before. */
async function starts(bench: Bench, { path }: OtherNode): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
  const nodes = [
    { name: OURS, options: { dataDir: join(folder, 'here') } },
    { name: onOther(OURS), options: { dataDir: join(folder, 'there'), node: path } },
  ];
  const times = new Map(nodes.map(({ name }) => [name, [] as number[]]));
  try {
    for (const { options } of nodes) await startAsDelivered(bench.modelUrl, options);
    for (let time = 1; time <= bench.settings.starts; time++)
      for (const { name, options } of nodes)
        times.get(name)?.push(await startAsDelivered(bench.modelUrl, options));
    bench.say('started');
    return Object.fromEntries([...times].map(([name, values]) => [name, median(values)]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
