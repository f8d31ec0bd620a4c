import { CHAT } from '../behaviour.js';
import { type Bench, type Competitor, questionFor, type Scenario } from '../bench.js';
import { FLOOR, OURS, RULES } from '../contenders.js';
import { eachInTurn, medians, ratiosTo } from '../rounds.js';

const EVERY_MS = 20;
/** What is left of an answer when the watching ends. */
const TAIL_MS = 400;
/** It is watched for so long at least, between its beginning and its end. */
const LEAST_MS = 300;

/** Streams as they are in life, a chunk every 20 ms, some tens at once: what one chunk costs. */
export const paced: Scenario = {
  name: 'paced',
  async run(bench) {
    const { words, rounds } = bench.settings.paced;
    const measure = (competitor: Competitor) => cpuPerPacedWord(bench, competitor, words);
    const judged = [OURS, RULES, FLOOR];
    const measured = await eachInTurn(bench, bench.running, measure, { judged, rounds });
    return { pacedUs: medians(measured), pacedRatio: ratiosTo(FLOOR, measured) };
  },
};

/** Of answers of so many words, or as many more as it takes to watch them. */
export async function cpuPerPacedWord(bench: Bench, { stand }: Competitor, words: number): Promise<number> {
  const { streams, leadMs } = bench.settings.paced;
  const ms = Math.max(LEAST_MS, words * EVERY_MS - leadMs - TAIL_MS);
  const behaviour = { ...CHAT, words: (leadMs + ms + TAIL_MS) / EVERY_MS, everyMs: EVERY_MS };
  const watched = await bench.load.do({
    kind: 'paced',
    question: await questionFor(stand, behaviour),
    ...{ streams, leadMs, ms, everyMs: EVERY_MS, pid: stand.pid },
  });
  return watched.cpuNs / watched.words / 1000;
}
