import { CHAT } from '../behaviour.js';
import type { Scenario } from '../bench.js';
import { AI_SDK, CREATE_AGENT, FLOOR, OURS, RULES } from '../contenders.js';
import { cpuPerRequest, inTurn } from '../rounds.js';

/** Those of whom a target speaks. */
export const JUDGED = [OURS, RULES, FLOOR, AI_SDK, CREATE_AGENT];

/** A chat whose answer of 200 chunks comes in one write: what each chunk costs when nothing has to be waited for. */
export const burst: Scenario = {
  name: 'burst',
  async run(bench) {
    const cpuNs = await inTurn(
      bench,
      bench.running,
      (competitor) => cpuPerRequest(bench, competitor, { behaviour: CHAT }),
      JUDGED,
    );
    return { burstMs: Object.fromEntries(Object.entries(cpuNs).map(([name, ns]) => [name, ns / 1e6])) };
  },
};
