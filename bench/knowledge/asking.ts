import { median, percentile } from '../statistics.js';
import type { Finder } from './contenders.js';
import type { KnownQuestion } from './corpus.js';

export interface AskingSettings {
  /** Asked before anything is measured. */
  readonly warmUps: number;
  /** One after the other, for the latency. */
  readonly questions: number;
  /** Then by so many at once, for so long. */
  readonly clients: number;
  readonly ms: number;
}

export interface Asked {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly perSecond: number;
  readonly cpuMs: number;
  /** Of 1: how often the passage was found that the question was made from. */
  readonly found: number;
}

/** No question is asked twice until all are used up: an answer that was kept would tell nothing. */
export async function measureAsking(
  finder: Finder,
  questions: readonly KnownQuestion[],
  settings: AskingSettings,
): Promise<Asked> {
  let next = 0;
  const ask = async () => {
    const question = questions[next % questions.length];
    next += 1;
    if (!question) throw new Error('There are no questions.');
    const found = await finder.ask(question.text);
    if (found.length === 0) throw new Error(`Nothing was found for "${question.text}".`);
    return found.includes(question.passage);
  };
  for (let i = 0; i < settings.warmUps; i += 1) await ask();

  const times: number[] = [];
  let right = 0;
  for (let i = 0; i < settings.questions; i += 1) {
    const since = performance.now();
    if (await ask()) right += 1;
    times.push(performance.now() - since);
  }
  return {
    p50Ms: median(times),
    p95Ms: percentile(times, 95),
    ...(await throughput(finder, ask, settings)),
    found: right / settings.questions,
  };
}

async function throughput(
  finder: Finder,
  ask: () => Promise<unknown>,
  { clients, ms }: AskingSettings,
): Promise<Pick<Asked, 'perSecond' | 'cpuMs'>> {
  const used = finder.cpuSeconds();
  const since = performance.now();
  const client = async () => {
    let answered = 0;
    for (; performance.now() - since < ms; answered += 1) await ask();
    return answered;
  };
  const answered = await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - since) / 1_000;
  const sum = answered.reduce((all, one) => all + one, 0);
  return { perSecond: sum / seconds, cpuMs: (1_000 * (finder.cpuSeconds() - used)) / sum };
}
