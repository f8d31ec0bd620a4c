import type { Caller } from '../core/access/caller.js';
import type { Plugins } from '../core/plugins.js';
import { asAmount, type Price, type PriceList } from '../core/runs/prices.js';
import type { RunRecord, RunStep, StepCost } from '../core/runs/record.js';
import type { Settings } from '../core/runs/run-context.js';
import type { UsageSlice } from '../core/runs/usage.js';
import { inMoney, type Pricing } from './usage-report.js';

/** One call of a model, as far as its price depends on it. */
export interface PricedCall {
  readonly connector?: string | undefined;
  readonly model?: string | undefined;
}

export interface Prices {
  readonly currency: string;
  /** Whether whoever asks may know what was paid. */
  readonly isTheirs: boolean;
  /** What was written down, for whoever may know it, in `COST_UNITS`. Undefined: there was no price, or they may not. */
  told(booked: StepCost | undefined): StepCost | undefined;
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

/** Looked up when somebody reads. What it cost then is what it cost, whatever the price is now. */
export function createPricing(settingsOf: (organizationId: number) => Promise<Settings>): PricesFor {
  return async (caller, organizationId) => {
    const isTheirs = caller.role === 'system_admin' || caller.organizationId === organizationId;
    const { prices } = await settingsOf(organizationId);
    return {
      currency: prices.currency,
      isTheirs,
      told: (booked) => (isTheirs || booked?.amount === 0 ? booked : undefined),
    };
  };
}

interface Reader {
  readonly caller: Caller;
  /** Whose currency it is; the caller's unless given. */
  readonly organizationId: number | undefined;
}

/** One report has its sums in one currency; what was paid in others is told beside them. */
export async function pricingOf(
  slices: readonly UsageSlice[],
  { caller, organizationId = caller.organizationId }: Reader,
  pricesFor: PricesFor,
): Promise<Pricing> {
  const payers = new Set([organizationId, ...slices.map((slice) => slice.organizationId)]);
  const prices = new Map<number, Prices>();
  for (const id of payers) prices.set(id, await pricesFor(caller, id));
  return {
    currency: prices.get(organizationId)?.currency ?? '',
    costOf: (slice) => prices.get(slice.organizationId)?.told(slice.booked),
    isHidden: (slice) => prices.get(slice.organizationId)?.isTheirs !== true,
  };
}

/** What is known around the runs of a page, for whoever reads it. */
export interface RunPricing {
  /** The runs that those started, by their ids. */
  readonly children: ReadonlyMap<string, RunRecord>;
  /** By organisation: each run is paid by that of its own assistant. */
  readonly prices: ReadonlyMap<number, Prices>;
}

/** Null: nobody has said what it costs. Undefined: it spends nothing. */
export type Cost = number | null | undefined;

/** As with its usage, what it started is counted in. Null when the price of any part is not known. */
export function costOfRun(run: RunRecord, pricing: RunPricing): number | null {
  const spent = sumOf(run.steps.map((step) => costOfStep(step, run, pricing)));
  return spent === undefined ? 0 : spent;
}

/** In which it was paid: the organisation may have chosen another one since. */
export function currencyOf({ steps, organizationId }: RunRecord, { prices }: RunPricing): string {
  const paid = steps.find(({ cost }) => cost !== undefined)?.cost;
  return (paid ?? prices.get(organizationId))?.currency ?? '';
}

export function costOfStep(
  step: RunStep,
  run: RunRecord,
  pricing: RunPricing,
  currency = currencyOf(run, pricing),
): Cost {
  if (step.usage) {
    const told = pricing.prices.get(run.organizationId)?.told(step.cost);
    return told && (told.currency === currency || told.amount === 0) ? inMoney(told.amount) : null;
  }
  if (step.childRunId === undefined) return undefined;
  const child = pricing.children.get(step.childRunId);
  return child ? sumOf(child.steps.map((inner) => costOfStep(inner, child, pricing, currency))) : null;
}

function sumOf(costs: readonly Cost[]): Cost {
  const spent = costs.filter((cost) => cost !== undefined);
  if (spent.length === 0) return undefined;
  return spent.includes(null) ? null : asAmount(spent.reduce<number>((sum, cost) => sum + (cost ?? 0), 0));
}
