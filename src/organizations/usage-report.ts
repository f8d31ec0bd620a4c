import { COST_UNITS } from '../core/budgets/budget.js';
import { asAmount } from '../core/runs/prices.js';
import type { StepCost } from '../core/runs/record.js';
import type { CountedSlice, UsageSlice } from '../core/runs/usage.js';

export interface Pricing {
  /** That sums are in. */
  readonly currency: string;
  /** Undefined: there was no price, or whoever asks may not know it. */
  readonly costOf: (slice: UsageSlice) => StepCost | undefined;
  /** Somebody else paid for it, and what is not told. */
  readonly isHidden: (slice: UsageSlice) => boolean;
}

export interface UsageSum {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of what has a price in the report's currency; null where nothing has. */
  readonly cost: number | null;
}

export interface CountedSum extends UsageSum {
  readonly runs: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

export interface UsageRow extends CountedSum {
  readonly key: string;
}

export interface UsageTotal extends CountedSum {
  readonly unpricedRuns: number;
  readonly otherCosts: readonly { readonly currency: string; readonly cost: number }[];
}

/** Rows by key, those with most tokens first. */
export function rowsOf(slices: readonly CountedSlice[], pricing: Pricing): readonly UsageRow[] {
  const byKey = new Map<string, CountedSlice[]>();
  for (const slice of slices) {
    const found = byKey.get(slice.key) ?? [];
    byKey.set(slice.key, found);
    found.push(slice);
  }
  return [...byKey]
    .map(([key, found]) => ({ key, ...countedSum(found, pricing), runs: added(found, 'runs') }))
    .sort((one, other) => tokensOf(other) - tokensOf(one) || (one.key < other.key ? -1 : 1));
}

/** A row for each day, whether anybody did anything or not. */
export function gapless(
  rows: readonly UsageRow[],
  days: readonly string[],
  pricing: Pricing,
): readonly UsageRow[] {
  const found = new Map(rows.map((row) => [row.key, row]));
  return days.map((key) => found.get(key) ?? { key, runs: 0, ...countedSum([], pricing) });
}

export function totalOf(slices: readonly CountedSlice[], pricing: Pricing): UsageTotal {
  const { costOf, isHidden, currency } = pricing;
  const others = new Map<string, number>();
  for (const slice of slices) {
    const paid = costOf(slice);
    if (paid && paid.amount !== 0 && paid.currency !== currency)
      others.set(paid.currency, (others.get(paid.currency) ?? 0) + paid.amount);
  }
  return {
    runs: added(slices, 'runsInAll'),
    ...countedSum(slices, pricing),
    unpricedRuns: slices.reduce(
      (sum, slice) => sum + (isHidden(slice) ? slice.chargedRuns : slice.unpricedRuns),
      0,
    ),
    otherCosts: [...others]
      .map(([paidIn, amount]) => ({ currency: paidIn, cost: inMoney(amount) }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}

function countedSum(slices: readonly CountedSlice[], pricing: Pricing): Omit<CountedSum, 'runs'> {
  return {
    ...sumOf(slices, pricing),
    cachedTokens: added(slices, 'cachedTokens'),
    reasoningTokens: added(slices, 'reasoningTokens'),
  };
}

export function sumOf(
  slices: readonly UsageSlice[],
  { costOf, currency }: Pick<Pricing, 'costOf' | 'currency'>,
): UsageSum {
  const known = slices
    .map((slice) => costOf(slice))
    .filter((cost) => cost !== undefined && (cost.currency === currency || cost.amount === 0));
  const unknown = slices.length > 0 && known.length === 0;
  return {
    promptTokens: slices.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: slices.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    // Whole numbers are added up, and divided once: so the sum is exact.
    cost: unknown ? null : inMoney(known.reduce((sum, cost) => sum + (cost?.amount ?? 0), 0)),
  };
}

export const inMoney = (amount: number): number => asAmount(amount / COST_UNITS);

type Counted = 'runs' | 'runsInAll' | 'cachedTokens' | 'reasoningTokens';

function added(slices: readonly CountedSlice[], figure: Counted): number {
  return slices.reduce((sum, slice) => sum + slice[figure], 0);
}

function tokensOf({ promptTokens, completionTokens }: UsageSum): number {
  return promptTokens + completionTokens;
}
