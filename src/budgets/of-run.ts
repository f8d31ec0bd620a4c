import { type Budget, type BudgetPlace, placeKey } from '../core/budgets/budget.js';
import type { BudgetedRun, RunBudget } from '../core/budgets/run-budget.js';
import type { Settings } from '../core/runs/run-context.js';
import type { Stores } from '../core/stores.js';
import type { PriceOf } from './amounts.js';
import { createRunBudget } from './run-budget.js';

interface Deps {
  readonly stores: Pick<Stores, 'budgets' | 'activities'>;
  readonly pricesIn: (settings: Settings) => PriceOf;
  readonly runTimeoutMs: number;
}

export function createBudgetOfRun({
  stores,
  pricesIn,
  runTimeoutMs,
}: Deps): (run: BudgetedRun) => Promise<RunBudget | undefined> {
  return async (run) => {
    const all = await stores.budgets.byPlace();
    if (all.size === 0) return undefined;
    const now = new Date().toISOString();
    const places = await placesOf(run, stores.activities);
    const budgets = places.flatMap((place) => all.get(placeKey(place)) ?? []).filter(isInForceAt(now));
    if (budgets.length === 0) return undefined;
    const { runId, caller, isChild, settings } = run;
    return createRunBudget(
      { runId, userId: caller.userId, isChild, budgets },
      {
        budgets: stores.budgets,
        priceOf: pricesIn(settings),
        mostTokens: settings.limits.maxOutputTokens,
        runTimeoutMs,
      },
    );
  };
}

const isInForceAt =
  (now: string) =>
  ({ startsAt, endsAt }: Budget) =>
    (startsAt === undefined || startsAt <= now) && (endsAt === undefined || now < endsAt);

const OF_KEY = /^key:(\d+)$/;

async function placesOf(
  { caller, organizationId, assistantId }: BudgetedRun,
  activities: Pick<Stores['activities'], 'get'>,
): Promise<readonly BudgetPlace[]> {
  const key = OF_KEY.exec(caller.credentialId)?.[1];
  const activityId = caller.launch?.activityId;
  const activity = activityId === undefined ? undefined : await activities.get(activityId);
  return [
    ['organization', organizationId],
    ['user', caller.userId],
    ...(key === undefined ? [] : [['api_key', Number(key)] as const]),
    ...(assistantId === undefined ? [] : [['assistant', assistantId] as const]),
    ...(activity ? [['activity', activity.id] as const] : []),
    ...(activity ? [['course', activity.platformId, activity.course.id] as const] : []),
  ];
}
