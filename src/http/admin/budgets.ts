import { Router } from 'express';
import { z } from 'zod';
import { noticeReached } from '../../budgets/alerts.js';
import { FEWEST_STUDENTS } from '../../activities/k-anonymity.js';
import { currentPeriod } from '../../budgets/amounts.js';
import { createQuestionsLeft } from '../../budgets/questions-left.js';
import { createBudgetScopes, mayManage } from '../../budgets/scopes.js';
import { budgetsAbove, exceeds, type Standing, standingsOf } from '../../budgets/standing.js';
import { budgetsOnTheWay } from '../../budgets/of-run.js';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import {
  type Budget,
  type BudgetAlert,
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  BUDGET_UNITS,
  type BudgetChange,
  COST_UNITS,
} from '../../core/budgets/budget.js';
import { isTimezone } from '../../core/budgets/period.js';
import { badRequest, forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/budgets.js';
import { createAdministration, type Deed } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

/** As exact integers of what is counted. */
const MOST_COUNTED = 1_000_000_000_000;
const MOST_MONEY = 9_000_000;

const Moment = z.iso.datetime({ offset: true, error: 'must be a time with its zone, as in ISO 8601' });
const Settable = {
  amount: z.number().positive(),
  period: z.enum(BUDGET_PERIODS),
  timezone: z.string().max(100).refine(isTimezone, 'must be the name of a time zone, such as Europe/Madrid'),
  starts_at: Moment.nullable(),
  ends_at: Moment.nullable(),
  alerts: z.array(z.number().int().min(1).max(100)).max(10),
};
export const NewBudget = z.strictObject({
  scope: z.strictObject({
    type: z.enum(BUDGET_SCOPES),
    id: z.union([z.number().int().positive(), z.email().max(320)]),
    each: z.boolean().default(false),
  }),
  unit: z.enum(BUDGET_UNITS),
  ...Settable,
  timezone: Settable.timezone.default('UTC'),
  starts_at: Settable.starts_at.default(null),
  ends_at: Settable.ends_at.default(null),
  alerts: Settable.alerts.default([50, 80, 100]),
});
export const Change = z.strictObject(Settable).partial();
export const Id = z.object({ id: z.string().min(1).max(100) });

type Deps = Pick<
  Stores,
  'activities' | 'assistants' | 'audit' | 'budgets' | 'credentials' | 'organizations' | 'usage' | 'users'
> & { readonly settingsOf: (organizationId: number) => Promise<Settings> };

/** Budgets: who may spend how much, and how much of it is left. */
export function budgetRoutes(deps: Deps): Router {
  const { budgets, audit } = deps;
  const scopes = createBudgetScopes(deps);
  const office = createAdministration(deps);

  const show = async (budget: Budget, caller: Caller, standing?: Standing): Promise<wire.Budget> => {
    const known = standing ?? (await standingsOf([budget], 0, budgets)).get(budget.id);
    const { prices } = await deps.settingsOf(budget.organizationId);
    return showBudget(budget, {
      ...{ standing: known, name: await scopes.nameOf(budget) },
      ...{ currency: prices.currency, people: await peopleOf(budget, caller) },
    });
  };
  const peopleOf = async (budget: Budget, { launch }: Caller): Promise<wire.Budget['people']> => {
    if (!budget.scope.each) return undefined;
    const people = await budgets.people(budget, currentPeriod(budget, new Date()).start);
    // Whoever teaches sees groups, never what one student does.
    return launch && people.counted < FEWEST_STUDENTS ? undefined : people;
  };
  const mustLookAfterSome = async (deed: Deed): Promise<void> => {
    if (!deed.caller.launch) await office.mustAdminister(deed);
    else if (deed.caller.launch.role !== 'instructor') {
      const facts = { resource: 'budgets', reason: 'no instructor' };
      await office.refuse(deed, facts, forbidden('Budgets are for those who teach here.'));
    }
  };
  const found = async (params: unknown, caller: Caller): Promise<Budget> => {
    const budget = await budgets.get(parseWith(Id, params, 'The address').id);
    if (!budget || !mayManage(caller, budget)) throw notFound('The budget');
    return budget;
  };
  const checkAbove = async (caller: Caller, budget: Pick<Budget, 'amount' | 'period' | 'unit' | 'scope'>) => {
    if (!caller.launch) return;
    const passed = (await aboveOf(budget.scope.id)).find((one) => exceeds(budget, one));
    if (passed) throw tooMuch(passed);
  };
  const aboveOf = async (activityId: number) => {
    const activity = await deps.activities.get(activityId);
    return activity ? await budgetsAbove(activity, budgets) : [];
  };
  const boundsOf = async ({ launch, organizationId }: Caller): Promise<wire.BudgetBounds | undefined> => {
    if (launch?.activityId === undefined) return undefined;
    const { prices } = await deps.settingsOf(organizationId);
    return {
      above: (await aboveOf(launch.activityId)).map(showBound),
      currency: prices.models.size > 0 ? prices.currency : null,
    };
  };

  return Router()
    .get('/lamb/v1/budgets/mine', async (_req, res) => {
      const caller = callerOf(res);
      const all = await budgetsOnTheWay(caller, { organizationId: caller.organizationId }, deps);
      // What a visitor of a link spends may be its maker's own, which is nobody else's to see.
      const theirs = all.filter((one) => one.scope.type !== 'user' || isAlone(one, caller));
      const standings = await standingsOf(theirs, caller.userId, budgets);
      const settings = await deps.settingsOf(caller.organizationId);
      const questionsLeft = createQuestionsLeft({ usage: deps.usage, userId: caller.userId, settings });
      const shown = theirs.map(async (budget) => {
        const standing = standings.get(budget.id);
        if (!isAlone(budget, caller)) return showShared(budget, standing);
        const left = standing && (await questionsLeft(budget, standing));
        return showOwn(budget, { standing, currency: settings.prices.currency }, left);
      });
      res.json({ budgets: await Promise.all(shown) } satisfies wire.OwnBudgets);
    })
    .get('/lamb/v1/budgets/alerts', async (_req, res) => {
      const caller = callerOf(res);
      await office.mustAdminister({ caller, action: 'list budgets' });
      const organizationId = caller.role === 'system_admin' ? undefined : caller.organizationId;
      const all = await budgets.list({ organizationId });
      // What was reached a moment ago is told, too.
      await noticeReached(all, budgets.alerts);
      const known = new Map(all.map((one) => [one.id, one]));
      const alerts = await budgets.alerts.list([...known.keys()], MOST_ALERTS);
      const data = alerts.flatMap((alert) => {
        const budget = known.get(alert.budgetId);
        return budget ? [showAlert(alert, budget)] : [];
      });
      res.json({ data, next_cursor: null } satisfies wire.BudgetAlertPage);
    })
    .get('/lamb/v1/budgets', async (_req, res) => {
      const caller = callerOf(res);
      await mustLookAfterSome({ caller, action: 'list budgets' });
      const organizationId = caller.role === 'system_admin' ? undefined : caller.organizationId;
      const listed = (await budgets.list({ organizationId })).filter((one) => mayManage(caller, one));
      const standings = await standingsOf(listed, 0, budgets);
      const data = await Promise.all(listed.map((one) => show(one, caller, standings.get(one.id))));
      const bounds = await boundsOf(caller);
      res.json({ data, next_cursor: null, ...bounds } satisfies wire.BudgetPage);
    })
    .post('/lamb/v1/budgets', async (req, res) => {
      const caller = callerOf(res);
      await mustLookAfterSome({ caller, action: 'make budget' });
      const { scope: wanted, unit, ...body } = parseWith(NewBudget, req.body);
      if (wanted.each && wanted.type !== 'course' && wanted.type !== 'activity') {
        throw badRequest(
          '"each" is for a course or an activity: it is one budget for every participant.',
          'scope',
        );
      }
      const { scope, organizationId } = await scopes.toManage(wanted, caller);
      const settings = settable(body, unit);
      const budget = { ...NOTHING_SET, ...settings, scope, organizationId, unit };
      await checkAbove(caller, budget);
      const made = await budgets.create(budget);
      await audit.record(deedOf(caller, { action: 'make budget', resource: resourceOf(made) }));
      res.status(201).json(await show(made, caller));
    })
    .get('/lamb/v1/budgets/:id', async (req, res) => {
      const caller = callerOf(res);
      res.json(await show(await found(req.params, caller), caller));
    })
    .patch('/lamb/v1/budgets/:id', async (req, res) => {
      const caller = callerOf(res);
      const before = await found(req.params, caller);
      const change = settable(parseWith(Change, req.body), before.unit, before);
      await checkAbove(caller, { ...before, ...change });
      const changed = await budgets.change(before.id, change);
      if (!changed) throw notFound('The budget');
      await audit.record(deedOf(caller, { action: 'change budget', resource: resourceOf(changed) }));
      res.json(await show(changed, caller));
    })
    .delete('/lamb/v1/budgets/:id', async (req, res) => {
      const caller = callerOf(res);
      const budget = await found(req.params, caller);
      if (!(await budgets.delete(budget.id))) throw notFound('The budget');
      await audit.record(deedOf(caller, { action: 'delete budget', resource: resourceOf(budget) }));
      res.status(204).end();
    });
}

const MOST_ALERTS = 200;

function showAlert({ threshold, used, amount, reachedAt }: BudgetAlert, budget: Budget): wire.BudgetAlert {
  return {
    ...{ budget_id: budget.id, scope: showScope(budget), unit: budget.unit, threshold },
    ...{ used: shown(used, budget.unit), amount: shown(amount, budget.unit), at: reachedAt },
  };
}

const resourceOf = ({ id, scope }: Budget) => `budget ${id} of ${scope.type} ${String(scope.id)}`;

const NOTHING_SET = { startsAt: undefined, endsAt: undefined };

const tooMuch = ({ scope, amount, unit, period }: Budget) =>
  invalidConfiguration(
    `That is more than stands above it: the budget of the ${scope.type === 'course' ? 'course' : 'organisation'} is ${String(shown(amount, unit))} ${unit === 'cost' ? '' : unit} for a ${period}.`.replace(
      '  ',
      ' ',
    ),
    'amount',
  );

/** What was sent, as it is stored. */
function settable(
  body: z.output<typeof Change>,
  unit: Budget['unit'],
  before?: Budget,
): BudgetChange & Pick<Budget, 'amount' | 'period' | 'timezone' | 'alerts'> {
  const { amount, period, timezone, starts_at, ends_at, alerts } = body;
  const change = {
    ...(starts_at === undefined ? {} : { startsAt: momentOf(starts_at) }),
    ...(ends_at === undefined ? {} : { endsAt: momentOf(ends_at) }),
    amount: amount === undefined ? (before?.amount ?? 0) : counted(amount, unit),
    period: period ?? before?.period ?? 'total',
    timezone: timezone ?? before?.timezone ?? 'UTC',
    alerts: alerts === undefined ? (before?.alerts ?? []) : [...new Set(alerts)].sort((a, b) => a - b),
  };
  const [start, end] = [
    'startsAt' in change ? change.startsAt : before?.startsAt,
    'endsAt' in change ? change.endsAt : before?.endsAt,
  ];
  if (start !== undefined && end !== undefined && end <= start) {
    throw badRequest('"ends_at" must be later than "starts_at".', 'ends_at');
  }
  return change;
}

const momentOf = (text: string | null) => (text === null ? undefined : new Date(text).toISOString());

function counted(amount: number, unit: Budget['unit']): number {
  if (unit === 'cost') {
    if (amount > MOST_MONEY) throw badRequest(`"amount" may be ${String(MOST_MONEY)} at most.`, 'amount');
    return Math.max(1, Math.round(amount * COST_UNITS));
  }
  if (!Number.isInteger(amount) || amount > MOST_COUNTED) {
    throw badRequest(`"amount" must be a whole number up to ${String(MOST_COUNTED)} for ${unit}.`, 'amount');
  }
  return amount;
}

const shown = (amount: number, unit: Budget['unit']) => (unit === 'cost' ? amount / COST_UNITS : amount);

interface Shown {
  readonly standing: Standing | undefined;
  readonly name: string;
  readonly currency: string;
  readonly people: wire.Budget['people'];
}

function showBudget(budget: Budget, { standing, name, currency, people }: Shown): wire.Budget {
  const { scope, unit, period, timezone, alerts } = budget;
  return {
    ...{ id: budget.id, organization_id: budget.organizationId },
    scope: { ...showScope(budget), name },
    ...{ unit, amount: shown(budget.amount, unit), period, timezone },
    period_started_at: period === 'total' ? null : currentPeriod(budget, new Date()).start,
    ...{ starts_at: budget.startsAt ?? null, ends_at: budget.endsAt ?? null, alerts },
    ...showStanding(standing, unit),
    ...(unit === 'cost' ? { currency } : {}),
    ...(scope.each && people ? { people } : {}),
    ...{ created_at: budget.createdAt, updated_at: budget.updatedAt },
  };
}

function showScope({ scope: { type, id, each } }: Budget): wire.BudgetScope {
  return { type, id, ...(each ? { each } : {}) };
}

function showStanding(standing: Standing | undefined, unit: Budget['unit']): wire.BudgetFigures {
  const { used = 0, reserved = 0, remaining = 0, resetsAt = null } = standing ?? {};
  return {
    used: shown(used, unit),
    reserved: shown(reserved, unit),
    remaining: shown(remaining, unit),
    resets_at: resetsAt,
  };
}

function showBound({ scope: { type, each }, unit, amount, period }: Budget): wire.BudgetBound {
  return { scope: { type, ...(each ? { each } : {}) }, unit, amount: shown(amount, unit), period };
}

const isAlone = ({ scope }: Budget, { userId }: Caller) =>
  scope.each || scope.type === 'api_key' || (scope.type === 'user' && scope.id === userId);

function showOwn(
  budget: Budget,
  { standing, currency }: Pick<Shown, 'standing' | 'currency'>,
  questionsLeft: number | undefined,
): wire.OwnBudget {
  const { unit, id, amount, period } = budget;
  return {
    ...{ id, scope: showScope(budget), unit, amount: shown(amount, unit), period },
    ...showStanding(standing, unit),
    ...(unit === 'cost' ? { currency } : {}),
    ...(questionsLeft === undefined ? {} : { questions_left: questionsLeft }),
  };
}

/** What others spend as well is told as far as it concerns everybody. */
function showShared(budget: Budget, standing: Standing | undefined): wire.SharedBudget {
  const { isSpent = false, resetsAt = null } = standing ?? {};
  return { scope: showScope(budget), unit: budget.unit, exhausted: isSpent, resets_at: resetsAt };
}

/** Courses as they were met in launches. */
export function courseRoutes(deps: Pick<Stores, 'activities' | 'audit' | 'organizations' | 'users'>): Router {
  const office = createAdministration(deps);
  return Router().get('/lamb/v1/lti/courses', async (_req, res) => {
    const caller = callerOf(res);
    await office.mustAdminister({ caller, action: 'list courses' });
    const organizationId = caller.role === 'system_admin' ? undefined : caller.organizationId;
    const courses = await deps.activities.courses({ organizationId });
    const data: wire.LtiCourse[] = courses.map(({ id, platformId, title }) => ({
      ...{ id, platform_id: platformId, title },
    }));
    res.json({ data, next_cursor: null });
  });
}
