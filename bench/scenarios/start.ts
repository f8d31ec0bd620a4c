import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figures, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import type { Running } from '../processes.js';
import { type ServiceOptions, startService } from '../service.js';
import { median } from '../statistics.js';

/** Without tools of somebody's own: those are lent our modules, which costs a start more than all the rest. */
const AS_DELIVERED = { TOOLS_DIR: '' };

/** From being spawned to listening; our service on a database that it has brought up to date before. */
export const start: Scenario = {
  name: 'start',
  async run(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
    try {
      await startAsDelivered(bench.modelUrl, { dataDir });
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
      if (time > 1 && contender.name !== OURS) continue;
      const ms =
        contender.name === OURS
          ? await startAsDelivered(bench.modelUrl, { dataDir })
          : await timed(contender.start(bench.modelUrl));
      times.set(contender.name, [...(times.get(contender.name) ?? []), ms]);
    }
    bench.say(`start ${String(time)} of ${String(bench.settings.starts)}`);
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, median(values)]));
}

/** Starts our service and stops it again; the milliseconds until it listened. */
export function startAsDelivered(modelUrl: string, options: ServiceOptions): Promise<number> {
  return timed(startService(modelUrl, { ...options, env: AS_DELIVERED }));
}

async function timed(starting: Promise<Running>): Promise<number> {
  const running = await starting;
  await running.stop();
  return running.startedInMs;
}
