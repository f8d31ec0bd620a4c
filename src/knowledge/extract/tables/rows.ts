import type { ExtractedPage } from '../../../core/knowledge/extracted.js';
import { hasTooMuchText } from '../refusals.js';
import { cleanLine, escapeBlocks } from '../text.js';

/** What stands in a row, without its empty cells: a row may have a single cell in its sixteen-thousandth column. */
export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

export interface RowWriter {
  add(row: readonly Cell[]): void;
  markdown(): string;
}

export interface RowOptions {
  /** What a column without a name is called. */
  readonly columnName: (column: number) => string;
  /** Whether lines of one cell may stand above the names, as people write them in sheets. */
  readonly hasTitles: boolean;
  /** Counts what is written; of all tables of a document. */
  readonly count: (characters: number) => void;
}

/** Every row as lines of "column: value", so that it can be understood wherever it is found. */
export function createRowWriter({ columnName, hasTitles, count }: RowOptions): RowWriter {
  const rows: string[] = [];
  let names: ReadonlyMap<number, string> | undefined;

  const write = (lines: string) => {
    count(lines.length + 2);
    rows.push(escapeBlocks(lines));
  };
  return {
    add(row) {
      const cells = row
        .map(({ column, text }) => ({ column, text: cleanLine(text) }))
        .filter(({ text }) => text !== '');
      if (cells.length === 0) return;
      if (names === undefined && hasTitles && cells.length === 1) {
        write(cells[0]?.text ?? '');
        return;
      }
      if (names === undefined) {
        names = new Map(isHeader(cells) ? cells.map(({ column, text }) => [column, text]) : []);
        if (names.size > 0) return;
      }
      const named = names;
      write(
        cells.map(({ column, text }) => `${named.get(column) ?? columnName(column)}: ${text}`).join('\n'),
      );
    },
    markdown: () => (rows.length > 0 ? rows.join('\n\n') : [...(names?.values() ?? [])].join(', ')),
  };
}

/** Names are words, each different from the others; numbers are values already. */
function isHeader(cells: readonly Cell[]): boolean {
  return (
    new Set(cells.map(({ text }) => text)).size === cells.length &&
    cells.every(({ text }) => /\p{L}/u.test(text) && text.length <= 100)
  );
}

/** Refuses a document once more is written than it may have. */
export function createTextCounter(most: number): (characters: number) => void {
  let written = 0;
  return (characters) => {
    written += characters;
    if (written > most) throw hasTooMuchText(most);
  };
}

/** As sheets call it: A, B, …, Z, AA, … */
export function columnLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

export interface Sheet {
  readonly name: string;
  readonly markdown: string;
}

/** Sheets under their names. */
export function sheetsAsPage(sheets: readonly Sheet[]): ExtractedPage {
  const texts = sheets
    .filter(({ markdown }) => markdown !== '')
    .map(({ name, markdown }) => `# ${cleanLine(name)}\n\n${markdown}`);
  return { page: undefined, markdown: texts.join('\n\n') };
}
