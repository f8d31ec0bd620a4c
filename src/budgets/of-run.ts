import type { Caller } from '../core/access/caller.js';
import { memoizeByObject } from '../core/base/memo.js';
import { type Budget, placeKey } from '../core/budgets/budget.js';
import type { BudgetedRun } from '../core/budgets/budgeted-run.js';
import type { Activity } from '../core/lti/activity.js';
import type { RunBudget } from '../core/budgets/run-budget.js';
import type { Settings } from '../core/runs/run-context.js';
import type { Stores } from '../core/stores.js';
import type { PriceOf } from './amounts.js';
import type { Blocks } from './blocks.js';
import { createRunBudget, type RunBudgetDeps } from './run-budget.js';

interface Deps {
  readonly stores: Pick<Stores, 'budgets' | 'activities'>;
  readonly pricesIn: (settings: Settings) => PriceOf;
  readonly blocks: Blocks;
  readonly refused: RunBudgetDeps['refused'];
}

export function createBudgetOfRun({
  stores,
  pricesIn,
  blocks,
  refused,
}: Deps): (run: BudgetedRun) => Promise<RunBudget | undefined> {
  return async (run) => {
    const { runId, caller, isChild, settings } = run;
    const budgets = await budgetsOnTheWay(caller, run, stores);
    if (budgets.length === 0) return undefined;
    return createRunBudget(
      { runId, userId: caller.userId, isChild, budgets },
      {
        budgets: stores.budgets,
        blocks,
        priceOf: pricesIn(settings),
        mostTokens: settings.limits.maxOutputTokens,
        refused,
      },
    );
  };
}

interface Payer {
  readonly organizationId: number;
  readonly assistantId?: number | undefined;
}

const NONE: readonly Budget[] = [];

/** Those in force that somebody spends, with an assistant of this organisation. */
export async function budgetsOnTheWay(
  caller: Caller,
  payer: Payer,
  { budgets, activities }: Pick<Stores, 'budgets' | 'activities'>,
): Promise<readonly Budget[]> {
  const all = await budgets.byPlace();
  if (all.size === 0) return NONE;
  let found = NONE;
  const activityId = caller.launch?.activityId;
  const activity = activityId === undefined ? undefined : await activities.get(activityId);
  for (const place of placesOf(caller, payer, activity)) {
    const some = all.get(place);
    if (some) found = found === NONE ? some : joined(found)(some);
  }
  const spent = caller.link?.budgetId ? withBudget(found, caller.link.budgetId, all) : found;
  return spent.every(isAlwaysInForce) ? spent : spent.filter(isInForceAt(new Date().toISOString()));
}

/** The same list each time, so that what is known of it can be kept. */
const joined = memoizeByObject((some: readonly Budget[]) =>
  memoizeByObject((more: readonly Budget[]): readonly Budget[] => [...some, ...more]),
);

/** What a link was given to spend, besides what counts anyway. */
function withBudget(
  found: readonly Budget[],
  id: string,
  all: ReadonlyMap<string, readonly Budget[]>,
): readonly Budget[] {
  if (found.some((budget) => budget.id === id)) return found;
  return [...found, ...[...all.values()].flat().filter((budget) => budget.id === id)];
}

/** As nearly all are: then no clock is asked. */
const isAlwaysInForce = ({ startsAt, endsAt }: Budget) => startsAt === undefined && endsAt === undefined;

const isInForceAt =
  (now: string) =>
  ({ startsAt, endsAt }: Budget) =>
    (startsAt === undefined || startsAt <= now) && (endsAt === undefined || now < endsAt);

const OF_KEY = /^key:(\d+)$/;

function placesOf(
  caller: Caller,
  { organizationId, assistantId }: Payer,
  activity: Activity | undefined,
): readonly string[] {
  const places = [placeKey('organization', organizationId), placeKey('user', caller.userId)];
  const key = OF_KEY.exec(caller.credentialId)?.[1];
  if (key !== undefined) places.push(placeKey('api_key', Number(key)));
  if (assistantId !== undefined) places.push(placeKey('assistant', assistantId));
  if (!activity) return places;
  const { id, platformId, course } = activity;
  return [...places, placeKey('activity', id), placeKey('course', platformId, course.id)];
}
