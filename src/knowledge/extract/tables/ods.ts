import type { PartFault } from '../../../core/knowledge/document.js';
import type { ReadFormat } from '../format.js';
import { walkXml } from '../office/office-zip.js';
import { openOpenDocument } from '../office/opendocument.js';
import { sheetHidden } from '../part-faults.js';
import {
  type Cell,
  columnLetters,
  createRowWriter,
  createTextCounter,
  type RowWriter,
  type Sheet,
  sheetsAsPage,
} from './rows.js';

const WHAT = 'OpenDocument spreadsheet';
/** As many as LibreOffice has. */
const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;
const MOST_EMPTY_ROWS = 100;
/** Beside what a cell shows: comments, and shapes that lie on the sheet. */
const NOT_OF_A_CELL = new Set(['office:annotation', 'table:shapes', 'table:tracked-changes']);

/** Every sheet under its name, with the texts that its cells show. */
export const readOds: ReadFormat = async ({ file, limits }) => {
  const { content, title } = await openOpenDocument(file.path, { limits, what: WHAT });
  const { sheets, faults } = sheetsIn(content, createTextCounter(limits.characters));
  return { format: 'ods', title, pages: [sheetsAsPage(sheets)], pageCount: undefined, faults };
};

interface OpenCell {
  readonly repeated: number;
  /** Instead of what the cell shows, which depends on the country. */
  readonly date: string | undefined;
  /** Over how many rows it reaches. */
  readonly rows: number;
  text: string;
}

function sheetsIn(
  content: string,
  count: (characters: number) => void,
): { readonly sheets: readonly Sheet[]; readonly faults: readonly PartFault[] } {
  const sheets: Sheet[] = [];
  const faults: PartFault[] = [];
  const hiddenStyles = hiddenStyleReader();
  let sheet: { readonly name: string; readonly rows: RowWriter } | undefined;
  let row: { cells: Cell[]; width: number; readonly repeated: number } | undefined;
  let cell: OpenCell | undefined;
  let skipped = 0;

  const begin = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'table:table') {
      const title = attributes['table:name'] ?? '';
      const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
      if (isHidden) faults.push(sheetHidden(title));
      sheet = isHidden ? undefined : { name: title, rows: newRows(count) };
    } else if (name === 'table:table-row') {
      row = { cells: [], width: 0, repeated: repeats(attributes['table:number-rows-repeated'], MOST_ROWS) };
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const repeated = repeats(attributes['table:number-columns-repeated'], MOST_COLUMNS);
      const rows = repeats(attributes['table:number-rows-spanned'], MOST_ROWS);
      cell = { repeated, date: attributes['office:date-value'], rows, text: '' };
    } else if (cell && name === 'text:s') cell.text += ' ';
    else if (cell && /^text:(?:p|tab|line-break)$/.test(name)) cell.text += ' ';
  };
  const end = (name: string) => {
    if (name === 'table:table' && sheet) {
      sheets.push({ name: sheet.name, markdown: sheet.rows.markdown() });
      sheet = undefined;
    } else if (name === 'table:table-row' && row) {
      addRow(sheet?.rows, row);
      row = undefined;
    } else if (/^table:(?:covered-)?table-cell$/.test(name) && cell) {
      if (row) addCell(row, cell);
      cell = undefined;
    }
  };
  walkXml(content, {
    open(name, attributes) {
      if (skipped > 0 || NOT_OF_A_CELL.has(name)) skipped += 1;
      else if (!hiddenStyles.read(name, attributes)) begin(name, attributes);
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else end(name);
    },
    text(more) {
      if (cell && skipped === 0) cell.text += more;
    },
  });
  return { sheets, faults };
}

function newRows(count: (characters: number) => void): RowWriter {
  return createRowWriter({
    columnName: (column) => `Column ${columnLetters(column)}`,
    hasTitles: true,
    count,
  });
}

/** Styles come before the sheets that have them. */
function hiddenStyleReader() {
  const hidden = new Set<string>();
  let style = '';
  return {
    has: (name: string) => hidden.has(name),
    read(name: string, attributes: Readonly<Record<string, string>>): boolean {
      if (name === 'style:style') style = attributes['style:name'] ?? '';
      if (name === 'style:table-properties' && attributes['table:display'] === 'false') hidden.add(style);
      return name.startsWith('style:');
    },
  };
}

function addCell(row: { cells: Cell[]; width: number }, { repeated, date, rows, text }: OpenCell): void {
  const shown = date === undefined ? text : shownDate(date);
  const room = Math.max(0, Math.min(repeated, MOST_COLUMNS - row.width));
  if (shown.trim() !== '')
    for (let at = 0; at < room; at += 1) row.cells.push({ column: row.width + at, text: shown, rows });
  row.width += repeated;
}

/** Of 2026-06-03T14:30:00 what people write: no midnight, no seconds. */
function shownDate(iso: string): string {
  const [, day, time = ''] = /^([\d-]+)T(\d\d:\d\d)/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${time === '00:00' ? '' : time}`.trim();
}

function addRow(
  rows: RowWriter | undefined,
  { cells, repeated }: { readonly cells: readonly Cell[]; readonly repeated: number },
): void {
  const times = cells.length > 0 ? repeated : Math.min(repeated, MOST_EMPTY_ROWS);
  for (let at = 0; at < times; at += 1) rows?.add(cells);
}

function repeats(value: string | undefined, most: number): number {
  const times = Number(value ?? 1);
  return Number.isInteger(times) && times > 0 ? Math.min(times, most) : 1;
}
