import { type Line, lineOf, type Piece, type Row } from './lines.js';

const FEWEST_LINES = 4;
/** Shorter pieces side by side are cells of a table, which is read row by row. */
const SHORTEST_AVERAGE = 18;
const MOST_CROSSING = 0.3;
const MOST_NESTED = 3;
/** In points: between the places at which a gutter is looked for. */
const STEP = 2;

/** The lines of a page in the order in which they are read: column after column where there are columns. */
export function linesInOrder(rows: readonly Row[], nested = 0): readonly Line[] {
  const pieces = rows.flat();
  if (pieces.length === 0) return [];
  const column = {
    left: Math.min(...pieces.map((piece) => piece.x)),
    right: Math.max(...pieces.map((piece) => piece.right)),
  };
  const gutter = nested < MOST_NESTED ? gutterIn(pieces, column) : undefined;
  if (gutter === undefined) return rows.map((row) => lineOf(row, column));

  const lines: Line[] = [];
  let sides: { left: Row[]; right: Row[] } = { left: [], right: [] };
  const finishSides = () => {
    lines.push(...linesInOrder(sides.left, nested + 1), ...linesInOrder(sides.right, nested + 1));
    sides = { left: [], right: [] };
  };
  for (const row of rows) {
    const left = row.filter((piece) => piece.right <= gutter);
    const right = row.filter((piece) => piece.x >= gutter);
    if (left.length + right.length < row.length) {
      finishSides();
      lines.push(lineOf(row, column));
      continue;
    }
    if (left.length > 0) sides.left.push(left);
    if (right.length > 0) sides.right.push(right);
  }
  finishSides();
  return lines;
}

/** Where a blank strip from top to bottom parts running text; undefined where none does. */
function gutterIn(pieces: readonly Piece[], column: Line['column']): number | undefined {
  const width = column.right - column.left;
  const found: { at: number; crossing: number }[] = [];
  for (let at = column.left + width * 0.2; at <= column.left + width * 0.8; at += STEP) {
    const left = pieces.filter((piece) => piece.right <= at);
    const right = pieces.filter((piece) => piece.x >= at);
    const crossing = pieces.length - left.length - right.length;
    const isFew = crossing <= MOST_CROSSING * Math.min(left.length, right.length);
    if (isFew && isRunningText(left) && isRunningText(right) && overlap(left, right))
      found.push({ at, crossing });
  }
  const fewest = Math.min(...found.map(({ crossing }) => crossing));
  const best = found.filter(({ crossing }) => crossing === fewest);
  return best[Math.floor(best.length / 2)]?.at;
}

function isRunningText(pieces: readonly Piece[]): boolean {
  const letters = pieces.reduce((sum, { text }) => sum + text.length, 0);
  return pieces.length >= FEWEST_LINES && letters >= SHORTEST_AVERAGE * pieces.length;
}

/** Side by side, rather than one below the other. */
function overlap(left: readonly Piece[], right: readonly Piece[]): boolean {
  const top = Math.max(Math.min(...left.map(({ y }) => y)), Math.min(...right.map(({ y }) => y)));
  const bottom = Math.min(Math.max(...left.map(({ y }) => y)), Math.max(...right.map(({ y }) => y)));
  const heights = [left, right].map(
    (side) => Math.max(...side.map(({ y }) => y)) - Math.min(...side.map(({ y }) => y)),
  );
  return bottom - top > 0.5 * Math.min(...heights);
}
