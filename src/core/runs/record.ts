import type { BudgetSettlement } from '../budgets/budget.js';
import type { Capped, ToolFacts, Usage } from './event.js';

export const RUN_STATUSES = ['completed', 'failed', 'cancelled', 'timed_out'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Length and fingerprint of a text: enough to compare two runs, too little to read one. */
export interface Fingerprint {
  readonly chars: number;
  readonly sha256: string;
}

export interface RunStep {
  readonly kind: 'placeholder' | 'model' | 'tool';
  /** Of a model step: the tool that asked the model. */
  readonly tool?: string;
  readonly ok: boolean;
  readonly startedAt: string;
  readonly ms: number;
  readonly iteration: number;
  readonly input: Fingerprint;
  readonly output: Fingerprint;
  readonly connector?: string;
  readonly model?: string;
  readonly usage?: Usage;
  /** What it cost by the prices of that moment, in `COST_UNITS`; undefined where none was set. */
  readonly cost?: StepCost;
  readonly childRunId?: string;
  /**
   * Of a model step: what the tool asked it for, in one word, and which functions were picked for the first round. Of the
   * others, and only with `metadata.verbose`: names, ids and relative paths, and lengths per placeholder.
   */
  readonly detail?: Readonly<Record<string, string | number>>;
  /** Of a tool: what it told of what it did, and `refused`, by kind and id, what the gate left out. */
  readonly facts?: ToolFacts;
  /** Of a tool, and of a model that it asked: which call it was. Told when it happens and not stored. */
  readonly callId?: string;
  /** Of a tool: the gate did not let it run. Told when it happens and not stored. */
  readonly denied?: true;
}

export interface StepCost {
  readonly amount: number;
  readonly currency: string;
}

/** One finished run. A child run has a record of its own. */
export interface RunRecord {
  readonly id: string;
  readonly parentRunId: string | undefined;
  /** Undefined for a tool that was run directly. */
  readonly assistantId: number | undefined;
  readonly assistantVersion: number;
  readonly organizationId: number;
  readonly userId: number;
  readonly via: string;
  readonly conversationId: string | undefined;
  /** Where a platform's launch had brought whoever asked. */
  readonly activityId: number | undefined;
  readonly status: RunStatus;
  readonly errorCode: string | undefined;
  readonly startedAt: string;
  readonly ms: number;
  readonly iterations: number;
  readonly capped: Capped;
  /** Everything it cost, child runs included. */
  readonly usage: Usage;
  readonly steps: readonly RunStep[];
  /** What is booked together with it; told when it is written, not when it is read. */
  readonly settlements?: readonly BudgetSettlement[] | undefined;
}
