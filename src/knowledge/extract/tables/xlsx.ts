import type { PartFault } from '../../../core/knowledge/document.js';
import type { ReadFormat } from '../format.js';
import { openZip, relationsOf, type SafeZip, titleOf, walkXml, xmlText } from '../office/office-zip.js';
import { sheetHidden, sheetUnread } from '../part-faults.js';
import { isDamaged } from '../refusals.js';
import { builtInFormat, formatNumber } from './number-format.js';
import {
  type Cell,
  columnLetters,
  createRowWriter,
  createTextCounter,
  type Sheet,
  sheetsAsPage,
} from './rows.js';

const WHAT = 'Excel workbook';

/** Every sheet under its name, with what its cells show; formulas by the values that Excel has saved with them. */
export const readXlsx: ReadFormat = async ({ file, limits, onProgress }) => {
  const zip = await openZip(file.path, { most: limits.unpackedBytes, what: WHAT });
  try {
    const book = await openWorkbook(zip);
    const count = createTextCounter(limits.characters);
    const sheets: Sheet[] = [];
    const faults: PartFault[] = [];
    let broken: unknown;
    for (const [at, { name, part, isHidden }] of book.sheets.entries()) {
      if (isHidden) {
        faults.push(sheetHidden(name));
        continue;
      }
      // Beyond the borders of a document nothing is read any more; what is wrong with one sheet is no fault of the next.
      if (!zip.has(part)) {
        broken ??= isDamaged(WHAT);
        faults.push(sheetUnread(name));
        continue;
      }
      sheets.push({ name, markdown: readSheet(xmlText(await zip.read(part)), book, count) });
      onProgress((100 * (at + 1)) / book.sheets.length);
    }
    if (sheets.length === 0 && broken !== undefined) throw broken as Error;
    const title = await titleOf(zip);
    return { format: 'xlsx', title, pages: [sheetsAsPage(sheets)], pageCount: undefined, faults };
  } finally {
    zip.close();
  }
};

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[];
  readonly strings: readonly string[];
  /** By the number of a cell's style. */
  readonly formats: readonly string[];
  readonly since1904: boolean;
}

async function openWorkbook(zip: SafeZip): Promise<Workbook> {
  const main = (await relationsOf(zip, '')).find(({ kind }) => kind === 'officeDocument')?.target;
  if (main === undefined || !zip.has(main)) throw isDamaged(WHAT);
  const relations = await relationsOf(zip, main);
  const textOf = async (wanted: string) => {
    const part = relations.find(({ kind }) => kind === wanted)?.target;
    return part !== undefined && zip.has(part) ? xmlText(await zip.read(part)) : '';
  };
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets: Workbook['sheets'][number][] = [];
  let since1904 = false;
  walkXml(xmlText(await zip.read(main)), {
    open(name, attributes) {
      if (localName(name) === 'workbookPr') since1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (localName(name) !== 'sheet') return;
      const { name: title = '', state = 'visible' } = attributes;
      const part = targets.get(attributes['r:id'] ?? '') ?? '';
      sheets.push({ name: title, part, isHidden: state !== 'visible' });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return {
    sheets,
    strings: stringsIn(await textOf('sharedStrings')),
    formats: formatsIn(await textOf('styles')),
    since1904,
  };
}

/** Some programs give every element a prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Without what says how it is pronounced. */
function stringsIn(xml: string): string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPronunciation = false;
  walkXml(xml, {
    open(name) {
      const local = localName(name);
      if (local === 'si') text = '';
      if (local === 'rPh') isPronunciation = true;
      isText = local === 't' && !isPronunciation;
    },
    close(name) {
      const local = localName(name);
      isText = false;
      if (local === 'rPh') isPronunciation = false;
      if (local === 'si') strings.push(text);
    },
    text(more) {
      if (isText) text += more;
    },
  });
  return strings;
}

function formatsIn(xml: string): string[] {
  const own = new Map<string, string>();
  const formats: string[] = [];
  let isCellStyle = false;
  walkXml(xml, {
    open(name, attributes) {
      const local = localName(name);
      if (local === 'numFmt') own.set(attributes['numFmtId'] ?? '', attributes['formatCode'] ?? '');
      if (local === 'cellXfs') isCellStyle = true;
      if (local !== 'xf' || !isCellStyle) return;
      const id = attributes['numFmtId'] ?? '0';
      formats.push(own.get(id) ?? builtInFormat(Number(id)));
    },
    close(name) {
      if (localName(name) === 'cellXfs') isCellStyle = false;
    },
    text: () => undefined,
  });
  return formats;
}

function readSheet(xml: string, book: Workbook, count: (characters: number) => void): string {
  const rows = createRowWriter({
    columnName: (column) => `Column ${columnLetters(column)}`,
    hasTitles: true,
    count,
  });
  const merged = mergedRows(xml);
  let row: Cell[] = [];
  let number = 0;
  let cell = { address: '', column: 0, type: '', style: 0, raw: '' };
  let isValue = false;
  walkXml(xml, {
    open(name, attributes) {
      const local = localName(name);
      isValue = local === 'v' || local === 't';
      if (local === 'row') {
        const next = Number(attributes['r'] ?? number + 1);
        // Rows that nothing was ever written into are left out of the file.
        for (let empty = Math.min(next - number - 1, MOST_EMPTY_ROWS); empty > 0; empty -= 1) rows.add([]);
        number = next;
        row = [];
      }
      if (local !== 'c') return;
      const { r = '', t: type = 'n', s: style = '0' } = attributes;
      const column = columnOf(r) ?? (row.at(-1)?.column ?? -1) + 1;
      cell = { address: r, column, type, style: Number(style), raw: '' };
    },
    close(name) {
      const local = localName(name);
      isValue = false;
      if (local === 'c')
        row.push({ column: cell.column, text: shownText(cell, book), rows: merged.get(cell.address) ?? 1 });
      if (local === 'row') rows.add(row);
    },
    text(more) {
      if (isValue) cell.raw += more;
    },
  });
  return rows.markdown();
}

const MOST_EMPTY_ROWS = 100;

/** Over how many rows cells reach that were made one with others, by the address of the first. */
function mergedRows(xml: string): ReadonlyMap<string, number> {
  const found = xml.matchAll(/<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g);
  return new Map(
    Array.from(found, ([, column = '', top = '', bottom = '']) => [
      column + top,
      Number(bottom) - Number(top) + 1,
    ]),
  );
}

/** Of an address such as BC17, from 0. */
function columnOf(address: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(address)?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function shownText(
  { type, style, raw }: { readonly type: string; readonly style: number; readonly raw: string },
  { strings, formats, since1904 }: Workbook,
): string {
  switch (type) {
    case 's':
      return strings[Number(raw)] ?? '';
    case 'b':
      return raw === '1' ? 'TRUE' : 'FALSE';
    // A formula that went wrong has no value.
    case 'e':
      return '';
    case 'd':
      return raw.replace('T', ' ');
    case 'n': {
      const value = Number(raw);
      if (raw.trim() === '' || !Number.isFinite(value)) return raw;
      return formatNumber(value, formats[style] ?? 'General', since1904);
    }
    default:
      return raw;
  }
}
