import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figures, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { startService } from '../service.js';
import { median } from '../statistics.js';

/** Without tools of somebody's own: those are lent our modules, which costs a start more than all the rest. */
const AS_DELIVERED = { TOOLS_DIR: '' };

/** From being spawned to listening; our service on a database that it has brought up to date before. */
export const start: Scenario = {
  name: 'start',
  async run(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
    try {
      await (await startService(bench.modelUrl, { dataDir, env: AS_DELIVERED })).stop();
      return { startMs: await startAll(bench, dataDir) };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function startAll(bench: Bench, dataDir: string): Promise<Figures> {
  const times = new Map<string, number[]>();
  for (let time = 1; time <= bench.settings.starts; time++) {
    for (const { contender } of bench.running) {
      const running =
        contender.name === OURS
          ? await startService(bench.modelUrl, { dataDir, env: AS_DELIVERED })
          : await contender.start(bench.modelUrl);
      times.set(contender.name, [...(times.get(contender.name) ?? []), running.startedInMs]);
      await running.stop();
    }
    bench.say(`start ${String(time)} of ${String(bench.settings.starts)}`);
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, median(values)]));
}
