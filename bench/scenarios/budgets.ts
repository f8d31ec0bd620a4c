import { type Behaviour, CHAT } from '../behaviour.js';
import type { Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { pairedRatio } from '../rounds.js';
import { type BenchService, post, startService } from '../service.js';

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
      return { budgetsRatio: { [OURS]: await pairedRatio(bench, as(limited), as(plain), CHAT) } };
    } finally {
      await Promise.all([plain.stop(), limited.stop()]);
    }
  },
};

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
