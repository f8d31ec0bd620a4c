import type { ExtractedPage } from '../../../core/knowledge/extracted.js';
import { hasTooMuchText } from '../refusals.js';
import { cleanLine, escapeBlocks } from '../text.js';

/** What stands in a row, without its empty cells: a row may have a single cell in its sixteen-thousandth column. */
export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  /** Over how many rows it reaches, where cells were made one. */
  readonly rows?: number | undefined;
}

export interface RowWriter {
  /** Also those without cells, which others may reach over. */
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
  const above = createCellsAbove();
  /** Whether it is names shows in the row below it. */
  let first: readonly Cell[] | undefined;
  let names: ReadonlyMap<number, string> | undefined;

  const write = (lines: string) => {
    count(lines.length + 2);
    rows.push(escapeBlocks(lines));
  };
  const writeRow = (cells: readonly Cell[]) => {
    write(cells.map(({ column, text }) => `${names?.get(column) ?? columnName(column)}: ${text}`).join('\n'));
  };
  const settle = (row: readonly Cell[], below: readonly Cell[]) => {
    names = new Map(isHeader(row, below) ? row.map(({ column, text }) => [column, text]) : []);
    if (names.size === 0) writeRow(row);
  };
  return {
    add(row) {
      const own = row
        .map(({ column, text, rows: reach }) => ({ column, text: cleanLine(text), rows: reach }))
        .filter(({ text }) => text !== '');
      const cells = above.with(own);
      if (own.length === 0) return;
      if (names === undefined && first === undefined) {
        if (hasTitles && own.length === 1) write(own[0]?.text ?? '');
        else first = own;
        return;
      }
      if (names === undefined) settle(first ?? [], own);
      above.keep(own);
      writeRow(cells);
    },
    markdown() {
      if (first && names === undefined) settle(first, []);
      return rows.length > 0 ? rows.join('\n\n') : [...(names?.values() ?? [])].join(', ');
    },
  };
}

const LONGEST_REPEATED = 200;

/** What reaches down from rows above goes for the rows below as well: each is understood by itself. */
function createCellsAbove() {
  const reaching = new Map<number, { readonly text: string; left: number }>();
  return {
    with(own: readonly Cell[]): readonly Cell[] {
      if (reaching.size === 0) return own;
      const columns = new Set(own.map(({ column }) => column));
      const cells = [...own];
      for (const [column, cell] of reaching) {
        if (!columns.has(column)) cells.push({ column, text: cell.text });
        cell.left -= 1;
        if (cell.left === 0 || columns.has(column)) reaching.delete(column);
      }
      return cells.sort((a, b) => a.column - b.column);
    },
    keep(own: readonly Cell[]): void {
      for (const { column, text, rows = 1 } of own)
        if (rows > 1 && text.length <= LONGEST_REPEATED) reaching.set(column, { text, left: rows - 1 });
    },
  };
}

const YEAR = /^(?:1[5-9]|2[01])\d\d(?:[-–/]\d{2,4})?$/;
const NUMBER = /^[-+−]?\d[\d.,\s]*%?$/;

/**
 * Names are words, each different from the others; numbers are values already. Years, and names that recur, are names
 * where values stand below them.
 */
function isHeader(cells: readonly Cell[], below: readonly Cell[]): boolean {
  const isName = ({ text }: Cell) => /\p{L}/u.test(text) && text.length <= 100;
  const years = cells.filter(({ text }) => YEAR.test(text));
  const isUnique = new Set(cells.map(({ text }) => text)).size === cells.length;
  if (isUnique && cells.every(isName)) return true;
  if (years.length === 1 || !cells.every((cell) => isName(cell) || years.includes(cell))) return false;
  const columns = new Set(cells.map(({ column }) => column));
  const values = below.filter(({ column, text }) => columns.has(column) && NUMBER.test(text));
  return values.length > 0 && !values.some(({ text }) => YEAR.test(text));
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
