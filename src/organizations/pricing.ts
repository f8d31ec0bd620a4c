import { COST_UNITS } from '../core/budgets/budget.js';
import type { Caller } from '../core/access/caller.js';
import type { Plugins } from '../core/plugins.js';
import type { Usage } from '../core/runs/event.js';
import { asAmount, costAt, type Price, type PriceList } from '../core/runs/prices.js';
import type { RunRecord, RunStep, StepCost } from '../core/runs/record.js';
import type { Settings } from '../core/runs/run-context.js';
import type { UsageSlice } from '../core/runs/usage.js';
import type { CostOfSlice } from './usage-report.js';

/** One call of a model, as far as its price depends on it. */
export interface PricedCall {
  readonly connector?: string | undefined;
  readonly model?: string | undefined;
}

export interface Prices {
  readonly currency: string;
  /** Undefined where nobody has said what it costs. */
  costOf(call: PricedCall, usage: Usage, booked?: StepCost): number | undefined;
}

/** What the models of an organisation cost, for whoever asks: outsiders are not told. */
export type PricesFor = (caller: Caller, organizationId: number) => Promise<Prices>;

const FREE: Price = { prompt: 0, completion: 0 };

/** What a model costs the organisation; undefined where nobody has said so. */
export function priceIn(
  { models }: PriceList,
  { connector = '', model = '' }: PricedCall,
  connectors: Plugins['connectors'],
): Price | undefined {
  const known = connectors.get(connector);
  // A connector without a provider (bypass, demo) calls nobody who could send a bill.
  if (known && known.provider === undefined) return FREE;
  const provider = known?.provider?.name ?? connector;
  return models.get(`${provider}/${model}`) ?? models.get(model);
}

interface Deps {
  readonly plugins: Pick<Plugins, 'connectors'>;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

/** Looked up when somebody reads, never while somebody chats. */
export function createPricing({ plugins, settingsOf }: Deps): PricesFor {
  return async (caller, organizationId) => {
    const isTheirs = caller.role === 'system_admin' || caller.organizationId === organizationId;
    const { prices } = await settingsOf(organizationId);
    return {
      currency: prices.currency,
      costOf(call, usage, booked) {
        // What it cost then is what it cost, whatever the price is now.
        if (booked) return isTheirs || booked.amount === 0 ? inMoney(booked, prices.currency) : undefined;
        const price = priceIn(prices, call, plugins.connectors);
        return price && (isTheirs || price === FREE) ? costAt(price, usage) : undefined;
      },
    };
  };
}

/** What was paid in another currency counts as not known. */
const inMoney = ({ amount, currency }: StepCost, wanted: string): number | undefined =>
  currency === wanted || amount === 0 ? amount / COST_UNITS : undefined;

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
      return theirs?.currency === currency ? theirs.costOf(slice, slice, slice.booked) : undefined;
    },
  };
}

/** The steps of the runs that a run started, by their ids. */
export type ChildSteps = ReadonlyMap<string, readonly RunStep[]>;

/** Null: nobody has said what it costs. Undefined: it spends nothing. */
export type Cost = number | null | undefined;

/** As with its usage, what it started is counted in. Null when the price of any part is not known. */
export function costOfRun(run: RunRecord, children: ChildSteps, prices: Prices): number | null {
  const spent = sumOf(run.steps.map((step) => costOfStep(step, children, prices)));
  return spent === undefined ? 0 : spent;
}

export function costOfStep(step: RunStep, children: ChildSteps, prices: Prices): Cost {
  if (step.usage) {
    const cost = prices.costOf(step, step.usage, step.cost);
    return cost === undefined ? null : asAmount(cost);
  }
  if (step.childRunId === undefined) return undefined;
  const steps = children.get(step.childRunId);
  return steps ? sumOf(steps.map((inner) => costOfStep(inner, children, prices))) : null;
}

function sumOf(costs: readonly Cost[]): Cost {
  const spent = costs.filter((cost) => cost !== undefined);
  if (spent.length === 0) return undefined;
  return spent.includes(null) ? null : asAmount(spent.reduce<number>((sum, cost) => sum + (cost ?? 0), 0));
}
