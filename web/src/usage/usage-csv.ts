import type { UsageReport } from '../../../src/http/contract/usage.ts';

const COLUMNS = ['key', 'label', 'runs', 'prompt_tokens', 'completion_tokens', 'cost', 'currency'];

/** For spreadsheets, under names that are the same in every language. */
export function csvOf({ rows, currency }: Pick<UsageReport, 'rows' | 'currency'>): string {
  const lines = rows.map(({ key, label, runs, prompt_tokens, completion_tokens, cost }) =>
    [key, label, runs, prompt_tokens, completion_tokens, cost ?? '', currency].map(cell).join(','),
  );
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** A name that begins like a formula is kept from becoming one. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
