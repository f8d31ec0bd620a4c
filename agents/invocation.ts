import type { Source } from '../src/core/event.js';
import type { ReadyTool } from './toolbox.js';

/** Where a call comes from decides the names of its events, and nothing else. */
export type CallSite =
  | { readonly kind: 'placeholder'; readonly placeholder: string; readonly callId: string }
  | { readonly kind: 'tool'; readonly iteration: number; readonly callId: string };

/** One wish to run one tool. */
export interface Invocation {
  readonly site: CallSite;
  /** Undefined when no tool of that name was offered in this round. */
  readonly ready: ReadyTool | undefined;
  readonly args: { readonly fromModel: string } | { readonly fromChat: unknown };
}

/** What became of it. A reason is safe to show and to hand to the model. */
export type ToolOutcome =
  | { readonly ok: true; readonly content: string; readonly sources: readonly Source[] }
  | { readonly ok: false; readonly reason: string };
