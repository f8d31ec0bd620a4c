import { inReadingOrder, withoutPrintedForms } from './direction.js';
import { raised } from '../text.js';
import type { Run } from './runs.js';

/** Text without a wide gap. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly isCode: boolean;
}

/** One line of a column: its pieces from left to right, and how wide the column is. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly isCode: boolean;
  readonly column: { readonly left: number; readonly right: number };
}

/** All in parts of the size of the letters. */
const SAME_LINE = 0.5;
const WORD_GAP = 0.12;
const WIDE_GAP = 1;
const SMALLER = 0.85;
const HIGHER = 0.2;

/** What stands on one line, from left to right. */
export type Row = readonly Run[];

/** The lines across the whole page, from top to bottom. */
export function rowsOf(runs: readonly Run[]): readonly Row[] {
  const rows: { y: number; size: number; runs: Run[] }[] = [];
  for (const run of [...runs].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    if (row && run.y - row.y <= SAME_LINE * Math.min(Math.max(run.size, row.size), 2 * run.size)) {
      row.runs.push(run);
      // A line stands where its largest letters do: what was above them does not keep away what is below.
      if (run.size > row.size) Object.assign(row, { y: run.y, size: run.size });
    } else rows.push({ y: run.y, size: run.size, runs: [run] });
  }
  return rows.map((row) => inOrder(row.runs));
}

function inOrder(runs: readonly Run[]): Row {
  const row: Run[] = [];
  for (const run of [...runs].sort((a, b) => a.x - b.x)) {
    const before = row.at(-1);
    if (!before || !isPrintedTwice(before, run)) row.push(run);
  }
  return row;
}

function piecesOf(row: Row): readonly Piece[] {
  const groups: Run[][] = [];
  for (const run of row) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && !isFarFrom(before, run)) group.push(run);
    else groups.push([run]);
  }
  return groups.map(pieceOf);
}

/** Too far to be the next word of a sentence. */
export function isFarFrom(before: Run, run: Run): boolean {
  return gapBetween(before, run) > WIDE_GAP * Math.max(before.size, run.size);
}

/** Some programs make letters bold by printing them twice. */
function isPrintedTwice(before: Run, run: Run): boolean {
  return (
    before.text === run.text && Math.abs(run.x - before.x) < 0.3 * run.size && run.text.trim().length > 1
  );
}

function gapBetween(before: Run, run: Run): number {
  return run.x - (before.x + before.width);
}

function pieceOf(runs: readonly Run[]): Piece {
  const main = runs.reduce((most, run) => (run.text.length > most.text.length ? run : most));
  const fromLeft = main.isMirrored ? [...runs].reverse() : runs;
  return {
    text: textOf(inReadingOrder(fromLeft)),
    x: Math.min(...runs.map((run) => run.x)),
    right: Math.max(...runs.map((run) => run.x + run.width)),
    y: main.y,
    size: main.size,
    isCode: runs.every((run) => run.isCode),
  };
}

function textOf(runs: readonly Run[]): string {
  let text = '';
  runs.forEach((run, at) => {
    const before = runs[at - 1];
    const gap = before ? Math.max(gapBetween(before, run), gapBetween(run, before)) : 0;
    const isApart = before !== undefined && gap > WORD_GAP * run.size;
    const own = before && isRaised(before, run) ? raised(run.text) : run.text;
    text += isApart && !/\s$/.test(text) && !/^\s/.test(own) ? ` ${own}` : own;
  });
  return withoutPrintedForms(text).replace(/\s+/g, ' ').trim();
}

/** Smaller than what it follows, and above its line. */
function isRaised(before: Run, run: Run): boolean {
  return run.size < SMALLER * before.size && before.y - run.y > HIGHER * before.size;
}

export function lineOf(row: Row, column: Line['column']): Line {
  const pieces = piecesOf(row);
  const main = pieces.reduce((most, piece) => (piece.text.length > most.text.length ? piece : most));
  return {
    pieces,
    text: pieces.map((piece) => piece.text).join(' '),
    x: Math.min(...pieces.map((piece) => piece.x)),
    right: Math.max(...pieces.map((piece) => piece.right)),
    y: main.y,
    size: main.size,
    isCode: pieces.every((piece) => piece.isCode),
    column,
  };
}
