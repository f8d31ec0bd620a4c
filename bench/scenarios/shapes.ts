import { CHAT } from '../behaviour.js';
import type { Bench, Competitor, Figures, Scenario } from '../bench.js';
import { FLOOR, OURS } from '../contenders.js';
import { EVENT_SHAPES } from '../event-shapes.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';
import { cpuPerPacedWord, LEAST_WORDS } from './paced.js';

/** There are many of them: each is measured for so much of a round. */
const SHARE = 1 / 4;

/** Burst and paced chats in the events of each provider: what they add of their own must cost next to nothing. */
export const shapes: Scenario = {
  name: 'shapes',
  async run(bench) {
    const [ours, floor] = [OURS, FLOOR].map((name) => inShapes(bench, name));
    if (!ours || !floor) return {};
    const shapeBurstMs = inMs(await burst(bench, ours));
    // For comparison only: once.
    const once = { ...bench, settings: { ...bench.settings, rounds: 1 } };
    const shapeFloorMs = inMs(await burst(once, floor));
    const words = Math.max(LEAST_WORDS, bench.settings.paced.words / 2);
    const shapePacedUs = await inTurn(bench, ours, (competitor) => cpuPerPacedWord(bench, competitor, words));
    return { shapeBurstMs, shapeFloorMs, shapePacedUs };
  },
};

/** One contender, once for each shape, under its name. */
function inShapes({ running }: Bench, name: string): readonly Competitor[] | undefined {
  const found = running.find(({ contender }) => contender.name === name);
  return (
    found &&
    EVENT_SHAPES.map((shape) => ({
      contender: { ...found.contender, name: shape.name },
      stand: {
        ...found.stand,
        modelFor: (behaviour) => found.stand.modelFor({ ...behaviour, shape: shape.name }),
      },
    }))
  );
}

async function burst(bench: Bench, competitors: readonly Competitor[]): Promise<Figures> {
  await warmUp(bench, competitors.slice(0, 1), CHAT);
  const ms = bench.settings.roundMs * SHARE;
  return await inTurn(bench, competitors, (competitor) =>
    cpuPerRequest(bench, competitor, { behaviour: CHAT, ms }),
  );
}

const inMs = (ns: Figures): Figures =>
  Object.fromEntries(Object.entries(ns).map(([name, value]) => [name, value / 1e6]));
