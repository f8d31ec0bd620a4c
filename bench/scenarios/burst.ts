import { CHAT } from '../behaviour.js';
import type { Scenario } from '../bench.js';
import { AI_SDK, CREATE_AGENT, FLOOR, OURS, RULES } from '../contenders.js';
import { cpuPerRequest, eachInTurn, medians, ratiosTo } from '../rounds.js';

/** Those of whom a target speaks. */
export const JUDGED = [OURS, RULES, FLOOR, AI_SDK, CREATE_AGENT];

/** A chat whose answer of 200 chunks comes in one write: what each chunk costs when nothing has to be waited for. */
export const burst: Scenario = {
  name: 'burst',
  async run(bench) {
    const measured = await eachInTurn(
      bench,
      bench.running,
      async (competitor) => (await cpuPerRequest(bench, competitor, { behaviour: CHAT })) / 1e6,
      { judged: JUDGED, rounds: bench.settings.rounds },
    );
    return {
      burstMs: medians(measured),
      burstRatio: ratiosTo(FLOOR, measured),
      burstOfCreateAgent: ratiosTo(CREATE_AGENT, measured),
      burstOfAiSdk: ratiosTo(AI_SDK, measured),
    };
  },
};
