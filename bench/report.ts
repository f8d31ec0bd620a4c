import { CHAT } from './behaviour.js';
import { significant } from './charts.js';
import { answerIn, EVENT_SHAPES, USUAL_ID } from './event-shapes.js';
import type { Results } from './results.js';
import type { Row } from './targets.js';

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
  const columns = [
    { title: '#', isNumber: false },
    { title: 'what', isNumber: false },
    { title: 'target', isNumber: true },
    { title: 'figure', isNumber: true },
    { title: '', isNumber: false },
  ];
  return table(
    columns,
    rows.map(({ number, what, target, figure, unit, verdict, remark }) => [
      number,
      what,
      target,
      figure === null ? '–' : `${significant(figure)} ${unit}`.trim(),
      remark === undefined ? verdict : `${verdict}: ${remark}`,
    ]),
  );
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

const LEAST_ROUNDS = 3;

export function remarks({ failures, skipped, pinned, settings }: Results): string {
  const { rounds, roundMs, openStreams } = settings;
  const told = [
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
