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
