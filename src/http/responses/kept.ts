import { annotationsIn } from '../../../agents/gate/citations.js';
import { namedBy } from '../../../agents/run/find-assistant.js';
import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import { speakerOf } from '../../core/access/launched.js';
import { notFound } from '../../core/errors.js';
import { textOf } from '../../core/message.js';
import type { StoredMessage } from '../../core/runs/conversation.js';
import type { RunRecord } from '../../core/runs/record.js';
import type { Stores } from '../../core/stores.js';
import { INCOMPLETE, messageItem, responseObject, seconds, textPart, usageOf } from './events.js';
import type { ResponseBody } from './request.js';

const gone = () => notFound('The response');

/** Of an item or a response: which run it is of. */
const OF_RUN = /^(?:resp|msg)_([0-9a-zA-Z-]+)(?:_\d+)?$/;
/** Calls and thoughts are known to their run. */
const KNOWN_ELSEWHERE = /^(?:fc|rs|call|step)_/;

interface Kept {
  readonly run: RunRecord & { readonly conversationId: string };
  readonly messages: readonly StoredMessage[];
  /** Of the answer, among the messages; of the question, where there was nothing to say. */
  readonly place: number;
}

const answerIn = ({ messages, place }: Kept): StoredMessage | undefined =>
  messages[place]?.role === 'assistant' ? messages[place] : undefined;

type KeptDeps = Pick<Stores, 'runs' | 'conversations' | 'assistants'> & { readonly policy: AccessPolicy };

/** Responses that were kept, as parts of conversations. Somebody else's is the same as none. */
export function createKeptResponses(deps: KeptDeps) {
  const { runs, conversations } = deps;

  const runOf = async (id: string, caller: Caller): Promise<RunRecord | undefined> => {
    const [, runId] = OF_RUN.exec(id) ?? [];
    const run = runId === undefined ? undefined : await runs.get(`run_${runId}`);
    return run?.userId === caller.userId ? run : undefined;
  };

  async function find(id: string, caller: Caller): Promise<Kept | undefined> {
    const run = await runOf(id, caller);
    const { conversationId } = run ?? {};
    if (!run || conversationId === undefined) return undefined;
    const messages = await conversations.messages(speakerOf(caller), conversationId);
    // Earlier answers that came with the question are its run's as well: only what it left last can be its own.
    const place = messages.findLastIndex((message) => message.runId === run.id);
    return place < 0 ? undefined : { run: { ...run, conversationId }, messages, place };
  }

  /** What was said to one assistant is not told to another. */
  const mustAnswerIn = async ({ assistantId }: RunRecord, model: string, caller: Caller) => {
    const assistant = await namedBy(model, caller, deps);
    if (assistant && assistant.id !== assistantId) throw gone();
  };

  const mustFind = async (id: string, caller: Caller) => {
    const kept = await find(id, caller);
    if (!kept) throw gone();
    return kept;
  };

  return {
    /** What was said under an item that a client refers to; undefined for what its run knows. */
    async answerOf(id: string, caller: Caller): Promise<string | undefined> {
      if (KNOWN_ELSEWHERE.test(id)) return undefined;
      const answer = answerIn(await mustFind(id, caller));
      return answer && textOf(answer.content);
    },

    /** Where an answer is to be kept: a conversation goes on, or branches off where an earlier answer is gone on from. */
    async conversationFor(
      { store, previous_response_id: previous, model }: ResponseBody,
      caller: Caller,
    ): Promise<{ id: string | undefined; history: readonly StoredMessage[] }> {
      if (previous == null) return { id: store === false ? undefined : 'new', history: [] };
      const { run, messages, place } = await mustFind(previous, caller);
      await mustAnswerIn(run, model, caller);
      const isNewest = place === messages.length - 1;
      if (store !== false && isNewest) return { id: run.conversationId, history: [] };
      return { id: store === false ? undefined : 'new', history: messages.slice(0, place + 1) };
    },

    /** A run that waits for a client's tools has no answer yet, and is its caller's all the same. */
    async mustBeOwn({ previous_response_id: previous, model }: ResponseBody, caller: Caller): Promise<void> {
      if (previous == null) return;
      const run = await runOf(previous, caller);
      if (!run) throw gone();
      await mustAnswerIn(run, model, caller);
    },

    async read(id: string, caller: Caller): Promise<object> {
      const kept = await mustFind(id, caller);
      const { run } = kept;
      const answer = answerIn(kept);
      const text = textOf(answer?.content ?? '');
      const cutBy = answer?.details?.cutBy;
      const isWhole = run.status === 'completed' && cutBy === undefined;
      const part = textPart(text, annotationsIn(text, answer?.details?.sources ?? []));
      const message = messageItem(id.replace(/^resp_/, 'msg_'), [part], isWhole ? 'completed' : 'incomplete');
      const body = { model: '', input: '' } as ResponseBody;
      const begun = Date.parse(run.startedAt);
      return responseObject(
        { id, createdAt: seconds(begun), assistant: { id: run.assistantId ?? 0 }, body },
        {
          status: isWhole ? 'completed' : cutBy ? 'incomplete' : 'failed',
          completed_at: isWhole ? seconds(begun + run.ms) : null,
          incomplete_details: cutBy ? { reason: INCOMPLETE.get(cutBy) } : null,
          output: answer ? [message] : [],
          usage: usageOf(run.usage),
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
