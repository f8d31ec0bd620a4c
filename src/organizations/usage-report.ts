import { asAmount } from '../core/runs/prices.js';
import type { UsageSlice } from '../core/runs/usage.js';

/** Undefined: nobody has said what it costs. */
export type CostOfSlice = (slice: UsageSlice) => number | undefined;

export interface UsageSum {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of what has a price; null where nothing has. */
  readonly cost: number | null;
}

export interface UsageRow extends UsageSum {
  readonly key: string;
  readonly runs: number;
}

/** Rows by key, those with most tokens first. */
export function rowsOf(
  slices: readonly UsageSlice[],
  runs: ReadonlyMap<string, number>,
  costOf: CostOfSlice,
): readonly UsageRow[] {
  const byKey = new Map<string, UsageSlice[]>();
  for (const slice of slices) {
    const found = byKey.get(slice.key) ?? [];
    byKey.set(slice.key, found);
    found.push(slice);
  }
  return [...byKey]
    .map(([key, found]) => ({ key, runs: runs.get(key) ?? 0, ...sumOf(found, costOf) }))
    .sort((one, other) => tokensOf(other) - tokensOf(one) || (one.key < other.key ? -1 : 1));
}

/** A row for each day, whether anybody did anything or not. */
export function gapless(rows: readonly UsageRow[], days: readonly string[]): readonly UsageRow[] {
  const found = new Map(rows.map((row) => [row.key, row]));
  return days.map((key) => found.get(key) ?? { key, runs: 0, ...sumOf([], () => 0) });
}

export function sumOf(slices: readonly UsageSlice[], costOf: CostOfSlice): UsageSum {
  const known = slices.map(costOf).filter((cost) => cost !== undefined);
  const unknown = slices.length > 0 && known.length === 0;
  return {
    promptTokens: slices.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: slices.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    cost: unknown ? null : asAmount(known.reduce((sum, cost) => sum + cost, 0)),
  };
}

function tokensOf({ promptTokens, completionTokens }: UsageSum): number {
  return promptTokens + completionTokens;
}
