import { createHmac } from 'node:crypto';
import { createCoalescedTask } from '../core/base/coalesced-task.js';
import { type Budget, type BudgetAlert, type BudgetStore, COST_UNITS } from '../core/budgets/budget.js';
import { errorLocation, type Logger } from '../core/log.js';
import { periodAt } from '../core/budgets/period.js';
import { currentPeriod } from './amounts.js';

export interface AlertDeps {
  readonly budgets: Pick<BudgetStore, 'byPlace' | 'alerts'>;
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  /** For addresses that the administrator of the service has set. */
  readonly fetch: typeof fetch;
  readonly log: Logger;
  readonly pace?: Partial<Pace>;
}

interface Pace {
  /** So often it looks. */
  readonly lookMs: number;
  /** After each try that failed; then it is given up. */
  readonly pausesMs: readonly number[];
}

/** Notices which shares of budgets are reached, and tells them; in each process that serves there is one of these. */
export interface AlertWatch {
  start(): void;
  stop(): Promise<void>;
}

const PATIENCE_MS = 10_000;
const USUAL: Pace = { lookMs: 5_000, pausesMs: [10_000, 60_000, 600_000, 3_600_000, 6 * 3_600_000] };

/** A run that began in one period is booked there, also when it ends in the next. */
const LATE_MS = 15 * 60_000;

/** Keeps what was reached; also in a period that has ended a short while ago. */
export async function noticeReached(
  known: readonly Budget[],
  alerts: Pick<BudgetStore['alerts'], 'noticeReached'>,
): Promise<void> {
  const now = new Date();
  const periods = known.flatMap((budget) => {
    const { start } = currentPeriod(budget, now);
    const began = Date.parse(start);
    const isNew = budget.period !== 'total' && now.getTime() - began < LATE_MS;
    const before = isNew ? [periodAt(new Date(began - 1), budget.period, budget.timezone).start] : [];
    return [start, ...before].map((periodStart) => ({ budgetId: budget.id, periodStart }));
  });
  await alerts.noticeReached(periods);
}

export function createAlertWatch({ budgets, webhook, fetch, log, pace }: AlertDeps): AlertWatch {
  const { lookMs, pausesMs } = { ...USUAL, ...pace };
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();

  const look = createCoalescedTask(async () => {
    try {
      const all = [...(await budgets.byPlace()).values()].flat();
      if (all.length === 0 || stopping.signal.aborted) return;
      await noticeReached(all, budgets.alerts);
      await tellDue(new Map(all.map((budget) => [budget.id, budget])));
    } catch (fault) {
      log.error({ fault: errorLocation(fault) }, 'alerts of budgets could not be looked for');
    }
  });

  const tellDue = async (known: ReadonlyMap<string, Budget>) => {
    const retryAt = new Date(Date.now() + PATIENCE_MS + lookMs).toISOString();
    for (const alert of await budgets.alerts.takeDue(retryAt)) {
      const budget = known.get(alert.budgetId);
      const isTold = !webhook || !budget || (await told(alert, budget, webhook));
      const pause = pausesMs[alert.tries - 1];
      await budgets.alerts.settle(
        alert.id,
        isTold || pause === undefined ? undefined : new Date(Date.now() + pause).toISOString(),
      );
    }
  };

  const told = async (alert: BudgetAlert, budget: Budget, to: NonNullable<AlertDeps['webhook']>) => {
    const body = JSON.stringify(messageOf(alert, budget));
    try {
      const response = await fetch(to.url, {
        method: 'POST',
        body,
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          'x-bellwether-signature': `sha256=${createHmac('sha256', to.secret).update(body).digest('hex')}`,
        },
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      await response.body?.cancel();
      if (response.ok) return true;
      log.warn({ status: response.status }, 'an alert of a budget was not taken');
    } catch (fault) {
      log.warn({ fault: errorLocation(fault) }, 'an alert of a budget could not be told');
    }
    return false;
  };

  return {
    start() {
      timer = setInterval(look.ask, lookMs).unref();
      look.ask();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('The service stops.'));
      await look.settled();
    },
  };
}

/** Nothing of a person: of a budget that everybody has for themselves it is not told whose. */
function messageOf({ threshold, used, amount, reachedAt, budgetId }: BudgetAlert, { scope, unit }: Budget) {
  const shown = (counted: number) => (unit === 'cost' ? counted / COST_UNITS : counted);
  return { budget_id: budgetId, scope, threshold, used: shown(used), amount: shown(amount), at: reachedAt };
}
