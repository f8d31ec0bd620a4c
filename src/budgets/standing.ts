import { type Budget, type BudgetFigures, placeKey } from '../core/budgets/budget.js';
import type { Activity } from '../core/lti/activity.js';
import type { BudgetStore } from '../core/budgets/budget.js';
import { accountOf, currentPeriod, SHORTEST_ANSWER } from './amounts.js';

/** How a budget stands now. */
export interface Standing {
  readonly used: number;
  readonly reserved: number;
  readonly remaining: number;
  /** Whatever is set aside: too little is left for any question. */
  readonly isSpent: boolean;
  readonly resetsAt: string | null;
}

/** For the person, where everybody has one of their own. */
export async function standingsOf(
  budgets: readonly Budget[],
  userId: number,
  store: Pick<BudgetStore, 'figures'>,
): Promise<ReadonlyMap<string, Standing>> {
  const at = new Date();
  const figures = await store.figures(budgets.map((budget) => accountOf(budget, userId, at)));
  const byId = new Map(figures.map((one) => [one.budgetId, one]));
  return new Map(budgets.map((budget) => [budget.id, standingOf(budget, byId.get(budget.id), at)]));
}

function standingOf(budget: Budget, figures: BudgetFigures | undefined, at: Date): Standing {
  const { used = 0, reserved = 0 } = figures ?? {};
  const remaining = Math.max(0, budget.amount - used - reserved);
  const isSpent = budget.amount - used < leastOf(budget);
  return { used, reserved, remaining, isSpent, resetsAt: currentPeriod(budget, at).end ?? null };
}

/** What the smallest question takes at least. */
const leastOf = ({ unit }: Budget) => (unit === 'tokens' ? SHORTEST_ANSWER : 1);

const DAYS = { day: 1, week: 7, month: 31, total: Infinity } as const;

/** Those that an activity's budget may not exceed: its organisation's and its course's. */
export async function budgetsAbove(
  activity: Pick<Activity, 'organizationId' | 'platformId' | 'course'>,
  store: Pick<BudgetStore, 'byPlace'>,
): Promise<readonly Budget[]> {
  const all = await store.byPlace();
  const now = new Date().toISOString();
  const places = [
    placeKey('organization', activity.organizationId),
    placeKey('course', activity.platformId, activity.course.id),
  ];
  return places
    .flatMap((place) => all.get(place) ?? [])
    .filter(({ endsAt }) => endsAt === undefined || now < endsAt);
}

/** Whether so much in such a period is more than what stands above ever gives in that time. */
export function exceeds(
  wanted: Pick<Budget, 'amount' | 'period' | 'unit' | 'scope'>,
  above: Budget,
): boolean {
  // What one of them may have is no bound for what all have together.
  if (wanted.unit !== above.unit || (above.scope.each && !wanted.scope.each)) return false;
  const times = Math.max(1, DAYS[wanted.period] / DAYS[above.period]);
  return wanted.amount > (Number.isNaN(times) ? above.amount : above.amount * times);
}
