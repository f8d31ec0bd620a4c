import { fileURLToPath } from 'node:url';
import type { Answered, ClassResult } from '../load/jobs.js';
import type { Turn } from '../model-turns.js';
import { percentile } from '../statistics.js';
import { type Gaps, mostOpen, openAt, type Overhead, overheadOf } from './overhead.js';
import type { Lateness, LoopLine, Sample } from './watch.js';

/** Where a full run is kept: the figures and the picture of the documentation come from nowhere else. */
export const CLASS_RESULTS = fileURLToPath(new URL('../results/class-of-300.json', import.meta.url));

/** Everything that was seen of a class. */
export interface Seen {
  readonly result: ClassResult;
  /** The model's ledger of these questions. */
  readonly turns: readonly Turn[];
  readonly samples: readonly Sample[];
  readonly loop: readonly LoopLine[];
}

export interface Spread {
  /** What it is while nothing else on the machine comes in between. */
  readonly p5: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Findings {
  readonly questions: number;
  readonly wholeAnswers: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly firstWord: Spread;
  readonly gaps: Readonly<Record<keyof Gaps, Spread>>;
  readonly everyWord: Spread;
  readonly words: number;
  readonly cpuSeconds: number;
  readonly cpuMsPerQuestion: number;
  readonly cpuPercent: { readonly mean: number; readonly max: number };
  /** How long its main thread was ready to run while others had its core: all that is late by them is in the times. */
  readonly waitedSeconds: number;
  readonly rssMb: { readonly before: number; readonly max: number; readonly after: number };
  readonly eventLoop: Lateness;
  readonly mostStreams: { readonly clients: number; readonly model: number };
  readonly timeline: Timeline;
  readonly faults: readonly string[];
}

/** Points over seconds since the class began. */
export interface Timeline {
  readonly clientStreams: readonly Point[];
  readonly modelStreams: readonly Point[];
  readonly cpuPercent: readonly Point[];
  readonly rssMb: readonly Point[];
  readonly loopP99: readonly Point[];
  readonly loopMax: readonly Point[];
}

type Point = readonly [seconds: number, value: number];

export function findingsOf(seen: Seen): Findings {
  const { result, samples, loop } = seen;
  const { answers, beganAt } = result;
  const judged = answers.map((answered) => judge(answered, seen));
  const whole = judged.flatMap(({ overhead }) => overhead ?? []);
  const words = whole.flatMap(({ wordsMs }) => wordsMs);
  const timeline = timelineOf(seen);
  const seconds = (Math.max(...answers.map(({ endedAt }) => endedAt)) - beganAt) / 1000;
  const grown = (of: (sample: Sample) => number) =>
    samples.length === 0 ? NaN : of(samples.at(-1) as Sample) - of(samples[0] as Sample);
  const cpuSeconds = grown(({ cpuNs }) => cpuNs) / 1e9;
  const memory = samples.map(({ rssKb }) => rssKb / 1024);
  const gap = (name: keyof Gaps) => spreadOf(whole.map(({ gaps }) => gaps[name]));
  return {
    ...{ questions: answers.length, wholeAnswers: whole.length, seconds },
    firstWord: spreadOf(whole.map(({ firstMs }) => firstMs)),
    gaps: {
      toModel: gap('toModel'),
      toChild: gap('toChild'),
      toAnswer: gap('toAnswer'),
      toClient: gap('toClient'),
    },
    ...{ everyWord: spreadOf(words), words: words.length },
    ...{ cpuSeconds, cpuMsPerQuestion: (cpuSeconds * 1000) / answers.length },
    cpuPercent: {
      mean: (cpuSeconds / seconds) * 100,
      max: Math.max(...timeline.cpuPercent.map(([, value]) => value)),
    },
    waitedSeconds: grown(({ waitedNs }) => waitedNs) / 1e9,
    rssMb: { before: memory[0] ?? NaN, max: Math.max(...memory), after: memory.at(-1) ?? NaN },
    eventLoop: loop.at(-1)?.inAll ?? { p50: NaN, p99: NaN, max: NaN },
    mostStreams: { clients: mostOpen(clientSpans(seen)), model: mostOpen(modelSpans(seen)) },
    ...{ timeline, faults: judged.flatMap(({ fault }) => fault ?? []) },
  };
}

interface Judged {
  readonly overhead?: Overhead;
  readonly fault?: string;
}

/** Whole is what its reader and the model both say is whole. */
function judge(answered: Answered, { turns }: Seen): Judged {
  const overhead =
    answered.fault ??
    overheadOf(
      answered,
      turns.filter(({ id }) => id === answered.id),
    );
  return typeof overhead === 'string' ? { fault: `${answered.id}: ${overhead}` } : { overhead };
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [p5, p50, p99] = [5, 50, 99].map((percent) => percentile(values, percent)) as [
    number,
    number,
    number,
  ];
  return { p5, p50, p99, max: sorted.at(-1) ?? NaN };
}

const clientSpans = ({ result }: Seen) =>
  result.answers.map(({ sentAt, endedAt }) => ({ from: sentAt, to: endedAt }));

const modelSpans = ({ turns }: Seen) =>
  turns.map(({ askedAt, endedAt = Infinity }) => ({ from: askedAt, to: endedAt }));

function timelineOf(seen: Seen): Timeline {
  const { result, samples, loop } = seen;
  const since = (at: number) => (at - result.beganAt) / 1000;
  const moments = samples.map(({ at }) => at).filter((at) => at >= result.beganAt);
  const points = (values: readonly number[]) =>
    values.map((value, i): Point => [since(moments[i] ?? NaN), value]);
  const cpu = samples.slice(1).map((sample, i): Point => {
    const before = samples[i] ?? sample;
    return [since(sample.at), (sample.cpuNs - before.cpuNs) / (sample.at - before.at) / 1e4];
  });
  return {
    clientStreams: points(openAt(clientSpans(seen), moments)),
    modelStreams: points(openAt(modelSpans(seen), moments)),
    cpuPercent: cpu.filter(([at]) => at > 0),
    rssMb: samples.map((sample): Point => [since(sample.at), sample.rssKb / 1024]).filter(([at]) => at > 0),
    loopP99: loop.map(({ at, lately }): Point => [since(at), lately.p99]),
    loopMax: loop.map(({ at, lately }): Point => [since(at), lately.max]),
  };
}
