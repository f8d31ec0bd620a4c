import type { Caller } from '../access/caller.js';
import type { Settings } from '../runs/run-context.js';

/** Everything that says whose budgets a run spends. */
export interface BudgetedRun {
  readonly runId: string;
  readonly caller: Caller;
  /** Whose assistant it is, and who pays. */
  readonly organizationId: number;
  /** Undefined for a tool that is run without an assistant. */
  readonly assistantId: number | undefined;
  readonly settings: Settings;
  /** Started by another run, for the same question. */
  readonly isChild: boolean;
}
