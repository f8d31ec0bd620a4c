import { CHAT } from '../behaviour.js';
import { questionFor, type Scenario } from '../bench.js';
import { inTurn } from '../rounds.js';

const EVERY_MS = 20;
/** What is left of an answer when the watching ends. */
const TAIL_MS = 400;

/** Streams as they are in life, a chunk every 20 ms, some tens at once: what one chunk costs. */
export const paced: Scenario = {
  name: 'paced',
  async run(bench) {
    const { streams, leadMs, words } = bench.settings.paced;
    const behaviour = { ...CHAT, words, everyMs: EVERY_MS };
    const pacedUs = await inTurn(bench, bench.running, async ({ stand }) => {
      const result = await bench.load.do({
        kind: 'paced',
        question: await questionFor(stand, behaviour),
        ...{ streams, leadMs, everyMs: EVERY_MS, pid: stand.pid },
        ms: words * EVERY_MS - leadMs - TAIL_MS,
      });
      return result.cpuNs / result.words / 1000;
    });
    return { pacedUs };
  },
};
