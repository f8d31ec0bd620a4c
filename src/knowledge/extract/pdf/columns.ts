import { isFarFrom, type Line, lineOf, type Row } from './lines.js';
import type { Run } from './runs.js';

const FEWEST_LINES = 4;
/** Shorter pieces side by side are cells of a table, which is read row by row. */
const SHORTEST_AVERAGE = 18;
const MOST_CROSSING = 0.3;
const MOST_NESTED = 3;
/** In points: between the places at which a gutter is looked for. */
const STEP = 2;
/** In parts of the size of the letters. LaTeX leaves 10 pt between columns of 10 pt; spaces between words are narrower. */
const NARROWEST_GUTTER = 0.6;

/** The lines of a page in the order in which they are read: column after column where there are columns. */
export function linesInOrder(rows: readonly Row[], nested = 0): readonly Line[] {
  const runs = rows.flat();
  if (runs.length === 0) return [];
  const column = {
    left: Math.min(...runs.map((run) => run.x)),
    right: Math.max(...runs.map(rightOf)),
  };
  const gutter = nested < MOST_NESTED ? gutterIn(rows, column) : undefined;
  if (gutter === undefined) return rows.map((row) => lineOf(row, column));

  const lines: Line[] = [];
  let sides: { left: Row[]; right: Row[] } = { left: [], right: [] };
  const finishSides = () => {
    lines.push(...linesInOrder(sides.left, nested + 1), ...linesInOrder(sides.right, nested + 1));
    sides = { left: [], right: [] };
  };
  for (const row of rows) {
    const parted = partedAt(gutter, row);
    if (!parted) {
      finishSides();
      lines.push(lineOf(row, column));
      continue;
    }
    if (parted.left.length > 0) sides.left.push(parted.left);
    if (parted.right.length > 0) sides.right.push(parted.right);
  }
  finishSides();
  return lines;
}

const rightOf = (run: Run): number => run.x + run.width;

/** What is left and right of a gutter on one line; undefined where text goes on across it. */
function partedAt(gutter: number, row: Row): { readonly left: Row; readonly right: Row } | undefined {
  const left = row.filter((run) => rightOf(run) <= gutter);
  const right = row.filter((run) => run.x >= gutter);
  if (left.length + right.length < row.length) return undefined;
  const [next] = right;
  if (!next || left.length === 0) return { left, right };
  const gap = next.x - Math.max(...left.map(rightOf));
  return gap >= NARROWEST_GUTTER * next.size ? { left, right } : undefined;
}

/** Where a blank strip from top to bottom parts running text; undefined where none does. */
function gutterIn(rows: readonly Row[], column: Line['column']): number | undefined {
  const width = column.right - column.left;
  const found: { at: number; crossing: number }[] = [];
  for (let at = column.left + width * 0.2; at <= column.left + width * 0.8; at += STEP) {
    const parted = rows.map((row) => partedAt(at, row)).filter((sides) => sides !== undefined);
    const left = parted.map((sides) => sides.left).filter((row) => row.length > 0);
    const right = parted.map((sides) => sides.right).filter((row) => row.length > 0);
    const crossing = rows.length - parted.length;
    const isFew = crossing <= MOST_CROSSING * Math.min(left.length, right.length);
    if (isFew && isRunningText(left) && isRunningText(right) && overlap(left.flat(), right.flat()))
      found.push({ at, crossing });
  }
  const fewest = Math.min(...found.map(({ crossing }) => crossing));
  return middleOfWidest(found.filter(({ crossing }) => crossing === fewest).map(({ at }) => at));
}

/** Spaces between words that happen to stand below each other are narrower than the gutter. */
function middleOfWidest(places: readonly number[]): number | undefined {
  const strips: number[][] = [];
  for (const at of places) {
    const strip = strips.at(-1);
    if (strip && at - (strip.at(-1) ?? 0) <= STEP * 1.5) strip.push(at);
    else strips.push([at]);
  }
  const widest = strips.reduce<readonly number[]>(
    (most, each) => (each.length > most.length ? each : most),
    [],
  );
  return widest[Math.floor(widest.length / 2)];
}

function isRunningText(rows: readonly Row[]): boolean {
  const letters = rows.flat().reduce((sum, { text }) => sum + text.length, 0);
  const pieces = rows.reduce((sum, row) => sum + 1 + row.filter(isBeginning).length, 0);
  return rows.length >= FEWEST_LINES && letters >= SHORTEST_AVERAGE * pieces;
}

/** Of another piece of the same line. */
function isBeginning(run: Run, at: number, row: Row): boolean {
  const before = row[at - 1];
  return before !== undefined && isFarFrom(before, run);
}

/** Side by side, rather than one below the other. */
function overlap(left: readonly Run[], right: readonly Run[]): boolean {
  const top = Math.max(Math.min(...left.map(({ y }) => y)), Math.min(...right.map(({ y }) => y)));
  const bottom = Math.min(Math.max(...left.map(({ y }) => y)), Math.max(...right.map(({ y }) => y)));
  const heights = [left, right].map(
    (side) => Math.max(...side.map(({ y }) => y)) - Math.min(...side.map(({ y }) => y)),
  );
  return bottom - top > 0.5 * Math.min(...heights);
}
