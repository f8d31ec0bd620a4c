/** What `/lamb/v1/usage` answers with. */
export interface UsageReport {
  readonly rows: readonly UsageRow[];
  readonly total: UsageFigures & { readonly unpriced_runs: number };
  readonly currency: string;
}

export interface UsageFigures {
  readonly runs: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Null where no price is known. */
  readonly cost: number | null;
}

export interface UsageRow extends UsageFigures {
  readonly key: string;
  /** Empty for what has no name any more. */
  readonly label: string;
}

export type UsageGroup = 'day' | 'assistant' | 'model' | 'user' | 'activity';
