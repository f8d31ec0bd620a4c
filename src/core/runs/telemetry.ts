import type { BudgetScopeType } from '../budgets/budget.js';
import type { RunRecord } from './record.js';

/** A run that came to its end, or to the turn of its client's tools, as it is told to those who measure. */
export interface EndedRun {
  readonly record: RunRecord;
  /** From its beginning to its first words; undefined where it said nothing. */
  readonly firstTextMs: number | undefined;
  /** It goes on when the client's tools have answered. */
  readonly isHandedOver: boolean;
  /** W3C Trace Context, as the client sent it. */
  readonly traceparent: string | undefined;
}

/** Must cost next to nothing and never throw: it is called on the way of every chat. */
export type TellEnded = (run: EndedRun) => void;

/** What is counted beside runs. Nothing of it names a person, an assistant or a course. */
export interface Metrics {
  /** A question was refused because a budget of this kind is spent. */
  budgetRefused(scope: BudgetScopeType): void;
  /** So long somebody waited for a connection to the database. */
  databaseWaited(ms: number): void;
}

/** How a run ended, in the words of metrics and traces. */
export function outcomeOf({ status, capped }: RunRecord): 'completed' | 'failed' | 'aborted' | 'capped' {
  if (status === 'completed') return capped === false ? 'completed' : 'capped';
  return status === 'cancelled' ? 'aborted' : 'failed';
}
