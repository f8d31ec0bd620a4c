import type { JsonRecord } from '../../src/core/base/json.js';
import type { ApprovalQuestion } from '../../src/core/runs/approval.js';
import type { NumberedSource, Source, ToolFacts } from '../../src/core/runs/event.js';
import type { CitablePassage } from '../../src/core/tool.js';
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
export type ToolOutcome = Success | Failure;

export interface Failure {
  readonly ok: false;
  readonly reason: string;
  /** What kind of reason it is, where that is known: pages have words for it. */
  readonly code?: string | undefined;
  /** Not made yet: somebody is asked about it, and answers with another request. */
  readonly waiting?: ApprovalQuestion;
}

/** What a tool brought. The numbers of its sources depend on what the tools before it brought, so they come later. */
export interface Success {
  readonly ok: true;
  readonly content: string;
  readonly sources: readonly Source[];
  readonly numbered?: readonly NumberedSource[];
  readonly passages?: readonly CitablePassage[];
  /** For whoever asked for the call, when that is no model. */
  readonly data?: JsonRecord;
  readonly facts?: ToolFacts;
}
