export const RUN_STATUSES = ['completed', 'failed', 'cancelled', 'timed_out'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface TokenUse {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Counted here, because the provider did not tell. */
  readonly estimated?: boolean;
}

export interface Run {
  readonly id: string;
  readonly parent_run_id: string | null;
  /** Null for a tool that was run directly. */
  readonly assistant_id: number | null;
  /** Null when it is gone. */
  readonly assistant_name: string | null;
  readonly version: number | null;
  /** Who asked is known to themselves and to administrators. */
  readonly caller: { readonly user_id: number | null; readonly via: string };
  readonly own: boolean;
  readonly conversation_id: string | null;
  readonly started_at: string;
  readonly ms: number;
  readonly status: RunStatus;
  readonly error_code: string | null;
  readonly iterations: number;
  readonly capped: boolean;
  readonly usage: TokenUse;
  readonly model: string | null;
  /** Null where no price is known. */
  readonly cost: number | null;
  readonly currency?: string;
}

export interface RunStep {
  readonly kind: 'placeholder' | 'model' | 'tool';
  readonly tool?: string;
  readonly connector?: string;
  readonly model?: string;
  readonly ok: boolean;
  readonly started_at: string;
  /** Milliseconds from the start of the run. */
  readonly at?: number;
  readonly ms: number;
  readonly iteration: number;
  readonly usage?: TokenUse;
  readonly cost?: number | null;
  readonly child_run_id?: string;
}

export interface RunWithSteps extends Run {
  readonly steps: readonly RunStep[];
}
