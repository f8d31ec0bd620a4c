import { markdownTable } from '../html-to-markdown.js';
import { cleanText, escapeBlocks } from '../text.js';
import { type Block, blocksOf, writeItem } from './blocks.js';
import { dropRunningLines, type LaidOutPage } from './headers-and-footers.js';
import type { Line } from './lines.js';

const DEEPEST_HEADING = 4;
/** Of code, in parts of the size of its letters. */
const LETTER_WIDTH = 0.6;
const MOST_COLUMNS = 200;

/** All pages together, as only together they show what is a heading and what just runs along. */
export function pagesToMarkdown(
  pages: readonly LaidOutPage[],
): readonly { page: number; markdown: string }[] {
  const bodySize = usualSize(pages.flatMap(({ lines }) => lines));
  const kept = dropRunningLines(pages, bodySize);
  const blocks = kept.map(({ page, lines }) => ({ page, blocks: blocksOf(lines, bodySize) }));
  const levels = headingLevels(blocks.flatMap((each) => each.blocks));
  const join = createJoin(kept.flatMap(({ lines }) => lines.map(({ text }) => text)));
  return blocks.map(({ page, blocks: onPage }) => ({
    page,
    markdown: joinBlocks(onPage.map((block) => ({ block, text: write(block, levels, join) }))),
  }));
}

function joinBlocks(written: readonly { block: Block; text: string }[]): string {
  let markdown = '';
  written.forEach(({ block, text }, at) => {
    const isNextItem = block.kind === 'item' && written[at - 1]?.block.kind === 'item';
    markdown += (at === 0 ? '' : isNextItem ? '\n' : '\n\n') + text;
  });
  return cleanText(markdown).trim();
}

function write(block: Block, levels: ReadonlyMap<number, number>, join: JoinLines): string {
  if (block.kind === 'table')
    return markdownTable(block.lines.map(({ pieces }) => pieces.map(({ text }) => text)));
  if (block.kind === 'code') return writeCode(block.lines);
  const text = block.lines.map((line) => line.text).reduce(join);
  if (block.kind === 'heading') return `${'#'.repeat(levels.get(sizeOf(block)) ?? 1)} ${text}`;
  if (block.kind === 'paragraph') return escapeBlocks(text);
  return writeItem(text);
}

/** With the blanks that its author put between and before words. */
function writeCode(lines: readonly Line[]): string {
  if (lines.length === 1) return escapeBlocks(lines[0]?.text ?? '');
  const left = Math.min(...lines.map(({ x }) => x));
  const code = lines.map(({ pieces, size }) => {
    let text = '';
    for (const piece of pieces) {
      const column = Math.min(MOST_COLUMNS, Math.round((piece.x - left) / (LETTER_WIDTH * size)));
      text = (text === '' ? '' : `${text} `).padEnd(column) + piece.text;
    }
    return text;
  });
  return ['```', ...code, '```'].join('\n');
}

/** Of most of the letters. */
function usualSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines)
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), [10, 0])[0];
}

/** The largest is the first level. */
function headingLevels(blocks: readonly Block[]): ReadonlyMap<number, number> {
  const sizes = new Set(blocks.filter(({ kind }) => kind === 'heading').map(sizeOf));
  return new Map(
    [...sizes].sort((a, b) => b - a).map((size, at) => [size, Math.min(DEEPEST_HEADING, at + 1)]),
  );
}

function sizeOf({ lines }: Block): number {
  return rounded(lines[0]?.size ?? 0);
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** How a word that is cut at a line end was written: known from how the rest of the document writes it. */
type JoinLines = (before: string, after: string) => string;

const CUT = /(\p{L}+)[-\u2010\u00AD]$/u;

function createJoin(lines: Iterable<string>): JoinLines {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of line.matchAll(/\p{L}+(?:[-\u2010]\p{L}+)*/gu)) words.add(word.toLowerCase());
  }

  return (before, after) => {
    const start = CUT.exec(before)?.[1];
    const end = /^\p{Ll}\p{L}*/u.exec(after)?.[0];
    if (start === undefined || end === undefined) {
      // A hyphen before a capital or a digit belongs there: "Moodle-Kurs", "COVID-19".
      return /[^\s-][-\u2010]$/u.test(before) && /^[\p{L}\d]/u.test(after)
        ? before + after
        : `${before} ${after}`;
    }
    // The first half of two words that share their end: "Haupt- und Nebenfach".
    if (/^(?:und|oder|bzw|and|or|e|ed|et|ou|o|u|y)$/u.test(end)) return `${before} ${after}`;
    const parted = `${start}-${end}`.toLowerCase();
    const isParted = words.has(parted) && !words.has((start + end).toLowerCase());
    return (isParted ? before : before.slice(0, -1)) + after;
  };
}
