import type { OwnBudget, OwnBudgets, SharedBudget } from '../../../src/http/contract/budgets.ts';
import { isFault } from '../api/fault.ts';

const OTHERS = ['activity', 'course', 'organization', 'assistant'] as const;

export type Whose = 'own' | (typeof OTHERS)[number];

/** A budget of which nothing is left. */
export interface Spent {
  readonly whose: Whose;
  /** Null for one that is never back. */
  readonly resetsAt: string | null;
}

export interface QuestionsLeft {
  readonly count: number;
  /** Reckoned from tokens or money, and not counted. */
  readonly isAbout: boolean;
  /** It is time to say so. */
  readonly isLow: boolean;
  readonly resetsAt: string | null;
}

type Budgets = OwnBudgets['budgets'];

const FEW_QUESTIONS = 3;
const SMALL_SHARE = 0.2;
/** In seconds: when only what others are answered with is in the way, the service says to come back so soon. */
const SOON = 5;

const isOwn = (budget: OwnBudget | SharedBudget): budget is OwnBudget => 'amount' in budget;

const whoseIs = (type: string | undefined, each = false): Whose =>
  OTHERS.find((other) => other === type && !each) ?? 'own';

/** What is left of the one that is used up first. */
export function questionsLeftOf(budgets: Budgets): QuestionsLeft | undefined {
  const known = budgets
    .filter(isOwn)
    .flatMap(({ questions_left: count, unit, amount, remaining, resets_at }) =>
      count === undefined
        ? []
        : {
            ...{ count, isAbout: unit !== 'requests', resetsAt: resets_at },
            isLow: count <= FEW_QUESTIONS || remaining < SMALL_SHARE * amount,
          },
    );
  return known.sort((a, b) => a.count - b.count)[0];
}

/** The one that is in the way for longest. What is only set aside may come back any moment. */
export function spentOf(budgets: Budgets): Spent | undefined {
  const spent = budgets.filter((one) => (isOwn(one) ? one.used >= one.amount : one.exhausted));
  return spent
    .map(({ scope, resets_at }): Spent => ({ whose: whoseIs(scope.type, scope.each), resetsAt: resets_at }))
    .sort((a, b) => endOf(b) - endOf(a))[0];
}

const endOf = ({ resetsAt }: Spent) => (resetsAt === null ? Number.MAX_VALUE : Date.parse(resetsAt));

/** The budget that a refusal is about; undefined also where it is worth trying again at once. */
export function spentIn(fault: unknown, now = Date.now()): Spent | undefined {
  if (!isFault(fault) || fault.code !== 'budget_exceeded' || fault.status !== 429) return undefined;
  const { retryAfter } = fault;
  if (retryAfter !== undefined && retryAfter <= SOON) return undefined;
  const [type, each] = (fault.param ?? '').split('.');
  return {
    whose: whoseIs(type, each === 'each'),
    resetsAt: retryAfter === undefined ? null : new Date(now + retryAfter * 1000).toISOString(),
  };
}

export const isOver = ({ resetsAt }: Spent, now = Date.now()): boolean =>
  resetsAt !== null && Date.parse(resetsAt) <= now;
