import type {
  Budget,
  BudgetPeriod,
  BudgetScopeType,
  BudgetUnit,
} from '../../../../src/http/contract/budgets.ts';
import type { Fault } from '../../api/fault.ts';
import { localTime, momentOf } from '../../ui/local-time.ts';

export const SCOPE_TYPES: readonly BudgetScopeType[] = [
  'organization',
  'course',
  'activity',
  'user',
  'api_key',
  'assistant',
];
export const UNITS: readonly BudgetUnit[] = ['requests', 'tokens', 'cost'];
export const PERIODS: readonly BudgetPeriod[] = ['day', 'week', 'month', 'total'];

/** As the service counts them. */
const MOST_COUNTED = 1_000_000_000_000;
const MOST_MONEY = 9_000_000;
const MOST_ALERTS = 10;

/** A budget as it is being written. */
export interface BudgetDraft {
  readonly type: BudgetScopeType;
  /** A number, or the e-mail of a person; empty until one is chosen. */
  readonly id: string;
  readonly each: boolean;
  readonly unit: BudgetUnit;
  readonly amount: string;
  readonly period: BudgetPeriod;
  readonly timezone: string;
  /** As a field for dates and times has them, by the clock of whoever writes; empty for always. */
  readonly from: string;
  readonly until: string;
  readonly alerts: string;
}

export interface BudgetChange {
  readonly amount: number;
  readonly period: BudgetPeriod;
  readonly timezone: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly alerts: readonly number[];
}

export interface NewBudget extends BudgetChange {
  readonly scope: { readonly type: BudgetScopeType; readonly id: number | string; readonly each?: boolean };
  readonly unit: BudgetUnit;
}

export type DraftField = 'id' | 'amount' | 'timezone' | 'until' | 'alerts';
export type DraftProblem =
  'required' | 'email' | 'positive' | 'whole' | 'tooMuch' | 'zone' | 'order' | 'alerts';
export type DraftProblems = Readonly<Partial<Record<DraftField, DraftProblem>>>;

export function newDraft(organizationId: number | undefined): BudgetDraft {
  return {
    ...{ type: 'organization', id: String(organizationId ?? ''), each: false },
    ...{ unit: 'requests', amount: '', period: 'day' },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...{ from: '', until: '', alerts: '50, 80, 100' },
  };
}

export function draftOf({ scope, starts_at, ends_at, ...budget }: Budget): BudgetDraft {
  return {
    ...{ type: scope.type, id: String(scope.id), each: scope.each ?? false },
    ...{ unit: budget.unit, amount: String(budget.amount), period: budget.period },
    timezone: budget.timezone,
    ...{ from: localTime(starts_at), until: localTime(ends_at) },
    alerts: budget.alerts.join(', '),
  };
}

/** What is wrong with it, by field; of each field the first. */
export function problemsIn(draft: BudgetDraft): DraftProblems {
  const found: Readonly<Record<DraftField, DraftProblem | undefined>> = {
    id: problemOfId(draft),
    amount: problemOfAmount(draft),
    timezone: isTimezone(zoneIn(draft)) ? undefined : 'zone',
    until: draft.from !== '' && draft.until !== '' && draft.until <= draft.from ? 'order' : undefined,
    alerts: alertsIn(draft.alerts) ? undefined : 'alerts',
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

export function changeIn(draft: BudgetDraft): BudgetChange {
  return {
    ...{ amount: Number(draft.amount), period: draft.period, timezone: zoneIn(draft) },
    ...{ starts_at: momentOf(draft.from), ends_at: momentOf(draft.until) },
    alerts: alertsIn(draft.alerts) ?? [],
  };
}

export function newBudgetIn(draft: BudgetDraft): NewBudget {
  const id = draft.id.trim();
  return {
    scope: {
      ...{ type: draft.type, id: draft.type === 'user' ? id : Number(id) },
      ...(mayBeForEach(draft.type) && draft.each ? { each: true } : {}),
    },
    unit: draft.unit,
    ...changeIn(draft),
  };
}

export const mayBeForEach = (type: BudgetScopeType): boolean => type === 'course' || type === 'activity';

const FIELDS: Readonly<Record<string, DraftField>> = {
  ...{ amount: 'amount', timezone: 'timezone', alerts: 'alerts' },
  ...{ starts_at: 'until', ends_at: 'until', scope: 'id' },
};

/** Which field a refusal is about, where it is about one. */
export function fieldOf({ status, param = '' }: Pick<Fault, 'status' | 'param'>): DraftField | undefined {
  if (status === 404) return 'id';
  const [name = ''] = param.split('.');
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
}

function problemOfId({ type, id }: BudgetDraft): DraftProblem | undefined {
  if (id.trim() === '') return 'required';
  const isNamed = type === 'user' && !/^\d+$/.test(id);
  return isNamed && !/^\S+@\S+$/.test(id.trim()) ? 'email' : undefined;
}

function problemOfAmount({ amount, unit }: BudgetDraft): DraftProblem | undefined {
  const value = Number(amount);
  if (amount.trim() === '' || Number.isNaN(value)) return 'required';
  if (value <= 0) return 'positive';
  if (unit === 'cost') return value > MOST_MONEY ? 'tooMuch' : undefined;
  if (!Number.isInteger(value)) return 'whole';
  return value > MOST_COUNTED ? 'tooMuch' : undefined;
}

/** What is never filled up has no midnight, and its form no field for one. */
const zoneIn = ({ period, timezone }: BudgetDraft): string => (period === 'total' ? 'UTC' : timezone.trim());

/** Undefined where it says something else than per cents. */
function alertsIn(text: string): readonly number[] | undefined {
  const parts = text.split(/[\s,;%]+/).filter((part) => part !== '');
  const isFine = parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) >= 1 && Number(part) <= 100);
  return isFine && parts.length <= MOST_ALERTS ? parts.map(Number) : undefined;
}

function isTimezone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}
