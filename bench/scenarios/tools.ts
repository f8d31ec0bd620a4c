import { type Behaviour, CHAT } from '../behaviour.js';
import type { Scenario } from '../bench.js';
import { CREATE_AGENT, OURS, RULES } from '../contenders.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';

/** A model that asks for tools once and then answers shortly: what the loop costs. */
export const withCalls = (calls: number): Behaviour => ({ ...CHAT, words: 20, calls, tools: 3 });

export const tools: Scenario = {
  name: 'tools',
  async run(bench) {
    const able = bench.running.filter(({ contender }) => contender.runsTools);
    const judged = [OURS, RULES, CREATE_AGENT];
    const measure = (behaviour: Behaviour) =>
      inTurn(
        bench,
        able,
        async (competitor) => (await cpuPerRequest(bench, competitor, { behaviour })) / 1e6,
        judged,
      );
    // Whoever has run three at once has run one.
    await warmUp(bench, able, withCalls(3), judged);
    return { oneToolMs: await measure(withCalls(1)), threeToolsMs: await measure(withCalls(3)) };
  },
};
