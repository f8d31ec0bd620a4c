export type Grouping = 'day' | 'assistant' | 'model' | 'user' | 'activity';
export const MEASURES = ['tokens', 'runs', 'cost'] as const;
export type Measure = (typeof MEASURES)[number];

export interface UsageFigures {
  readonly runs: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Null where no price is known. */
  readonly cost: number | null;
}

export interface UsageRow extends UsageFigures {
  readonly key: string;
  readonly label: string | null;
}

export interface UsageReport {
  readonly rows: readonly UsageRow[];
  readonly total: UsageFigures & { readonly unpriced_runs?: number };
  readonly currency: string;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** How much it is, of what is looked at; what has no price counts as nothing. */
export function measured(figures: UsageFigures, measure: Measure): number {
  if (measure === 'runs') return figures.runs;
  if (measure === 'cost') return figures.cost ?? 0;
  return figures.prompt_tokens + figures.completion_tokens;
}
