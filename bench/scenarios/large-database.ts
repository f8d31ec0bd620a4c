import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../behaviour.js';
import type { Bench, Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { makeLarge } from '../large-database.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';
import { startService } from '../service.js';

/** The burst figure on a large database, beside the same on a fresh one. */
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
      return await compare(bench, ours, dataDir);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function compare(bench: Bench, fresh: Competitor, dataDir: string) {
  const service = await startService(bench.modelUrl, { dataDir });
  try {
    const stand = { ...service, modelFor: service.assistantFor };
    const large: Competitor = { contender: { ...fresh.contender, name: `${OURS}-large` }, stand };
    await warmUp(bench, [fresh, large], CHAT);
    const cpuNs = await inTurn(bench, [fresh, large], (competitor) =>
      cpuPerRequest(bench, competitor, { behaviour: CHAT }),
    );
    return { largeRatio: { [OURS]: (cpuNs[`${OURS}-large`] ?? NaN) / (cpuNs[OURS] ?? NaN) } };
  } finally {
    await service.stop();
  }
}
