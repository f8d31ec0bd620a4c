import type { Stores } from '../core/stores.js';

/** The beginning of the first month that is kept: so many are over. Before any time there is where all are kept. */
export function oldestKept(months: number, now: number): string {
  if (months === 0) return '';
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)).toISOString();
}

/**
 * Lets go of runs, their steps and the ledger of before. What was spent stays on the books by its sums, so these come
 * first. Stops between two steps when told to; whoever sweeps next goes on. How much went.
 */
export async function letGoOfMonths(
  { runMonths, usage }: Pick<Stores, 'runMonths' | 'usage'>,
  before: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const isStopped = () => signal.aborted;
  while (!isStopped() && (await usage.addUp()));
  if (isStopped() || !(await runMonths.close(before))) return {};
  const months = await runMonths.dropMonths(before);
  for (let rows = 0; ;) {
    const gone = isStopped() ? 0 : await runMonths.deleteSome(before);
    if (gone === 0) return { months, rowsOfMonths: rows };
    rows += gone;
  }
}
