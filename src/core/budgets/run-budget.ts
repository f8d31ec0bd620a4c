import type { Usage } from '../runs/event.js';
import type { BudgetSettlement } from './budget.js';

export interface PricedModel {
  readonly connector: string;
  readonly model: string;
}

/** A model call as far as its cost can be told before it is made. */
export interface PlannedCall {
  /** Whoever may come to answer: the chosen model, and what is asked instead of it. */
  readonly models: readonly PricedModel[];
  readonly promptTokens: number;
  /** How long an answer was asked for; undefined where nobody said. */
  readonly mostTokens: number | undefined;
  /** A run that has tools keeps enough for one more call, with which it can answer in any case. */
  readonly keepsLastCall: boolean;
}

/** What may be spent on one call. `settle` knows it by itself: a copy of it stands for no call. */
export interface BudgetGrant {
  /** The answer may be so long. */
  readonly mostTokens: number;
  /** Nothing is left for another one: the model must answer now. */
  readonly isLast: boolean;
}

/** What a call came to. */
export interface FinishedCall {
  readonly usage: Usage;
  /** Which one it was in the end. */
  readonly model: PricedModel;
  /** False when it failed before a provider answered. */
  readonly answered: boolean;
}

/** The budgets that one run spends. */
export interface RunBudget {
  /**
   * The same before the first call is known in full, so that whoever asks in vain is told before anything streams. Nothing to
   * wait for where it is done at once.
   */
  reserveAhead(call: PlannedCall): Promise<void> | undefined;
  /** Sets aside what a call may cost; refuses with 429, or 422 where nobody has said what the model costs. */
  reserve(call: PlannedCall): BudgetGrant | Promise<BudgetGrant>;
  /** Booked with the next call or with the run's record. */
  settle(grant: BudgetGrant, call: FinishedCall): void;
  /** What is still to be booked; each is told once. */
  takeSettlements(): readonly BudgetSettlement[];
  /** They are on record. */
  booked(): void;
}
