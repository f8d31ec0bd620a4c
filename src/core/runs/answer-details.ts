import type { CitedSource, ToolFacts } from './event.js';

/** One call of a tool, as whoever is chatting saw it end. */
export interface AnswerStep {
  /** `assistant` for a call that asked another one. */
  readonly kind: 'placeholder' | 'tool' | 'assistant';
  readonly tool: string;
  /** Safe names only, on one line. */
  readonly label: string;
  /** The safe name in it, if there is one. */
  readonly subject?: string | undefined;
  readonly state: 'completed' | 'failed' | 'denied';
  readonly ms: number;
  /** The round of the model it belongs to; 0 before the first. */
  readonly iteration: number;
  readonly facts?: ToolFacts;
}

/** What is kept with an answer, so that it can be read again as it was first seen. */
export interface AnswerDetails {
  readonly sources: readonly CitedSource[];
  readonly steps: readonly AnswerStep[];
}
