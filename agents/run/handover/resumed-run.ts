import type { Message } from '../../../src/core/message.js';
import type { ClientResult, Handover } from '../../../src/core/runs/handover.js';
import { type AnsweredQuestion, answeredWith } from '../../gate/approvals.js';
import { presentResult } from '../../gate/result.js';
import type { LoopParts } from '../../tool-loop.js';

/** A run that goes on. */
export interface Resumed {
  readonly handover: Handover;
  readonly results: readonly ClientResult[];
  /** What somebody said to its questions, by the model's ids for the calls. */
  readonly answered?: ReadonlyMap<string, AnsweredQuestion>;
}

/** The calls that were asked about, as the model made them, and what was said. */
export function approvedCalls(resumed: Resumed | undefined): LoopParts['approved'] {
  if (!resumed?.answered) return undefined;
  const { calls, state } = resumed.handover;
  return {
    calls: calls.map((call) => ({ ...call, id: state.modelIds[call.id] ?? call.id })),
    askApproval: answeredWith(resumed.answered),
  };
}

/** All that was said until then, and what the client's tools brought: data of the client, cut like any result. */
export function resumedPrompt({ handover: { state }, results }: Resumed, mostChars: number): Message[] {
  return [
    ...state.messages,
    ...results.map(({ callId, content }): Message => ({
      role: 'tool',
      toolCallId: state.modelIds[callId] ?? callId,
      content: cutResult(content, mostChars),
    })),
  ];
}

/** As much of it as the model is given to read of any result. */
export const cutResult = (content: string, maxChars: number) =>
  presentResult({ content }, { hide: (text) => text, maxChars }).content;
