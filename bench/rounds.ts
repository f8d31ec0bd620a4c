import type { Behaviour } from './behaviour.js';
import { type Bench, type Competitor, type Figures, type Message, questionFor } from './bench.js';
import { machineTime, stolenSince } from './cpu.js';
import { median } from './statistics.js';

/** Medians of what everybody needs in turn. */
export async function inTurn(
  bench: Bench,
  competitors: readonly Competitor[],
  measure: (competitor: Competitor) => Promise<number>,
  judged: readonly string[] = competitors.map(({ contender }) => contender.name),
): Promise<Figures> {
  return medians(await eachInTurn(bench, competitors, measure, { judged, rounds: bench.settings.rounds }));
}

type Measured = ReadonlyMap<string, readonly number[]>;

/**
 * Measures everybody in turn, round after round, so that what disturbs the machine disturbs all. Of those that no target is
 * about, which are for comparison, the first round is enough.
 */
export async function eachInTurn(
  bench: Bench,
  competitors: readonly Competitor[],
  measure: (competitor: Competitor) => Promise<number>,
  { judged, rounds }: { readonly judged: readonly string[]; readonly rounds: number },
): Promise<Measured> {
  const measured = new Map<string, number[]>();
  const failed = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    for (const competitor of competitors) {
      const { name } = competitor.contender;
      if (failed.has(name) || (round > 1 && !judged.includes(name))) continue;
      try {
        const value = await (judged.includes(name)
          ? undisturbed(() => measure(competitor))
          : measure(competitor));
        measured.set(name, [...(measured.get(name) ?? []), value]);
      } catch (fault) {
        failed.add(name);
        measured.delete(name);
        bench.fail(name, reasonOf(fault));
      }
    }
    bench.say(`round ${String(round)} of ${String(rounds)}`);
  }
  return measured;
}

export const medians = (measured: Measured): Figures =>
  Object.fromEntries([...measured].map(([name, values]) => [name, median(values)]));

/** By what the floor needed in the same round: a ratio of figures from different moments is worth little. */
export function ratiosTo(floor: string, measured: Measured): Figures {
  const below = measured.get(floor) ?? [];
  const whole = [...measured].filter(([, values]) => values.length === below.length);
  return medians(
    new Map(whole.map(([name, values]) => [name, values.map((value, i) => value / (below[i] ?? NaN))])),
  );
}

/** Where the host takes more than that, times are longer than they are, and not for everybody alike. */
const MOST_STOLEN = 0.02;
const MOST_TRIES = 2;

/** Measures again what was disturbed from outside the machine; the least disturbed counts. */
export async function undisturbed(
  measure: () => Promise<number>,
  look: { readonly begin: () => () => number } = { begin: watchHost },
): Promise<number> {
  let best = { value: NaN, stolen: Infinity };
  for (let time = 1; time <= MOST_TRIES && best.stolen > MOST_STOLEN; time++) {
    const taken = look.begin();
    const value = await measure();
    const stolen = taken();
    if (stolen < best.stolen) best = { value, stolen };
  }
  return best.value;
}

function watchHost(): () => number {
  const before = machineTime();
  return () => stolenSince(before);
}

export const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** CPU nanoseconds of one request, from a closed loop. */
export async function cpuPerRequest(
  bench: Bench,
  { stand, before }: Competitor,
  asked: { readonly behaviour: Behaviour; readonly messages?: readonly Message[]; readonly ms?: number },
): Promise<number> {
  const { settings, load } = bench;
  await before?.();
  const { requests, cpuNs } = await load.do({
    kind: 'closed-loop',
    question: await questionFor(stand, asked.behaviour, asked.messages),
    concurrency: settings.concurrency,
    ms: asked.ms ?? settings.roundMs,
    pid: stand.pid,
  });
  return cpuNs / requests;
}

/** So many, and each so short that what disturbs the machine disturbs both; but not so short that beginning is most of it. */
const PAIRS = { aRound: 4, ofARound: 1 / 2 };

/**
 * What a request costs one service by what it costs another; both are warm. One figure is worth little, and neither is a ratio
 * of figures from different moments: many pairs.
 */
export async function pairedRatio(
  bench: Bench,
  service: Competitor,
  without: Competitor,
  behaviour: Behaviour,
): Promise<number> {
  const ms = bench.settings.roundMs * PAIRS.ofARound;
  return await inPairs(bench, [service, without], PAIRS.aRound, (competitor) =>
    cpuPerRequest(bench, competitor, { behaviour, ms }),
  );
}

/** What the first costs by what the second does: the median of so many pairs a round. */
export async function inPairs(
  bench: Bench,
  [service, without]: readonly [Competitor, Competitor],
  pairsARound: number,
  measure: (competitor: Competitor) => Promise<number>,
): Promise<number> {
  const { rounds } = bench.settings;
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (let pair = 0; pair < pairsARound; pair++) {
      // In turn the one or the other first: a machine that grows slower favours nobody.
      const isTurned = pair % 2 === 1;
      const [first, second] = isTurned ? [service, without] : [without, service];
      ratios.push(
        await undisturbed(async () => {
          const before = await measure(first);
          const after = await measure(second);
          return isTurned ? before / after : after / before;
        }),
      );
    }
    bench.say(`round ${String(round)} of ${String(rounds)}`);
  }
  return median(ratios);
}

/** Colder than this in comparison with the next time, and it is not warm. */
const STILL_FALLING = 1.05;
/** A machine that grows slower looks like a service that is warm. */
const TIMES_FLAT = 2;

/**
 * Asks each of them this until compilers have done their work: the figure falls no more. A cold floor would flatter
 * everybody who is measured by it; those that nobody is measured by are asked once. Whoever fails here will fail again,
 * where it counts.
 */
export async function warmUp(
  bench: Bench,
  competitors: readonly Competitor[],
  behaviour: Behaviour,
  judged: readonly string[] = competitors.map(({ contender }) => contender.name),
): Promise<void> {
  const { ms } = bench.settings.warmUp;
  for (const competitor of competitors) {
    const most = judged.includes(competitor.contender.name) ? bench.settings.warmUp.most : 1;
    let least = Infinity;
    let timesFlat = 0;
    for (let time = 1; time <= most && timesFlat < TIMES_FLAT; time++) {
      const now = await cpuPerRequest(bench, competitor, { behaviour, ms }).catch(() => Infinity);
      timesFlat = least < now * STILL_FALLING ? timesFlat + 1 : 0;
      least = Math.min(least, now);
    }
  }
  bench.say('warm');
}
