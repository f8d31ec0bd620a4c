import type { Caller } from '../core/access/caller.js';
import type { UsageSlice } from '../core/runs/usage.js';
import type { Prices, PricesFor } from './pricing.js';
import type { CostOfSlice } from './usage-report.js';

interface Reader {
  readonly caller: Caller;
  /** Whose currency it is; the caller's unless given. */
  readonly organizationId: number | undefined;
}

/** One report is in one currency: what an organisation pays in another one counts as not known. */
export async function pricingOf(
  slices: readonly UsageSlice[],
  { caller, organizationId = caller.organizationId }: Reader,
  pricesFor: PricesFor,
): Promise<{ readonly currency: string; readonly costOf: CostOfSlice }> {
  const payers = new Set([organizationId, ...slices.map((slice) => slice.organizationId)]);
  const prices = new Map<number, Prices>();
  for (const id of payers) prices.set(id, await pricesFor(caller, id));
  const currency = prices.get(organizationId)?.currency ?? '';
  return {
    currency,
    costOf: (slice) => {
      const theirs = prices.get(slice.organizationId);
      return theirs?.currency === currency ? theirs.costOf(slice, slice) : undefined;
    },
  };
}
