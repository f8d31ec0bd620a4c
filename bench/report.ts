import { CHAT } from './behaviour.js';
import { FLOOR, onOther, OURS, RULES } from './contenders.js';
import { answerIn, EVENT_SHAPES, USUAL_ID } from './event-shapes.js';
import { significant } from './pictures/charts.js';
import { type Reason, REASONS } from './reasons.js';
import type { Results } from './results.js';
import type { Row } from './targets.js';
import { tellBefore, trendOf } from './trend.js';

/** Tables in Markdown, which a terminal shows as well as a page does. */

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
}

const MEASURED: readonly { readonly measure: string; readonly title: string }[] = [
  { measure: 'burstMs', title: 'burst, CPU ms a chat' },
  { measure: 'pacedUs', title: 'paced, CPU µs a chunk' },
  { measure: 'oneToolMs', title: 'one tool, CPU ms' },
  { measure: 'threeToolsMs', title: 'three tools, CPU ms' },
  { measure: 'firstChatMs', title: 'first token + ms, chat' },
  { measure: 'firstOneToolMs', title: '+ ms, one tool' },
  { measure: 'firstThreeToolsMs', title: '+ ms, three tools' },
  { measure: 'streamKb', title: 'KB a stream' },
  { measure: 'streamsLeft', title: 'streams left' },
  { measure: 'messageUs', title: 'µs a message' },
  { measure: 'toolUs', title: 'µs a tool' },
  { measure: 'startMs', title: 'start ms' },
];

export function targetTable(rows: readonly Row[]): string {
  const hasTrend = rows.some(({ before }) => before !== undefined);
  const hasRules = rows.some(({ rulesAlone }) => rulesAlone !== undefined);
  const numbers = [
    ...['target', 'figure'],
    ...(hasRules ? ['rules alone'] : []),
    ...(hasTrend ? ['before'] : []),
  ];
  const columns = [
    { title: '#', isNumber: false },
    { title: 'what', isNumber: false },
    ...numbers.map((title) => ({ title, isNumber: true })),
    ...(hasTrend ? [{ title: 'trend', isNumber: false }] : []),
    { title: '', isNumber: false },
  ];
  const told = (figure: number | null | undefined, unit: string) =>
    figure === null || figure === undefined ? '–' : `${significant(figure)} ${unit}`.trim();
  return table(
    columns,
    rows.map((row) => [
      row.number,
      row.what,
      row.target,
      told(row.figure, row.unit),
      ...(hasRules ? [told(row.rulesAlone, row.unit)] : []),
      ...(hasTrend ? [told(row.before, row.unit), trendOf(row)] : []),
      row.remark === undefined ? row.verdict : `${row.verdict}: ${row.remark}`,
    ]),
  );
}

/** Why targets are missed; empty when none is that we know the reason of. */
export function reasonList(rows: readonly Row[], reasons: readonly Reason[] = REASONS): string {
  const missed = new Set(rows.filter(({ verdict }) => verdict === 'falls short').map(({ number }) => number));
  return reasons
    .map(({ targets, why }) => ({ targets: targets.filter((number) => missed.has(number)), why }))
    .filter(({ targets }) => targets.length > 0)
    .map(({ targets, why }) => `- **${targets.join(', ')}**: ${why}`)
    .join('\n');
}

/** Everybody beside each other; what a contender does not do is a dash. */
export function comparisonTable({ measures, titles }: Pick<Results, 'measures' | 'titles'>): string {
  const measured = MEASURED.filter(({ measure }) => measures[measure] !== undefined);
  return table(
    [{ title: '', isNumber: false }, ...measured.map(({ title }) => ({ title, isNumber: true }))],
    Object.entries(titles).map(([name, title]) => [
      title,
      ...measured.map(({ measure }) => {
        const value = measures[measure]?.[name];
        return value === undefined ? '–' : significant(value);
      }),
    ]),
  );
}

/** The same chat in the events of each provider; empty when that was not measured. */
export function shapeTable({ measures }: Pick<Results, 'measures'>): string {
  const { shapeBurstMs = {}, shapeFloorMs = {}, shapePacedUs = {} } = measures;
  if (Object.keys(shapeBurstMs).length === 0) return '';
  const told = (value: number | undefined) => (value === undefined ? '–' : significant(value));
  const columns = ['KB an answer', 'burst, CPU ms', 'passthrough', 'paced, CPU µs a chunk'];
  return table(
    [{ title: 'events of', isNumber: false }, ...columns.map((title) => ({ title, isNumber: true }))],
    EVENT_SHAPES.map((shape) => [
      shape.title,
      significant(Buffer.byteLength(answerIn(shape, { id: USUAL_ID, words: CHAT.words }).join('')) / 1024),
      ...[shapeBurstMs, shapeFloorMs, shapePacedUs].map((figures) => told(figures[shape.name])),
    ]),
  );
}

const PARTS: Readonly<Record<string, string>> = {
  http: 'HTTP: Node’s server, undici, streams and sockets',
  events: 'the provider’s events, read',
  hashes: 'hashes of a key and for the trace',
  lines: 'lines of the log, counts for metrics',
  own: 'all else: who asks and may, what is asked, told and kept',
  database: 'the database: stores, and handing over to the driver',
  engine: 'the engine: waking, promises',
  garbage: 'garbage',
  driver: 'threads of the driver',
  beside: 'threads that compile and collect garbage',
  all: 'all',
};

