/** What the routes below `/lamb/v1/runs` answer with. */
export type RunStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out';

export interface TokenUse {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Of the prompt's, what the provider had already; where it says so. */
  readonly cached_tokens?: number;
  /** Of the completion's, what a model said to itself; where the provider says so. */
  readonly reasoning_tokens?: number;
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
  readonly capped: false | 'rounds' | 'time' | 'budget';
  readonly model: string | null;
  readonly usage: TokenUse;
  /** Null where no price is known. */
  readonly cost: number | null;
  readonly currency: string;
}

export interface RunStep {
  readonly kind: 'placeholder' | 'model' | 'tool';
  readonly tool?: string;
  readonly connector?: string | undefined;
  readonly model?: string;
  readonly ok: boolean;
  readonly started_at: string;
  /** Milliseconds from the start of the run. */
  readonly at: number;
  readonly ms: number;
  readonly iteration: number;
  /** How long it was, and a hash of it for those who may know who asked. */
  readonly input: Fingerprint;
  readonly output: Fingerprint;
  /** Null where no price is known, or nothing was to be paid. */
  readonly cost: number | null;
  readonly usage?: TokenUse;
  readonly child_run_id?: string;
  readonly detail?: Readonly<Record<string, string | number>>;
  readonly facts?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface Fingerprint {
  readonly chars: number;
  readonly sha256?: string;
}

export interface RunWithSteps extends Run {
  readonly steps: readonly RunStep[];
}
