import { CHAT } from '../behaviour.js';
import type { Bench, Competitor, Figures, Scenario } from '../bench.js';
import { FLOOR, OURS } from '../contenders.js';
import { EVENT_SHAPES } from '../event-shapes.js';
import { cpuPerRequest, inPairs, pairedRatio, warmUp } from '../rounds.js';
import { median } from '../statistics.js';
import { cpuPerPacedWord } from './paced.js';

/** There are many of them, and they differ by little: many turns, each for so much of a round. */
const SHARE = 1 / 6;
const TURNS = { burst: 9, paced: 2 };
/** Of the two outermost, a round. */
const PACED_PAIRS = 2;
const PACED = { words: 60, leadMs: 300 };

/** Burst and paced chats in the events of each provider: what they add of their own must cost next to nothing. */
export const shapes: Scenario = {
  name: 'shapes',
  async run(bench) {
    const [ours, floor] = [OURS, FLOOR].map((name) => inShapes(bench, name));
    if (!ours || !floor) return {};
    const isShort = bench.settings.rounds === 1;
    const paced = isShort ? bench.settings.paced : { ...bench.settings.paced, ...PACED };
    const pacing: Bench = { ...bench, settings: { ...bench.settings, paced } };
    const shapeBurstMs = await burst(bench, ours, isShort ? 1 : TURNS.burst);
    const perPacedWord = (shape: Competitor) => cpuPerPacedWord(pacing, shape, paced.words);
    const shapePacedUs = await inManyTurns(bench, ours, isShort ? 1 : TURNS.paced, perPacedWord);
    // Anew: of many figures that move, the largest is too large and the smallest too small.
    const [dearest, cheapest] = outermost(ours, shapeBurstMs);
    const burstRatio = await pairedRatio(bench, dearest, cheapest, CHAT);
    const pacedRatio = await inPairs(bench, outermost(ours, shapePacedUs), PACED_PAIRS, perPacedWord);
    return {
      shapeBurstMs,
      shapeBurstRatio: { [OURS]: burstRatio },
      // For comparison only: once.
      shapeFloorMs: await burst(bench, floor, 1),
      shapePacedUs,
      shapePacedRatio: { [OURS]: pacedRatio },
    };
  },
};

/** The dearest and the cheapest. */
function outermost(all: readonly Competitor[], figures: Figures): readonly [Competitor, Competitor] {
  const figureOf = ({ contender }: Competitor) => figures[contender.name] ?? NaN;
  const cheapest = all.reduce((best, one) => (figureOf(one) < figureOf(best) ? one : best));
  const dearest = all.reduce((best, one) => (figureOf(one) > figureOf(best) ? one : best));
  return [dearest, cheapest];
}

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

async function burst(bench: Bench, all: readonly Competitor[], turns: number): Promise<Figures> {
  await warmUp(bench, all.slice(0, 1), CHAT);
  const ms = bench.settings.roundMs * SHARE;
  return await inManyTurns(
    bench,
    all,
    turns,
    async (shape) => (await cpuPerRequest(bench, shape, { behaviour: CHAT, ms })) / 1e6,
  );
}

/**
 * Figures that differ by little are held against those of the same turn, in which the machine was as fast or slow for all:
 * the median of those ratios, by the median of turns. Each turn begins with another one.
 */
async function inManyTurns(
  bench: Bench,
  all: readonly Competitor[],
  turns: number,
  measure: (competitor: Competitor) => Promise<number>,
): Promise<Figures> {
  const usual: number[] = [];
  const ratios = new Map(all.map(({ contender }) => [contender.name, [] as number[]]));
  for (let turn = 0; turn < turns; turn++) {
    const first = Math.floor((turn * all.length) / turns);
    const figures: [string, number][] = [];
    for (const one of [...all.slice(first), ...all.slice(0, first)])
      figures.push([one.contender.name, await measure(one)]);
    const middle = median(figures.map(([, figure]) => figure));
    usual.push(middle);
    for (const [name, figure] of figures) ratios.get(name)?.push(figure / middle);
    bench.say(`turn ${String(turn + 1)} of ${String(turns)}`);
  }
  return Object.fromEntries([...ratios].map(([name, all]) => [name, median(all) * median(usual)]));
}