/** What the time of a chat goes to; empty when that was not measured. */
export function partsTable({ measures }: Pick<Results, 'measures'>): string {
  const columns = [
    { measure: `parts of ${FLOOR}`, title: 'passthrough' },
    { measure: `parts of ${RULES}`, title: 'rules alone' },
    { measure: `parts of ${OURS}`, title: 'Bellwether' },
  ];
  if (columns.every(({ measure }) => measures[measure] === undefined)) return '';
  return table(
    [
      { title: 'burst, CPU µs a chat', isNumber: false },
      ...columns.map(({ title }) => ({ title, isNumber: true })),
    ],
    Object.entries(PARTS).map(([part, title]) => [
      title,
      ...columns.map(({ measure }) => {
        const us = measures[measure]?.[part];
        return us === undefined ? '–' : us.toFixed(0);
      }),
    ]),
  );
}

const KINDS_OF_CALLS: Readonly<Record<string, string>> = {
  network: 'network: reading, writing, waiting',
  file: 'the database: its file and its locks',
  threads: 'waking and waiting for threads',
  lines: 'lines of the log, and waking the event loop',
  other: 'others',
  all: 'all',
};

/** What a chat asks of the operating system; empty when that was not counted. */
export function systemCallTable({ measures }: Pick<Results, 'measures'>): string {
  const columns = [
    { measure: `calls of ${FLOOR}, burst`, title: 'passthrough, burst' },
    { measure: `calls of ${RULES}, burst`, title: 'rules alone, burst' },
    { measure: `calls of ${OURS}, burst`, title: 'Bellwether, burst' },
    { measure: `calls of ${OURS}, one tool`, title: 'Bellwether, one tool' },
  ];
  if (columns.every(({ measure }) => measures[measure] === undefined)) return '';
  return table(
    [
      { title: 'system calls a chat', isNumber: false },
      ...columns.map(({ title }) => ({ title, isNumber: true })),
    ],
    Object.entries(KINDS_OF_CALLS).map(([kind, title]) => [
      title,
      ...columns.map(({ measure }) => measures[measure]?.[kind]?.toFixed(1) ?? '–'),
    ]),
  );
}

const OF_EACH_NODE: readonly { readonly measure: string; readonly title: string }[] = [
  { measure: 'nodeBurstMs', title: 'burst, CPU ms a chat' },
  { measure: 'nodePacedUs', title: 'paced, CPU µs a chunk' },
  { measure: 'nodeOneToolMs', title: 'one tool, CPU ms' },
  { measure: 'nodeStartMs', title: 'start ms' },
];

/** The service and the floor on both Nodes; empty when only one was measured. */
export function nodeTable({ measures, node, otherNode }: Results): string {
  if (otherNode === undefined || measures['nodeBurstMs'] === undefined) return '';
  const told = (value: number | undefined) => (value === undefined ? '–' : significant(value));
  const columns = [`Node ${node.slice(1)}`, `Node ${otherNode.slice(1)}`, '×'];
  const lines = [
    { name: OURS, title: 'Bellwether' },
    { name: FLOOR, title: 'passthrough' },
  ];
  return table(
    [{ title: '', isNumber: false }, ...columns.map((title) => ({ title, isNumber: true }))],
    OF_EACH_NODE.flatMap(({ measure, title }) =>
      lines.flatMap((line) => {
        const [here, there] = [measures[measure]?.[line.name], measures[measure]?.[onOther(line.name)]];
        if (here === undefined && there === undefined) return [];
        return [[`${title}: ${line.title}`, told(here), told(there), told((there ?? NaN) / (here ?? NaN))]];
      }),
    ),
  );
}

const LEAST_ROUNDS = 3;

export function remarks(results: Results): string {
  const { failures, skipped, pinned, settings, before } = results;
  const { rounds, roundMs, openStreams } = settings;
  const told = [
    ...(before ? [tellBefore(before, results)] : []),
    `Rounds: ${String(rounds)} of ${String(roundMs / 1000)} s; open streams: ${String(openStreams.streams)}.`,
    ...(rounds < LEAST_ROUNDS
      ? [
          'So short a run leaves passthrough half cold: ratios to it come out too low. Memory and slopes are mostly noise.',
        ]
      : []),
    ...(pinned ? [] : ['Processes could not be kept to cores of their own: figures disturb each other.']),
    ...failures.map(({ scenario, contender, reason }) => `FAILED ${scenario}, ${contender ?? ''}: ${reason}`),
    ...skipped.map(({ scenario, reason }) => `Skipped ${scenario}: ${reason}.`),
  ];
  return told.join('\n');
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, i) =>
    Math.max(3, title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => padded(cell, widths[i] ?? 0, columns[i]?.isNumber ?? false)).join(' | ')} |`;
  const rule = columns.map(({ isNumber }, i) => '-'.repeat((widths[i] ?? 3) - 1) + (isNumber ? ':' : '-'));
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n');
}

function padded(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}
