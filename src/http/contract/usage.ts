/** What `/lamb/v1/usage` answers with. */
export interface UsageReport {
  readonly rows: readonly UsageRow[];
  readonly total: UsageTotal;
  readonly currency: string;
}

export interface UsageFigures {
  readonly runs: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Of the prompt's, what the provider had already. */
  readonly cached_tokens: number;
  /** Of the completion's, what a model said to itself. */
  readonly reasoning_tokens: number;
  /** Null where there was no price. */
  readonly cost: number | null;
}

export interface UsageTotal extends UsageFigures {
  /** Runs with a call that had no price, or whose price is not told. */
  readonly unpriced_runs: number;
  /** What was paid in other currencies, which is not in `cost`. */
  readonly other_costs: readonly { readonly currency: string; readonly cost: number }[];
}

export interface UsageRow extends UsageFigures {
  readonly key: string;
  /** Empty for what has no name any more. */
  readonly label: string;
}

export type UsageGroup = 'day' | 'assistant' | 'model' | 'user' | 'activity';

const CSV_COLUMNS = ['key', 'label', 'runs', 'prompt_tokens', 'completion_tokens', 'cost', 'currency'];

/** For spreadsheets, under names that are the same in every language (RFC 4180). */
export function usageCsv({
  rows,
  currency,
}: Pick<UsageReport, 'currency'> & { readonly rows: readonly CsvRow[] }) {
  const lines = rows.map(({ key, label, runs, prompt_tokens, completion_tokens, cost }) =>
    [key, label, runs, prompt_tokens, completion_tokens, cost ?? '', currency].map(cell).join(','),
  );
  return [CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

type CsvRow = Omit<UsageRow, 'cached_tokens' | 'reasoning_tokens'>;

/** A name that begins like a formula is kept from becoming one. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
