import type { Line } from './lines.js';

const FEWEST_ROWS = 3;

/** The lines from this one on that are rows of one table: as many cells in each, each in its own column. */
export function tableRowsFrom(lines: readonly Line[], start: number): readonly Line[] {
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
