import type { AIMessageChunk } from 'langchain';
import { brokenOff } from '../../src/clients/provider-faults.js';
import type { ModelReply } from '../../src/core/connector.js';
import { estimateUsage, type Usage } from '../../src/core/runs/event.js';
import { gatherCalls } from './gather-calls.js';
import { finishReasonOf, spokenIn } from './langchain.js';

const MOST_CHARS = 4_000_000;

/** Whether each count of a stream comes on top of those before (`added`) or stands for all so far (`running`). */
export type UsageCount = 'added' | 'running';

/** What is read of a piece. */
export interface Piece extends Pick<AIMessageChunk, 'content' | 'tool_call_chunks' | 'additional_kwargs'> {
  readonly usage_metadata?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
}

/** Puts a streamed answer together from LangChain's pieces. */
export function createLangChainReply(counts: UsageCount) {
  const calls = gatherCalls();
  let text = '';
  let finish: string | undefined;
  let usage: Usage | undefined;

  /** The arguments stay the text the model wrote: whether they can be read is for the gate to say. */
  function takeCalls({ tool_call_chunks: chunks = [] }: Piece): void {
    for (const { index, id = '', name = '', args = '' } of chunks)
      calls.take({ index, id, name, arguments: args });
  }

  function takeUsage({ usage_metadata: said }: Piece): void {
    if (!said) return;
    const { promptTokens, completionTokens } = usage ?? { promptTokens: 0, completionTokens: 0 };
    usage =
      counts === 'running'
        ? {
            promptTokens: Math.max(promptTokens, said.input_tokens),
            completionTokens: Math.max(completionTokens, said.output_tokens),
          }
        : {
            promptTokens: promptTokens + said.input_tokens,
            // What a model thinks to itself is in the total alone, and is paid for.
            completionTokens:
              completionTokens + Math.max(said.output_tokens, said.total_tokens - said.input_tokens),
          };
  }

  return {
    /** Takes one piece; gives the text it brought, which may be none. */
    read(message: Piece, info: Readonly<Record<string, unknown>> = {}): string {
      takeUsage(message);
      // One answer was asked for: whatever else a server says beside it is not it.
      if ((info['completion'] ?? 0) !== 0) return '';
      takeCalls(message);
      const word = info['finish_reason'] ?? info['finishReason'] ?? message.additional_kwargs['stop_reason'];
      if (typeof word === 'string') finish = word;
      const fresh = spokenIn(message.content);
      text += fresh;
      if (text.length > MOST_CHARS) throw brokenOff('sent too much');
      return fresh;
    },
    /** The whole reply, once the pieces have ended. Throws when they ended too early. */
    finish(promptChars: number): ModelReply {
      if (finish === undefined) throw brokenOff('broke off in the middle of its answer');
      return {
        text,
        toolCalls: calls.calls(),
        finishReason: finishReasonOf(finish),
        usage: usage ?? estimateUsage(promptChars, text.length),
      };
    },
  };
}
