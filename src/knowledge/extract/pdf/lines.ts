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

export type Row = readonly Piece[];

/** Pieces that stand on one line across the whole page, from top to bottom. */
export function rowsOf(runs: readonly Run[]): readonly Row[] {
  const rows: { y: number; size: number; runs: Run[] }[] = [];
  for (const run of [...runs].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    if (row && run.y - row.y <= SAME_LINE * Math.min(Math.max(run.size, row.size), 2 * run.size)) {
      row.runs.push(run);
      row.size = Math.max(row.size, run.size);
    } else rows.push({ y: run.y, size: run.size, runs: [run] });
  }
  return rows.map((row) => piecesOf(row.runs));
}

function piecesOf(runs: readonly Run[]): Row {
  const sorted = [...runs].sort((a, b) => a.x - b.x);
  const groups: Run[][] = [];
  for (const run of sorted) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (before && isPrintedTwice(before, run)) continue;
    if (group && before && gapBetween(before, run) <= WIDE_GAP * Math.max(before.size, run.size))
      group.push(run);
    else groups.push([run]);
  }
  return groups.map(pieceOf);
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
  const isBackwards = runs.filter((run) => run.isRightToLeft).length * 2 > runs.length;
  const main = runs.reduce((most, run) => (run.text.length > most.text.length ? run : most));
  return {
    text: textOf(isBackwards ? [...runs].reverse() : runs, isBackwards),
    x: Math.min(...runs.map((run) => run.x)),
    right: Math.max(...runs.map((run) => run.x + run.width)),
    y: main.y,
    size: main.size,
    isCode: runs.every((run) => run.isCode),
  };
}

function textOf(runs: readonly Run[], isBackwards: boolean): string {
  let text = '';
  runs.forEach((run, at) => {
    const before = runs[at - 1];
    const gap = before ? (isBackwards ? gapBetween(run, before) : gapBetween(before, run)) : 0;
    const isApart = before !== undefined && gap > WORD_GAP * run.size;
    text += isApart && !/\s$/.test(text) && !/^\s/.test(run.text) ? ` ${run.text}` : run.text;
  });
  return text.replace(/\s+/g, ' ').trim();
}

export function lineOf(pieces: Row, column: Line['column']): Line {
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
