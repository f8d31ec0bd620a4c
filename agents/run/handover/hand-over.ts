import { randomBytes } from 'node:crypto';
import type { ChatMessage, Message, ToolCall } from '../../../src/core/message.js';
import type { Ending } from '../../../src/core/runs/event.js';
import type { Handover } from '../../../src/core/runs/handover.js';
import type { LoopEnding } from '../../tool-loop.js';
import type { PreparedRun, RunDeps } from '../prepare.js';
import { cutResult } from './resumed-run.js';

/** So long a run waits for its client. */
const PATIENCE_MS = 3_600_000;

/** Keeps all that the run needs to go on, before its calls are told. */
export async function handOver(
  run: PreparedRun,
  { calls: called, messages, questions: asked }: NonNullable<LoopEnding['handed']>,
  { rounds, sources }: Pick<Handover['state'], 'rounds' | 'sources'>,
  { stores: { handovers }, limits }: RunDeps,
): Promise<Pick<Ending, 'calls' | 'questions'>> {
  const { ctx, trace, conversation, client, resumed } = run;
  const calls = called.map((call) => ({ id: newCallId(), name: call.name, arguments: call.arguments }));
  const expiresAt = new Date(Date.now() + limits.approvalTimeoutMs).toISOString();
  const questions = asked?.map(({ callId: _, ...question }, i) => ({
    ...{ ...question, id: calls[i]?.id ?? '', expiresAt },
  }));
  await handovers.keep({
    ...{ id: newCallId(), runId: ctx.runId, userId: ctx.caller.userId, assistantId: ctx.assistant.id },
    ...{ activityId: ctx.caller.launch?.activityId, conversationId: conversation?.id, calls },
    state: {
      ...{ messages, sources, rounds, specs: client?.specs ?? [] },
      tools: [...(resumed?.handover.state.tools ?? []), ...trace.tools()],
      answered: [
        ...(resumed?.handover.state.answered ?? []),
        ...(resumed?.handover.calls ?? []).map(({ id }) => id),
      ],
      modelIds: Object.fromEntries(calls.map(({ id }, i) => [id, called[i]?.id ?? id])),
      ...(questions ? { questions } : {}),
    },
    expiresAt: new Date(Date.now() + PATIENCE_MS).toISOString(),
  });
  return questions ? { questions } : { calls };
}

const newCallId = () => `call_${randomBytes(24).toString('base64url')}`;

/** Calls and results that a client sends as history: those that are known are told to the model as they were. */
export async function replayed(
  chat: readonly ChatMessage[],
  whose: { readonly userId: number; readonly assistantId: number },
  { stores: { handovers }, limits }: RunDeps,
): Promise<readonly ChatMessage[]> {
  if (!chat.some((message) => message.role === 'assistant' && message.before)) return chat;
  const ids = chat.flatMap((message) => (message.role === 'assistant' ? callIdsIn(message.before) : []));
  const known = ids.length === 0 ? new Map<string, ToolCall>() : await handovers.known(ids, whose);
  return chat.map((message) => {
    if (message.role !== 'assistant' || !message.before) return message;
    const called = new Set<string>();
    const before = message.before.flatMap((one): Message[] => {
      if (one.role === 'tool') {
        const content = cutResult(one.content, limits.toolResultMaxChars);
        return called.has(one.toolCallId) ? [{ ...one, content }] : [];
      }
      if (one.role !== 'assistant') return [];
      const toolCalls = (one.toolCalls ?? []).flatMap(({ id }): readonly ToolCall[] => {
        const call = known.get(id);
        if (call) called.add(id);
        return call ? [call] : [];
      });
      return toolCalls.length === 0 ? [] : [{ ...one, toolCalls }];
    });
    return { ...message, before };
  });
}

const callIdsIn = (messages: readonly Message[] = []) =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
