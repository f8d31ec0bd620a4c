import { type Behaviour, CHAT } from '../behaviour.js';
import type { Bench, Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { cpuPerRequest, warmUp } from '../rounds.js';
import { type BenchService, post, startService } from '../service.js';
import { median } from '../statistics.js';

/** So short that what disturbs the machine disturbs both of a pair. */
const PAIRS_A_ROUND = 10;

/** The burst figure with three budgets on the way, beside the same without any, of two services of the same age. */
export const budgets: Scenario = {
  name: 'budgets',
  async run(bench) {
    const ours = bench.running.find(({ contender }) => contender.name === OURS);
    if (!ours) return {};
    const [plain, limited] = await Promise.all([startService(bench.modelUrl), startService(bench.modelUrl)]);
    const as = (service: BenchService): Competitor => ({
      ...ours,
      stand: { ...service, modelFor: service.assistantFor },
    });
    try {
      await setBudgets(limited, CHAT);
      return { budgetsRatio: { [OURS]: await ratioOf(bench, as(limited), as(plain)) } };
    } finally {
      await Promise.all([plain.stop(), limited.stop()]);
    }
  },
};

/** One figure is worth little, and neither is a ratio of figures from different moments: the median of many pairs. */
async function ratioOf(bench: Bench, limited: Competitor, without: Competitor): Promise<number> {
  await warmUp(bench, [without, limited], CHAT);
  const { rounds, roundMs } = bench.settings;
  const measure = (competitor: Competitor) =>
    cpuPerRequest(bench, competitor, { behaviour: CHAT, ms: (roundMs * 2) / PAIRS_A_ROUND });
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (let pair = 0; pair < PAIRS_A_ROUND; pair++) {
      const floor = await measure(without);
      ratios.push((await measure(limited)) / floor);
    }
    bench.say(`round ${String(round)} of ${String(rounds)}`);
  }
  return median(ratios);
}

/** Of the organisation, the person and the assistant, each so large that nobody is refused. */
async function setBudgets(service: BenchService, behaviour: Behaviour): Promise<void> {
  const assistant = Number((await service.assistantFor(behaviour)).split('.').at(-1));
  for (const scope of [
    { type: 'organization', id: 1 },
    { type: 'user', id: service.learner },
    { type: 'assistant', id: assistant },
  ]) {
    const budget = { scope, unit: 'tokens', amount: 1_000_000_000_000, period: 'month' };
    const { status, json } = await post(service.url, '/lamb/v1/budgets', budget);
    if (status !== 201) throw new Error(`The budget was not made: ${JSON.stringify(json)}`);
  }
}
