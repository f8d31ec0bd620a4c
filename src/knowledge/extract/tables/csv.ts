import { type Options, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import type { PartFault } from '../../../core/knowledge/document.js';
import type { ReadFormat } from '../format.js';
import { quoteNotClosed } from '../part-faults.js';
import { charsetIn, cleanText, decodeText } from '../text.js';
import { createRowWriter, createTextCounter } from './rows.js';

const DELIMITERS = [',', ';', '\t'];
const SAMPLE_CHARS = 50_000;
const SAMPLE_ROWS = 50;
const TOLERANT = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
} satisfies Options;

export const readCsv: ReadFormat = async ({ file, limits }) => {
  const text = cleanText(decodeText(file.bytes, charsetIn(file.mediaType)));
  const declared = /^sep=(.)\n/i.exec(text);
  const table = text.slice(declared?.[0].length ?? 0);
  const delimiter = declared?.[1] ?? delimiterOf(table);
  const faults: PartFault[] = [];
  const markdown = await rowsIn(table, { delimiter }, limits.characters).catch(async (fault: unknown) => {
    if (!isOpenQuote(fault)) throw fault;
    faults.push(quoteNotClosed());
    return await rowsIn(table, { delimiter, quote: false }, limits.characters);
  });
  const pages = [{ page: undefined, markdown }];
  return { format: 'csv', title: undefined, pages, pageCount: undefined, faults };
};

function isOpenQuote(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'CSV_QUOTE_NOT_CLOSED';
}

/** The one by which the first rows fall into the most columns of equal number. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARS);
  const complete = sample.length < text.length ? sample.slice(0, sample.lastIndexOf('\n') + 1) : sample;
  const present = DELIMITERS.filter((delimiter) => complete.includes(delimiter));
  if (present.length < 2) return present[0] ?? ',';
  const scores = present.map((delimiter) => ({ delimiter, score: regularity(complete, delimiter) }));
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

function regularity(sample: string, delimiter: string): number {
  const widths = (quote: '"' | false) =>
    parseAtOnce(sample, { ...TOLERANT, delimiter, quote, to: SAMPLE_ROWS }).map((row) => row.length);
  let found: number[];
  try {
    found = widths('"');
  } catch {
    found = widths(false);
  }
  const first = found[0] ?? 1;
  return first < 2 ? 0 : found.filter((width) => width === first).length / found.length + first / 1_000;
}

async function rowsIn(
  text: string,
  options: { readonly delimiter: string; readonly quote?: false },
  most: number,
): Promise<string> {
  const rows = createRowWriter({
    columnName: (column) => `Column ${String(column + 1)}`,
    hasTitles: false,
    count: createTextCounter(most),
  });
  const parser = parse(text, { ...TOLERANT, ...options });
  for await (const row of parser as AsyncIterable<string[]>)
    rows.add(row.map((value, column) => ({ column, text: value })));
  return rows.markdown();
}
