import { type Behaviour, CHAT } from '../behaviour.js';
import type { Bench, Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';
import { type BenchService, post, startService } from '../service.js';

const WITH = `${OURS}-budgets`;

/** The burst figure with three budgets on the way, beside the same without any. */
export const budgets: Scenario = {
  name: 'budgets',
  async run(bench) {
    const without = bench.running.find(({ contender }) => contender.name === OURS);
    if (!without) return {};
    const service = await startService(bench.modelUrl);
    try {
      await setBudgets(service, CHAT);
      return await compare(bench, without, service);
    } finally {
      await service.stop();
    }
  },
};

async function compare(bench: Bench, without: Competitor, service: BenchService) {
  const stand = { ...service, modelFor: service.assistantFor };
  const limited: Competitor = { contender: { ...without.contender, name: WITH }, stand };
  await warmUp(bench, [without, limited], CHAT);
  const cpuNs = await inTurn(bench, [without, limited], (competitor) =>
    cpuPerRequest(bench, competitor, { behaviour: CHAT }),
  );
  return { budgetsRatio: { [OURS]: (cpuNs[WITH] ?? NaN) / (cpuNs[OURS] ?? NaN) } };
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
