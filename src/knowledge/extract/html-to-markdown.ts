import type { CheerioAPI } from 'cheerio';
import TurndownService from 'turndown';
import { writeFormulas } from './formulas.js';
import { cleanText, escapeBlocks, raised, tidyLines } from './text.js';

/** What is left of the body of a page as Markdown: structure stays, looks and addresses go. Changes the page. */
export function htmlToMarkdown($: CheerioAPI): string {
  $('pre').each((_, each) => {
    const pre = $(each);
    pre.find('br').replaceWith('\n');
    const language = pre.find('code').attr('class') ?? '';
    const code = $('<code>').attr('class', language).text(pre.text());
    pre.empty().append(code);
  });
  $('math:has(annotation)').each((_, math) => {
    $(math).replaceWith($('<span>').text(`$${$(math).find('annotation').first().text()}$`));
  });
  writeFormulas($, 'math', (text) => $('<span>').text(text));
  // What leads to a note stays as it is.
  $('sup:not(:has(a))').each((_, each) => {
    $(each).text(raised($(each).text()));
  });
  writeTables($);
  return tidyLines(cleanText(createConverter().turndown($('body').html() ?? '')));
}

function createConverter(): TurndownService {
  const converter = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', hr: '' });
  converter.escape = escapeBlocks;
  converter.addRule('words alone', {
    filter: ['a', 'em', 'i', 'strong', 'b'],
    replacement: (content) => content,
  });
  converter.addRule('pictures by their description', {
    filter: 'img',
    replacement: (_, node) => asElement(node).getAttribute('alt') ?? '',
  });
  converter.addRule('tables', {
    filter: (node) => asElement(node).hasAttribute('data-table'),
    replacement: (_, node) => `\n\n${asElement(node).textContent ?? ''}\n\n`,
  });
  converter.addRule('list items', {
    filter: 'li',
    replacement: (content, node) => {
      const marker = markerOf(asElement(node));
      const text = content
        .trim()
        .replace(/\n+/g, (lines) => `${lines.length > 1 ? '\n\n' : '\n'}${' '.repeat(marker.length)}`);
      return `${marker}${text}\n`;
    },
  });
  return converter;
}

/** The little that is asked of the nodes that turndown hands out. */
interface Element {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: Element | null;
  readonly children: ArrayLike<Element>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
}

/** Its types are a browser's, which are not here. */
function asElement(node: unknown): Element {
  return node as Element;
}

function markerOf(item: Element): string {
  const list = item.parentNode;
  if (list?.nodeName !== 'OL') return '- ';
  const start = Number(list.getAttribute('start') ?? 1) || 1;
  return `${String(start + Array.prototype.indexOf.call(list.children, item))}. `;
}

const BLOCKS = 'p, div, li, br, h1, h2, h3, h4, h5, h6';
/** In a cell they show that the table only places things on the page. */
const NOT_IN_CELLS = 'h1, h2, h3, h4, pre, [data-table], article, section';

function writeTables($: CheerioAPI): void {
  // The innermost come first.
  for (const element of $('table').toArray().reverse()) {
    const table = $(element);
    const rows = table
      .find('tr')
      .toArray()
      .map((row) => $(row).children('td, th').toArray())
      .filter((cells) => cells.length > 0);
    const isLayout = table.find(NOT_IN_CELLS).length > 0 || rows.every((cells) => cells.length < 2);
    if (isLayout) {
      const cells = rows.flat().map((cell) => `<div>${$(cell).html() ?? ''}</div>`);
      table.replaceWith(cells.join(''));
      continue;
    }
    table.find(BLOCKS).after(' ');
    const texts = placed(
      rows.map((cells) =>
        cells.map((cell) => ({
          text: $(cell).text(),
          columns: spanOf($(cell).attr('colspan')),
          rows: spanOf($(cell).attr('rowspan')),
        })),
      ),
    );
    const caption = table.children('caption').text().trim();
    table.before($('<p>').text(caption));
    table.replaceWith($('<pre data-table="">').text(markdownTable(texts)));
  }
}

const WIDEST_SPAN = 50;
const LONGEST_REPEATED = 200;

function spanOf(attribute = '1'): number {
  const span = Number(attribute);
  return Number.isInteger(span) && span > 1 && span <= WIDEST_SPAN ? span : 1;
}

interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** Each cell in the column it is seen in: one that reaches down goes for the rows below it as well, and says so there. */
function placed(rows: readonly (readonly Cell[])[]): string[][] {
  /** By column: what reaches down into the next row, and into how many. */
  let above: (readonly [string, number])[] = [];
  return rows.map((cells) => {
    const texts: string[] = [];
    const below: (readonly [string, number])[] = [];
    const takeFromAbove = () => {
      for (let at = texts.length; (above[at]?.[1] ?? 0) > 0; at += 1) {
        const [text, left] = above[at] ?? ['', 1];
        texts.push(text);
        below[at] = [text, left - 1];
      }
    };
    for (const { text, columns, rows: down } of cells) {
      takeFromAbove();
      for (let at = 0; at < columns; at += 1) {
        const own = at === 0 ? text : '';
        below[texts.length] = [own.length > LONGEST_REPEATED ? '' : own, down - 1];
        texts.push(own);
      }
    }
    takeFromAbove();
    above = below;
    return texts;
  });
}

/** Rows as a table, the first as its header. Shorter rows are filled up. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const [header = [], ...body] = rows;
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => asCell(cells[at] ?? '')).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

function asCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/\|/g, '\\|');
}
