import type { Results } from './results.js';
import type { Row } from './targets.js';

/** Every row with what the run that was kept last had found. A target that is told in other words by now is another one. */
export function withLast(rows: readonly Row[], last: Pick<Results, 'targets'> | undefined): readonly Row[] {
  return rows.map((row) => {
    const before = last?.targets.find(({ number, what }) => number === row.number && what === row.what);
    return typeof before?.figure === 'number' ? { ...row, before: before.figure } : row;
  });
}

/** How a figure has changed, such as `12 % better`; empty where there is none to hold it against. */
export function trendOf({ figure, before, is }: Pick<Row, 'figure' | 'before' | 'is'>): string {
  if (figure === null || before === undefined) return '';
  if (figure === before) return 'the same';
  const verdict = figure < before === (is === 'most') ? 'better' : 'worse';
  if (before === 0) return verdict;
  const percent = Math.round((100 * Math.abs(figure - before)) / Math.abs(before));
  return percent === 0 ? 'the same' : `${String(percent)} % ${verdict}`;
}

export type Conditions = Pick<Results, 'date' | 'node' | 'cores' | 'processor'>;

/** When and where it was before, and what that means where it was elsewhere. */
export function tellBefore(before: Conditions, now: Conditions): string {
  const { date, node, cores, processor } = before;
  const others = [
    ...(processor === now.processor && cores === now.cores ? [] : ['processor']),
    ...(node === now.node ? [] : ['Node']),
  ];
  const where = `Before: ${date.slice(0, 10)}, Node ${node.slice(1)}, ${String(cores)} cores (${processor}).`;
  if (others.length === 0) return where;
  return `${where} That was another ${others.join(' and another ')}: of what has changed since, part is due to that.`;
}
