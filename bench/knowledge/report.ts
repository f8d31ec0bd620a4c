import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fillPage } from '../docs.js';
import { significant } from '../pictures/charts.js';
import { table } from '../report.js';
import type { Asked, AskingSettings } from './asking.js';

export interface KnowledgeResults {
  readonly command: string;
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  readonly pinned: boolean;
  readonly seconds: number;
  readonly asking: AskingSettings;
  readonly rows: readonly KnowledgeRow[];
  readonly skipped: readonly string[];
}

export interface KnowledgeRow {
  /** How many there were, as our service cuts them. */
  readonly passages: number;
  readonly finder: string;
  /** While they were taken in, up to this size; null where that was not measured. */
  readonly pagesPerSecond: number | null;
  readonly asked: Asked;
}

/** Of a full run, kept with the project. */
export const KNOWLEDGE_RESULTS = fileURLToPath(new URL('../results/knowledge.json', import.meta.url));

export function knowledgeTable({ rows, skipped }: KnowledgeResults): string {
  const numbers = ['questions a second', 'p50 ms', 'p95 ms', 'CPU ms', 'found', 'pages a second'];
  const told = rows.map(({ passages, finder, pagesPerSecond, asked }) => [
    passages.toLocaleString('en'),
    finder,
    ...[asked.perSecond, asked.p50Ms, asked.p95Ms, asked.cpuMs].map(significant),
    `${String(Math.round(100 * asked.found))} %`,
    pagesPerSecond === null ? '–' : significant(pagesPerSecond),
  ]);
  const columns = [
    { title: 'passages', isNumber: true },
    { title: '', isNumber: false },
    ...numbers.map((title) => ({ title, isNumber: true })),
  ];
  return [table(columns, told), ...skipped].join('\n\n');
}

/** Puts the last full run into `docs/performance.md`, between the marks that wait for it. */
export async function writeKnowledgeDocs(): Promise<void> {
  const results = JSON.parse(await readFile(KNOWLEDGE_RESULTS, 'utf8')) as KnowledgeResults;
  const { command, date, seconds, node, cores, processor, pinned } = results;
  const conditions = [
    `Measured with \`${command}\` on ${date.slice(0, 10)} in ${significant(seconds)} s: Node ${node.slice(1)},`,
    `${String(cores)} cores (${processor}), ${pinned ? 'pinned apart' : 'not pinned'}.`,
  ].join(' ');
  await fillPage('performance.md', { knowledge: [knowledgeTable(results), conditions].join('\n\n') });
}
