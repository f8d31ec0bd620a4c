import type { Timestamp } from '../base/ids.js';

export const BUDGET_SCOPES = ['organization', 'course', 'activity', 'user', 'api_key', 'assistant'] as const;
export const BUDGET_UNITS = ['tokens', 'cost', 'requests'] as const;
export const BUDGET_PERIODS = ['day', 'week', 'month', 'total'] as const;

export type BudgetScopeType = (typeof BUDGET_SCOPES)[number];
export type BudgetUnit = (typeof BUDGET_UNITS)[number];
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

export interface BudgetScope {
  readonly type: BudgetScopeType;
  readonly id: number;
  /** One budget for every participant of a course or an activity, instead of one for all of them. */
  readonly each: boolean;
}

export interface Budget {
  readonly id: string;
  /** Whose administrators look after it. */
  readonly organizationId: number;
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  /** In counted units: see `COST_UNITS`. */
  readonly amount: number;
  readonly period: BudgetPeriod;
  /** IANA. */
  readonly timezone: string;
  readonly startsAt: Timestamp | undefined;
  readonly endsAt: Timestamp | undefined;
  /** Per cent of the amount. */
  readonly alerts: readonly number[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type NewBudget = Omit<Budget, 'id' | 'createdAt' | 'updatedAt'>;
export type BudgetChange = Partial<
  Pick<Budget, 'amount' | 'period' | 'timezone' | 'startsAt' | 'endsAt' | 'alerts'>
>;

/** Money is counted in billionths, so that sums of prices per million tokens are exact. */
export const COST_UNITS = 1_000_000_000;

/**
 * Where something is booked: a budget in one of its periods, for one person where everybody has their own. What is
 * counted while it lasts, such as runs at the same time, has accounts as well.
 */
export interface BudgetAccount {
  readonly budgetId: string;
  /** 0 where it is one for all. */
  readonly userId: number;
  readonly periodStart: Timestamp;
}

/** How much of each unit, in counted units; 0 of those that no budget counts in. */
export type Amounts = Readonly<Record<BudgetUnit, number>>;

export type Counters = { -readonly [Unit in keyof Amounts]: number };

export const NOTHING: Amounts = { tokens: 0, cost: 0, requests: 0 };

export function add(to: Counters, { tokens, cost, requests }: Amounts, times = 1): void {
  to.tokens += tokens * times;
  to.cost += cost * times;
  to.requests += requests * times;
}

export interface CountedAccount extends BudgetAccount {
  /** What of all that is spent counts in it. */
  readonly unit: BudgetUnit;
}

export interface BudgetPart extends BudgetAccount {
  /** In counted units. */
  readonly amount: number;
  /** Of what is no budget and has no row that says how much there is. */
  readonly limit?: number;
}

/** What one model call may cost at most, set aside until the truth is known. */
export interface BudgetHold {
  readonly id: string;
  readonly runId: string;
  readonly parts: readonly BudgetPart[];
  /** Given back then at the latest, whatever became of the process that made it. */
  readonly expiresAt: Timestamp;
}

/** What it came to. */
export interface BudgetSettlement {
  /** Undefined where it was set aside together with what others spend. */
  readonly holdId: string | undefined;
  /** Where it is booked. Of one list for all that spend the same, sums are made sooner. */
  readonly accounts: readonly CountedAccount[];
  /** What was set aside. */
  readonly held: Amounts;
  readonly spent: Amounts;
}

export interface BudgetFigures extends BudgetAccount {
  readonly amount: number;
  readonly used: number;
  readonly reserved: number;
}

/** Books what is spent, exactly, whoever else does at the same time. */
export interface BudgetAccounts {
  /** Settles what is to be settled and sets all parts aside, of `more` as well, or does nothing at all: false. */
  reserve(
    hold: BudgetHold,
    settlements: readonly BudgetSettlement[],
    more?: readonly BudgetHold[],
  ): Promise<boolean>;
  settle(settlements: readonly BudgetSettlement[]): Promise<void>;
  /** Opens those that are not there yet, gives back what has expired, and tells how they stand. */
  figures(
    accounts: readonly (BudgetAccount & Pick<BudgetPart, 'limit'>)[],
  ): Promise<readonly BudgetFigures[]>;
}

/** So much of a budget is used. */
export interface BudgetAlert extends BudgetAccount {
  readonly id: number;
  /** Per cent. */
  readonly threshold: number;
  readonly used: number;
  readonly amount: number;
  readonly reachedAt: Timestamp;
}

export interface BudgetAlerts {
  /** Keeps what was reached in these periods, once each. */
  noticeReached(periods: readonly Pick<BudgetAccount, 'budgetId' | 'periodStart'>[]): Promise<void>;
  /** The newest first. */
  list(budgetIds: readonly string[], limit: number): Promise<readonly BudgetAlert[]>;
  /** Those that are to be told, for whoever takes them; others may from `retryAt` on. */
  takeDue(retryAt: Timestamp): Promise<readonly (BudgetAlert & { readonly tries: number })[]>;
  /** It is told, or given up; or it is tried again then. */
  settle(id: number, nextTryAt?: Timestamp): Promise<void>;
}

export interface BudgetStore extends BudgetAccounts {
  readonly alerts: BudgetAlerts;
  create(budget: NewBudget): Promise<Budget>;
  get(id: string): Promise<Budget | undefined>;
  /** All of an organisation, or of all of them. */
  list(filter: { readonly organizationId?: number | undefined }): Promise<readonly Budget[]>;
  change(id: string, change: BudgetChange): Promise<Budget | undefined>;
  delete(id: string): Promise<boolean>;
  /** Of one that everybody has for themselves: how many have spent something in this period, and how many all of it. */
  people(
    budget: Pick<Budget, 'id' | 'amount'>,
    periodStart: Timestamp,
  ): Promise<{ readonly counted: number; readonly exhausted: number }>;
  /** Takes away what single persons have spent in periods that are over; how many of these there were. */
  sweep(at: Timestamp): Promise<number>;
  /** All of them, by `placeKey`. */
  byPlace(): Promise<ReadonlyMap<string, readonly Budget[]>>;
}

/** Courses are known to runs by what their platform calls them. */
export type BudgetPlace =
  | readonly [type: Exclude<BudgetScopeType, 'course'>, id: number, none?: undefined]
  | readonly [type: 'course', platformId: number, courseId: string];

export const placeKey = (...[type, id, course]: BudgetPlace): string =>
  course === undefined ? `${type} ${String(id)}` : `${type} ${String(id)} ${course}`;
