import type { Page } from './page.js';

export type BudgetScopeType = 'organization' | 'course' | 'activity' | 'user' | 'api_key' | 'assistant';
export type BudgetUnit = 'tokens' | 'cost' | 'requests';
export type BudgetPeriod = 'day' | 'week' | 'month' | 'total';

export interface BudgetScope {
  readonly type: BudgetScopeType;
  readonly id: number;
  /** One for every participant of a course or an activity. */
  readonly each?: boolean;
}

/** How a budget stands in its present period. */
export interface BudgetFigures {
  readonly used: number;
  readonly reserved: number;
  readonly remaining: number;
  /** Null for one that is never back. */
  readonly resets_at: string | null;
}

export interface Budget extends BudgetFigures {
  readonly id: string;
  /** Whose administrators look after it. */
  readonly organization_id: number;
  readonly scope: BudgetScope & { readonly name: string };
  readonly unit: BudgetUnit;
  readonly amount: number;
  readonly period: BudgetPeriod;
  readonly timezone: string;
  /** When the present period began; null for `total`. */
  readonly period_started_at: string | null;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  /** Per cent. */
  readonly alerts: readonly number[];
  /** Of money. */
  readonly currency?: string;
  /** Where everybody has one of their own: how many have used it in this period, and how many of them have none left. */
  readonly people?: { readonly counted: number; readonly exhausted: number };
  readonly created_at: string;
  readonly updated_at: string;
}

/** What stands above an activity's budget: how much there is, and nothing of what was used. */
export interface BudgetBound extends Pick<Budget, 'unit' | 'amount' | 'period'> {
  readonly scope: Omit<BudgetScope, 'id'>;
}

/** For an instructor, of the activity they have come to. */
export interface BudgetBounds {
  readonly above: readonly BudgetBound[];
  /** Null where nobody has set a price: nothing can be counted in money. */
  readonly currency: string | null;
}

export type BudgetPage = Page<Budget> & Partial<BudgetBounds>;

/** Theirs alone. */
export interface OwnBudget
  extends BudgetFigures, Pick<Budget, 'id' | 'unit' | 'amount' | 'period' | 'currency'> {
  readonly scope: BudgetScope;
  /** About how many questions the remainder is good for; absent where nobody can tell. */
  readonly questions_left?: number;
}

/** One that others spend as well. */
export interface SharedBudget {
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  readonly exhausted: boolean;
  readonly resets_at: string | null;
}

/** Of whoever asks. */
export interface OwnBudgets {
  readonly budgets: readonly (OwnBudget | SharedBudget)[];
}

export interface BudgetAlert {
  readonly budget_id: string;
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  /** Per cent. */
  readonly threshold: number;
  readonly used: number;
  readonly amount: number;
  readonly at: string;
}

export type BudgetAlertPage = Page<BudgetAlert>;

export interface LtiCourse {
  readonly id: number;
  readonly platform_id: number;
  readonly title: string;
}
