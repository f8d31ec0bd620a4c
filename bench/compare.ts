import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Behaviour, CHAT } from './behaviour.js';
import { directQuestion, questionFor } from './bench.js';
import { EVENT_SHAPES } from './event-shapes.js';
import { startLoad } from './load/start.js';
import { LOAD_CORE, pinSelf, startNode } from './processes.js';
import { LONG_HISTORY, SHORT_CHAT } from './scenarios/growth.js';
import { startService } from './service.js';
import { FULL } from './settings.js';
import { median } from './statistics.js';

/**
 * Holds checkouts of this project against each other, all running and asked in turn: what one change costs or earns. Where words
 * are paced, all are asked at once.
 * `npm run bench:compare -- . ../without-the-trick`; each must have been built. The first is what the others are
 * measured by.
 */

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chat: { type: 'string', default: 'burst' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
  },
});

const SHORT: Behaviour = { ...CHAT, words: 20 };
const TOOL_CHAT: Behaviour = { ...SHORT, tools: 3 };
const CLOSED_LOOPS: Readonly<Record<string, Behaviour>> = {
  burst: CHAT,
  short: SHORT,
  /** After 200 messages, with a tool on offer. */
  history: SHORT_CHAT,
  'one-tool': { ...TOOL_CHAT, calls: 1 },
  'three-tools': { ...TOOL_CHAT, calls: 3 },
  // The burst in the events of a provider, by its name.
  ...Object.fromEntries(EVENT_SHAPES.map(({ name }) => [name, { ...CHAT, shape: name }])),
};
const PACED: Behaviour = { ...CHAT, everyMs: 20 };
const WARM_UPS = 5;
/** They leave each other room enough: asked at the same time, whatever disturbs the machine disturbs all of them. */
const isPaced = asked.chat === 'paced';

// Whatever ends this ends what it has started.
process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));

pinSelf(LOAD_CORE);
const model = await startNode(['bench/model-server.ts'], { core: LOAD_CORE });
const contenders = await Promise.all(
  positionals.map(async (path) => ({
    path,
    service: await startService(model.url, { checkout: resolve(path) }),
    load: startLoad(),
    figures: [] as number[],
  })),
);
type Contender = (typeof contenders)[number];

try {
  for (let round = 1 - WARM_UPS; round <= Number(asked.rounds); round++) {
    const figures = isPaced ? await Promise.all(contenders.map(measure)) : await inTurn();
    if (round > 0) contenders.forEach((contender, i) => contender.figures.push(figures[i] ?? NaN));
    process.stderr.write(round > 0 ? `round ${String(round)} of ${asked.rounds}\n` : 'warming up\n');
  }
  console.table(contenders.map(row));
} finally {
  for (const { service, load } of contenders) {
    await service.stop();
    await load.stop();
  }
  await model.stop();
}

async function inTurn(): Promise<number[]> {
  const figures: number[] = [];
  for (const contender of contenders) figures.push(await measure(contender));
  return figures;
}

/** Microseconds of CPU for each chat, or for each word where the words are paced; of first words, of waiting. */
async function measure({ service, load }: Contender): Promise<number> {
  const stand = { ...service, modelFor: service.assistantFor };
  const { pid } = service;
  if (asked.chat === 'first-word') {
    const direct = { question: directQuestion(model.url, SHORT), toolMs: 0 };
    const question = await questionFor(stand, SHORT);
    const job = { direct, question, pairs: FULL.chatPairs };
    const { directMs, throughMs } = await load.do({ kind: 'first-token', ...job });
    return (median(throughMs) - median(directMs)) * 1000;
  }
  if (isPaced) {
    const { streams, leadMs } = FULL.paced;
    const question = await questionFor(stand, PACED);
    const job = { question, streams, leadMs, everyMs: PACED.everyMs, pid, ms: 3000 };
    const { cpuNs, words } = await load.do({ kind: 'paced', ...job });
    return cpuNs / words / 1000;
  }
  const behaviour = CLOSED_LOOPS[asked.chat];
  if (!behaviour) throw new Error(`There is ${Object.keys(CLOSED_LOOPS).join(', ')}, paced, first-word.`);
  const { concurrency } = FULL;
  const ms = 1000 * Number(asked.seconds);
  const messages = asked.chat === 'history' ? LONG_HISTORY : undefined;
  const question = await questionFor(stand, behaviour, messages);
  const { cpuNs, requests } = await load.do({ kind: 'closed-loop', question, concurrency, ms, pid });
  return cpuNs / requests / 1000;
}

function row({ path, figures }: Contender, _place: number, [first]: readonly Contender[]) {
  const sorted = [...figures].sort((a, b) => a - b);
  const inPairs = figures.map((figure, i) => figure / (first?.figures[i] ?? NaN) - 1);
  const percent = (part: number) => Number((100 * part).toFixed(1));
  return {
    checkout: path,
    'µs, median': Number(median(figures).toFixed(1)),
    least: Number(sorted[0]?.toFixed(1)),
    most: Number(sorted.at(-1)?.toFixed(1)),
    '% over the first': percent(median(inPairs)),
    'from %': percent(Math.min(...inPairs)),
    'to %': percent(Math.max(...inPairs)),
  };
}
