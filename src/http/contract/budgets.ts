import { z } from 'zod';
import { Moment, pageOf, type Told } from './common.js';

export const BudgetScopeType = z.enum(['organization', 'course', 'activity', 'user', 'api_key', 'assistant']);
export type BudgetScopeType = Told<typeof BudgetScopeType>;

export const BudgetUnit = z.enum(['tokens', 'cost', 'requests']);
export type BudgetUnit = Told<typeof BudgetUnit>;

export const BudgetPeriod = z.enum(['day', 'week', 'month', 'total']);
export type BudgetPeriod = Told<typeof BudgetPeriod>;

export const BudgetScope = z.object({
  type: BudgetScopeType,
  id: z.number(),
  each: z.boolean().exactOptional().describe('One for every participant of a course or an activity.'),
});
export type BudgetScope = Told<typeof BudgetScope>;

export const BudgetFigures = z
  .object({
    used: z.number(),
    reserved: z.number(),
    remaining: z.number(),
    resets_at: Moment.nullable().describe('Null for one that is never back.'),
  })
  .describe('How a budget stands in its present period.');
export type BudgetFigures = Told<typeof BudgetFigures>;

export const Budget = BudgetFigures.extend({
  id: z.string(),
  organization_id: z.number().describe('Whose administrators look after it.'),
  scope: BudgetScope.extend({
    name: z.string(),
  }),
  unit: BudgetUnit,
  amount: z.number(),
  period: BudgetPeriod,
  timezone: z.string(),
  period_started_at: Moment.nullable().describe('When the present period began; null for `total`.'),
  starts_at: Moment.nullable(),
  ends_at: Moment.nullable(),
  alerts: z.array(z.number()).describe('Per cent.'),
  currency: z.string().exactOptional().describe('Of money.'),
  people: z
    .object({
      counted: z.number(),
      exhausted: z.number(),
    })
    .exactOptional()
    .describe(
      'Where everybody has one of their own: how many have used it in this period, and how many of them have none left.',
    ),
  created_at: Moment,
  updated_at: Moment,
});
export type Budget = Told<typeof Budget>;

export const BudgetBound = Budget.pick({ unit: true, amount: true, period: true })
  .extend({
    scope: BudgetScope.omit({ id: true }),
  })
  .describe("What stands above an activity's budget: how much there is, and nothing of what was used.");
export type BudgetBound = Told<typeof BudgetBound>;

export const BudgetBounds = z
  .object({
    above: z.array(BudgetBound),
    currency: z
      .string()
      .nullable()
      .describe('Null where nobody has set a price: nothing can be counted in money.'),
  })
  .describe('For an instructor, of the activity they have come to.');
export type BudgetBounds = Told<typeof BudgetBounds>;

export const BudgetPage = pageOf(Budget).extend(BudgetBounds.partial().shape);
export type BudgetPage = Told<typeof BudgetPage>;

export const OwnBudget = BudgetFigures.extend({
  ...Budget.pick({ id: true, unit: true, amount: true, period: true, currency: true }).shape,
  scope: BudgetScope,
  questions_left: z
    .number()
    .exactOptional()
    .describe('About how many questions the remainder is good for; absent where nobody can tell.'),
}).describe('Theirs alone.');
export type OwnBudget = Told<typeof OwnBudget>;

export const SharedBudget = z
  .object({
    scope: BudgetScope,
    unit: BudgetUnit,
    exhausted: z.boolean(),
    resets_at: Moment.nullable(),
  })
  .describe('One that others spend as well.');
export type SharedBudget = Told<typeof SharedBudget>;

export const OwnBudgets = z
  .object({
    budgets: z.array(z.union([OwnBudget, SharedBudget])),
  })
  .describe('Of whoever asks.');
export type OwnBudgets = Told<typeof OwnBudgets>;

export const BudgetAlert = z.object({
  budget_id: z.string(),
  scope: BudgetScope,
  unit: BudgetUnit,
  threshold: z.number().describe('Per cent.'),
  used: z.number(),
  amount: z.number(),
  at: Moment,
});
export type BudgetAlert = Told<typeof BudgetAlert>;

export const BudgetAlertPage = pageOf(BudgetAlert);
export type BudgetAlertPage = Told<typeof BudgetAlertPage>;

export const LtiCourse = z.object({
  id: z.number(),
  platform_id: z.number(),
  title: z.string(),
});
export type LtiCourse = Told<typeof LtiCourse>;
