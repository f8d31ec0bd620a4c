import type { RunRecord, RunStep } from '../core/runs/record.js';
import { asAmount } from '../core/runs/prices.js';
import type { Prices } from './pricing.js';

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
    const cost = prices.costOf(step, step.usage);
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
