import type { Line } from './lines.js';

/** Lines that belong together, and as what. */
export interface Block {
  readonly kind: 'paragraph' | 'heading' | 'item' | 'code' | 'table';
  readonly lines: readonly Line[];
}

const BULLET = /^(?:[•◦▪▫‣●○■□➢➤✓❖·*–—-])\s+/u;
const NUMBER = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/u;
/** Dots that lead from an entry of a table of contents to its page. */
const LEADERS = /\s*(?:\. ?){4,}\s*(?=\d{1,5}$)/u;
/** Sizes of letters that are taken to differ. */
const OTHER_SIZE = 1.12;
const HEADING_SIZE = 1.15;
const LONGEST_HEADING = 200;
/** In parts of the usual distance of lines. */
const PARAGRAPH_GAP = 1.35;
const INDENT = 0.8;
const OUTDENT = 0.2;
const SHORT_LINE = 0.75;

/** An entry of a list as Markdown; what is numbered keeps its number. */
export function writeItem(text: string): string {
  const entry = text.replace(LEADERS, ' … ');
  const words = entry.replace(BULLET, '');
  return words === entry && NUMBER.test(entry) ? entry : `- ${words}`;
}

/** Puts the lines of a page, in reading order, together to what their author wrote. */
export function blocksOf(lines: readonly Line[], bodySize: number): readonly Block[] {
  const pitch = usualPitch(lines);
  const blocks: { kind: Block['kind']; lines: Line[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const table = tableRowsFrom(lines, at);
    if (table.length > 0) {
      blocks.push({ kind: 'table', lines: [...table] });
      at += table.length - 1;
      continue;
    }
    const line = lines[at];
    if (!line) continue;
    const kind = kindOf(line, bodySize);
    const block = blocks.at(-1);
    if (block && goesOn(block, line, { kind, pitch })) block.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks.map(asParagraphIfNoHeading);
}

function kindOf(line: Line, bodySize: number): Block['kind'] {
  if (LEADERS.test(line.text)) return 'item';
  if (line.size >= bodySize * HEADING_SIZE && /\p{L}{2}|\d\s*\p{L}/u.test(line.text)) return 'heading';
  if (line.isCode) return 'code';
  return BULLET.test(line.text) || NUMBER.test(line.text) ? 'item' : 'paragraph';
}

/** Large letters over many lines are just large. */
function asParagraphIfNoHeading(block: Block): Block {
  const length = block.lines.reduce((sum, { text }) => sum + text.length, 0);
  return block.kind === 'heading' && length > LONGEST_HEADING ? { ...block, kind: 'paragraph' } : block;
}

interface Next {
  readonly kind: Block['kind'];
  readonly pitch: number;
}

function goesOn({ kind, lines }: Block, line: Line, next: Next): boolean {
  const before = lines.at(-1);
  if (!before || kind === 'table' || next.kind === 'item') return false;
  if (Math.max(before.size, line.size) > Math.min(before.size, line.size) * OTHER_SIZE) return false;
  const down = (line.y - before.y) / line.size;
  if (kind === 'code' || next.kind === 'code') return kind === next.kind && down > 0 && down < 3 * next.pitch;
  if (kind === 'heading' || next.kind === 'heading')
    return kind === next.kind && down > 0 && down < next.pitch * 1.5;
  if (down <= 0) return !/[.!?:;]$/.test(before.text) && /^\p{Ll}/u.test(line.text);
  if (down > next.pitch * PARAGRAPH_GAP) return false;
  if (kind === 'item')
    return line.x >= (lines[0]?.x ?? 0) - OUTDENT * line.size && !LEADERS.test(before.text);
  return !beginsParagraph(before, line);
}

function beginsParagraph(before: Line, line: Line): boolean {
  const { left, right } = line.column;
  const isIndented = line.x - before.x > INDENT * line.size && before.x - left < INDENT * line.size;
  const isShort = before.right < left + SHORT_LINE * (right - left);
  return isIndented || (isShort && /[.!?:]["”’)]?$/.test(before.text));
}

/** From line to line, in sizes of their letters. */
function usualPitch(lines: readonly Line[]): number {
  const steps = lines
    .slice(1)
    .map((line, at) => (line.y - (lines[at]?.y ?? 0)) / line.size)
    .filter((step) => step > 0.8 && step < 2.5)
    .sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 3)] ?? 1.2;
}

const FEWEST_ROWS = 3;

/** The lines from this one on that are rows of one table: as many cells in each, each in its own column. */
function tableRowsFrom(lines: readonly Line[], start: number): readonly Line[] {
  const cells = lines[start]?.pieces.length ?? 0;
  if (cells < 2) return [];
  const columns: { left: number; right: number }[] = [];
  let end = start;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    if (line?.pieces.length !== cells || !widen(columns, line)) break;
  }
  const rows = lines.slice(start, end);
  return rows.length >= FEWEST_ROWS && !rows.every((row) => row.isCode) ? rows : [];
}

/** False, and nothing is changed, when a cell would reach into another column. */
function widen(columns: { left: number; right: number }[], { pieces }: Line): boolean {
  const wider = pieces.map((piece, at) => ({
    left: Math.min(piece.x, columns[at]?.left ?? piece.x),
    right: Math.max(piece.right, columns[at]?.right ?? piece.right),
  }));
  if (wider.some(({ left }, at) => left <= (wider[at - 1]?.right ?? -Infinity))) return false;
  columns.splice(0, columns.length, ...wider);
  return true;
}
