import { setTimeout as pause } from 'node:timers/promises';
import { CHAT } from '../behaviour.js';
import { type Bench, type Competitor, ledgerOf, questionFor, type Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { rssKbOf } from '../cpu.js';
import { cpuPerRequest, reasonOf } from '../rounds.js';
import { median } from '../statistics.js';

/** Slow enough that holding them is all there is to do, and longer than anybody watches. */
const SLOW = { ...CHAT, words: 300, everyMs: 1000 };
const SHORT_CHAT = { ...CHAT, words: 20 };
/** How long a contender has to notice that everybody has left. */
const NOTICE_MS = 1500;
const SAMPLES = 10;
/** What one takes is the same for fewer. */
const OF_OTHERS = 1 / 5;

/** What an open stream takes in memory, and whether the model is told when all clients vanish. */
export const openStreams: Scenario = {
  name: 'open-streams',
  async run(bench) {
    const kb = new Map<string, number[]>();
    const left = new Map<string, number[]>();
    const { streams: all, times } = bench.settings.openStreams;
    for (let time = 1; time <= times; time++) {
      for (const { contender } of bench.running) {
        // Nobody else has a target here, and to open 500 streams takes some of them long.
        if (time > 1 && contender.name !== OURS) continue;
        const share = contender.name === OURS ? 1 : OF_OTHERS;
        try {
          const seen = await holdAndVanish(bench, contender, Math.ceil(all * share));
          kb.set(contender.name, [...(kb.get(contender.name) ?? []), seen.kbEach]);
          left.set(contender.name, [...(left.get(contender.name) ?? []), seen.left]);
        } catch (fault) {
          bench.fail(contender.name, reasonOf(fault));
        }
      }
      bench.say(`time ${String(time)} of ${String(times)}`);
    }
    return {
      streamKb: Object.fromEntries([...kb].map(([name, values]) => [name, median(values)])),
      streamsLeft: Object.fromEntries([...left].map(([name, values]) => [name, Math.max(...values)])),
    };
  },
};

/** In a process of its own: one that has had its peak before would hide what the next one takes. */
async function holdAndVanish(bench: Bench, contender: Competitor['contender'], streams: number) {
  const { load, modelUrl, settings } = bench;
  const { holdMs } = settings.openStreams;
  const stand = await contender.start(modelUrl);
  try {
    await cpuPerRequest(bench, { contender, stand }, { behaviour: SHORT_CHAT, ms: settings.warmUp.ms });
    await pause(holdMs);
    const before = rssKbOf(stand.pid);
    const openBefore = (await ledgerOf(modelUrl)).open;
    await load.do({ kind: 'open', question: await questionFor(stand, SLOW), streams });
    const during = await medianRss(stand.pid, holdMs);
    await load.do({ kind: 'vanish' });
    await pause(NOTICE_MS);
    const { open } = await ledgerOf(modelUrl);
    return { kbEach: (during - before) / streams, left: open - openBefore };
  } finally {
    await load.do({ kind: 'vanish' });
    await stand.stop();
  }
}

async function medianRss(pid: number, ms: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await pause(ms / SAMPLES);
    samples.push(rssKbOf(pid));
  }
  return median(samples);
}
