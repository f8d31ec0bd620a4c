import type { Caller } from '../../core/access/caller.js';
import { speakerOf } from '../../core/access/launched.js';
import { notFound } from '../../core/errors.js';
import { textOf } from '../../core/message.js';
import type { StoredMessage } from '../../core/runs/conversation.js';
import type { RunRecord } from '../../core/runs/record.js';
import type { Stores } from '../../core/stores.js';
import { responseObject } from './events.js';
import type { ResponseBody } from './request.js';

const gone = () => notFound('The response');

/** Of an item or a response: which run it is of. */
const OF_RUN = /^(?:resp|msg)_([0-9a-zA-Z-]+)(?:_\d+)?$/;
/** Calls and thoughts are known to their run. */
const KNOWN_ELSEWHERE = /^(?:fc|rs|call|step)_/;

interface Kept {
  readonly run: RunRecord & { readonly conversationId: string };
  readonly messages: readonly StoredMessage[];
  /** Of the answer, among the messages. */
  readonly place: number;
}

/** Responses that were kept, as parts of conversations. Somebody else's is the same as none. */
export function createKeptResponses({ runs, conversations }: Pick<Stores, 'runs' | 'conversations'>) {
  async function find(id: string, caller: Caller): Promise<Kept | undefined> {
    const [, runId] = OF_RUN.exec(id) ?? [];
    const run = runId === undefined ? undefined : await runs.get(`run_${runId}`);
    const { conversationId } = run ?? {};
    if (!run || conversationId === undefined || run.userId !== caller.userId) return undefined;
    const messages = await conversations.messages(speakerOf(caller), conversationId);
    const place = messages.findLastIndex(
      (message) => message.runId === run.id && message.role === 'assistant',
    );
    return place < 0 ? undefined : { run: { ...run, conversationId }, messages, place };
  }

  const mustFind = async (id: string, caller: Caller) => {
    const kept = await find(id, caller);
    if (!kept) throw gone();
    return kept;
  };

  return {
    /** What was said under an item that a client refers to; undefined for what its run knows. */
    async answerOf(id: string, caller: Caller): Promise<string | undefined> {
      if (KNOWN_ELSEWHERE.test(id)) return undefined;
      const { messages, place } = await mustFind(id, caller);
      return textOf(messages[place]?.content ?? '');
    },

    /** Where an answer is to be kept: a conversation goes on, or branches off where an earlier answer is gone on from. */
    async conversationFor(
      { store, previous_response_id: previous }: ResponseBody,
      caller: Caller,
    ): Promise<{ id: string | undefined; history: readonly StoredMessage[] }> {
      if (previous == null) return { id: store === false ? undefined : 'new', history: [] };
      const { run, messages, place } = await mustFind(previous, caller);
      const isNewest = place === messages.length - 1;
      if (store !== false && isNewest) return { id: run.conversationId, history: [] };
      return { id: store === false ? undefined : 'new', history: messages.slice(0, place + 1) };
    },

    async read(id: string, caller: Caller): Promise<object> {
      const { run, messages, place } = await mustFind(id, caller);
      const text = textOf(messages[place]?.content ?? '');
      const { promptTokens, completionTokens } = run.usage;
      const part = { type: 'output_text', text, annotations: [], logprobs: [] };
      const facts = { id, createdAt: Math.floor(Date.parse(run.startedAt) / 1000) };
      const body = { model: '', input: '' } as ResponseBody;
      return responseObject(
        { ...facts, assistant: { id: run.assistantId ?? 0 }, body },
        {
          status: run.status === 'completed' ? 'completed' : 'failed',
          output: [
            {
              id: id.replace(/^resp_/, 'msg_'),
              type: 'message',
              status: 'completed',
              role: 'assistant',
              content: [part],
            },
          ],
          usage: {
            ...{ input_tokens: promptTokens, input_tokens_details: { cached_tokens: 0 } },
            ...{ output_tokens: completionTokens, output_tokens_details: { reasoning_tokens: 0 } },
            total_tokens: promptTokens + completionTokens,
          },
        },
      );
    },

    /** The answer and what came after it: what goes on from a response that is gone cannot be followed. */
    async delete(id: string, caller: Caller): Promise<void> {
      const { run, messages, place } = await mustFind(id, caller);
      const asked = messages.findLastIndex((message, i) => i < place && message.runId !== run.id);
      if (asked < 0) await conversations.delete(speakerOf(caller), run.conversationId);
      else await conversations.rewind(speakerOf(caller), run.conversationId, asked + 1);
    },
  };
}
