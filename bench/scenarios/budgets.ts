import { CHAT } from '../behaviour.js';
import type { Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { pairedRatio, warmUp } from '../rounds.js';
import { type BenchService, post, startService } from '../service.js';

/**
 * The burst figure with three budgets on the way, beside the same without any. Of one service and with two keys of one
 * person: two services differ by several per cent by what their compilers happened to do.
 */
export const budgets: Scenario = {
  name: 'budgets',
  async run(bench) {
    const ours = bench.running.find(({ contender }) => contender.name === OURS);
    if (!ours) return {};
    const service = await startService(bench.modelUrl);
    try {
      const plain = { ...ours, stand: { ...service, modelFor: service.assistantFor } };
      const limited = { ...plain, stand: { ...plain.stand, key: await limitedKey(service) } };
      await warmUp(bench, [plain, limited], CHAT);
      return { budgetsRatio: { [OURS]: await pairedRatio(bench, limited, plain, CHAT) } };
    } finally {
      await service.stop();
    }
  },
};

/** One with three budgets, each so large that nobody is refused. */
async function limitedKey({ url, learner }: BenchService): Promise<string> {
  const made = await post(url, '/lamb/v1/api-keys', { name: 'Limited', user_email: learner });
  const { id, key } = made.json as { readonly id: number; readonly key: string };
  for (const period of ['day', 'week', 'month']) {
    const budget = { scope: { type: 'api_key', id }, unit: 'tokens', amount: 1_000_000_000_000, period };
    const { status, json } = await post(url, '/lamb/v1/budgets', budget);
    if (status !== 201) throw new Error(`The budget was not made: ${JSON.stringify(json)}`);
  }
  return key;
}
