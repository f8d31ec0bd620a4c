import { type Behaviour, CHAT } from '../behaviour.js';
import type { Bench, Scenario } from '../bench.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';

/** A model that asks for tools once and then answers shortly: what the loop costs. */
const withCalls = (calls: number): Behaviour => ({ ...CHAT, words: 20, calls, tools: 3 });

export const tools: Scenario = {
  name: 'tools',
  async run(bench) {
    return { oneToolMs: await measure(bench, 1), threeToolsMs: await measure(bench, 3) };
  },
};

async function measure(bench: Bench, calls: number) {
  const able = bench.running.filter(({ contender }) => contender.runsTools);
  const behaviour = withCalls(calls);
  await warmUp(bench, able, behaviour);
  return await inTurn(
    bench,
    able,
    async (competitor) => (await cpuPerRequest(bench, competitor, { behaviour })) / 1e6,
  );
}
