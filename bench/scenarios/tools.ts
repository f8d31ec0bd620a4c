import { type Behaviour, CHAT } from '../behaviour.js';
import type { Scenario } from '../bench.js';
import { CREATE_AGENT, OURS, RULES } from '../contenders.js';
import { cpuPerRequest, eachInTurn, medians, ratiosTo, warmUp } from '../rounds.js';

/** A model that asks for tools once and then answers shortly: what the loop costs. */
export const withCalls = (calls: number): Behaviour => ({ ...CHAT, words: 20, calls, tools: 3 });

export const tools: Scenario = {
  name: 'tools',
  async run(bench) {
    const able = bench.running.filter(({ contender }) => contender.runsTools);
    const judged = [OURS, RULES, CREATE_AGENT];
    const measure = (behaviour: Behaviour) =>
      eachInTurn(
        bench,
        able,
        async (competitor) => (await cpuPerRequest(bench, competitor, { behaviour })) / 1e6,
        { judged, rounds: bench.settings.rounds },
      );
    // Whoever has run three at once has run one.
    await warmUp(bench, able, withCalls(3), judged);
    const [one, three] = [await measure(withCalls(1)), await measure(withCalls(3))];
    return {
      oneToolMs: medians(one),
      threeToolsMs: medians(three),
      oneToolOfCreateAgent: ratiosTo(CREATE_AGENT, one),
      threeToolsOfCreateAgent: ratiosTo(CREATE_AGENT, three),
    };
  },
};
