import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../behaviour.js';
import type { Bench, Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { makeLarge } from '../large-database.js';
import { pairedRatio, warmUp } from '../rounds.js';
import { type BenchService, startService } from '../service.js';

/** The burst figure on a large database, beside the same on a fresh one, of two services of the same age. */
export const largeDatabase: Scenario = {
  name: 'large-database',
  async run(bench) {
    const ours = bench.running.find(({ contender }) => contender.name === OURS);
    if (!ours) return {};
    const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
    try {
      await (await startService(bench.modelUrl, { dataDir })).stop();
      bench.say('filling a database');
      await makeLarge(dataDir, bench.settings.database);
      return { largeRatio: { [OURS]: await compare(bench, ours, dataDir) } };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function compare(bench: Bench, ours: Competitor, dataDir: string): Promise<number> {
  const [large, fresh] = await Promise.all([
    startService(bench.modelUrl, { dataDir }),
    startService(bench.modelUrl),
  ]);
  const as = (service: BenchService): Competitor => ({
    ...ours,
    stand: { ...service, modelFor: service.assistantFor },
  });
  try {
    const both = [as(large), as(fresh)] as const;
    await warmUp(bench, both, CHAT);
    return await pairedRatio(bench, ...both, CHAT);
  } finally {
    await Promise.all([large.stop(), fresh.stop()]);
  }
}
