import { randomBytes } from 'node:crypto';
import type { Caller } from '../../src/core/access/caller.js';
import type { Assistant } from '../../src/core/assistants/assistant.js';
import { AppError, badRequest } from '../../src/core/errors.js';
import type { Ending } from '../../src/core/runs/event.js';
import { deedOf } from '../../src/core/access/audit.js';
import type { ChatMessage, Message, ToolCall } from '../../src/core/message.js';
import type { QuestionAnswer } from '../../src/core/runs/approval.js';
import type { ClientResult, ClientTools, Handover } from '../../src/core/runs/handover.js';
import { type AnsweredQuestion, answeredWith } from '../gate/approvals.js';
import { presentResult } from '../gate/result.js';
import type { Toolbox } from '../gate/toolbox.js';
import type { LoopEnding, LoopParts } from '../tool-loop.js';
import type { PreparedRun, RunDeps } from './prepare.js';

/** Of one result; the model is given far less of it. More is a mistake, or an attack on our memory. */
const LONGEST_RESULT = 1_000_000;

/** So long a run waits for its client. */
const PATIENCE_MS = 3_600_000;

const refused = (code: string, message: string, param: string) =>
  new AppError(message, { status: 400, type: 'invalid_request_error', code, param });

const unknownCall = (message: string) => refused('unknown_tool_call', message, 'messages');

/** Tools that a client sends are for assistants whose authors want that. */
export function mayBringTools({ setup }: Assistant): void {
  if (setup.clientTools === 'allow') return;
  throw refused(
    'client_tools_not_allowed',
    'This assistant takes no tools from clients. Its author can allow it: "client_tools": "allow" in its metadata.',
    'tools',
  );
}

/** One name, one tool: the model could not tell them apart, nor could the gate. */
export function mustNotCollide({ specs, choice }: ClientTools, { specs: ours }: Toolbox): void {
  const taken = new Set(ours.map(({ name }) => name));
  for (const { name } of specs) {
    if (taken.has(name)) {
      throw refused(
        'tool_name_conflict',
        `The name "${name}" is taken: choose another for your tool.`,
        'tools',
      );
    }
    taken.add(name);
  }
  if (typeof choice !== 'object' || taken.has(choice.name)) return;
  throw refused('unsupported_parameter', 'tool_choice names a function that is not offered.', 'tool_choice');
}

/** A run that goes on. */
export interface Resumed {
  readonly handover: Handover;
  readonly results: readonly ClientResult[];
  /** What somebody said to its questions, by the model's ids for the calls. */
  readonly answered?: ReadonlyMap<string, AnsweredQuestion>;
}

interface Resuming {
  readonly results: readonly ClientResult[];
  readonly tools: ClientTools | undefined;
  readonly caller: Caller;
  readonly assistant: Assistant;
}

/** Goes on where a run stood, for the one it was handed to. Whatever does not fit is the same as never handed out. */
export async function resume(
  { results, tools, caller, assistant }: Resuming,
  { stores: { handovers }, limits }: RunDeps,
): Promise<Resumed> {
  mayBringTools(assistant);
  if (results.some(({ content }) => content.length > LONGEST_RESULT)) {
    const most = String(LONGEST_RESULT);
    throw badRequest(`What a tool brought may have ${most} characters at most.`, 'messages');
  }
  const whose = { userId: caller.userId, assistantId: assistant.id };
  const handover = await handovers.waiting(results[0]?.callId ?? '', whose);
  // Nobody's program may say what a tool of ours brought.
  if (handover?.activityId !== caller.launch?.activityId || !handover || handover.state.questions) {
    throw unknownCall('A tool message answers a call that is not known here, or not any more. Ask again.');
  }
  const answered = results.map(({ callId }) => callId);
  const isComplete =
    new Set(answered).size === answered.length &&
    answered.length === handover.calls.length &&
    handover.calls.every(({ id }) => answered.includes(id));
  if (!isComplete) throw unknownCall('All calls of a round are answered in one request, each once.');
  if (tools && JSON.stringify(tools.specs) !== JSON.stringify(handover.state.specs)) {
    throw badRequest('The tools must be those that the run began with; they may be left out.', 'tools');
  }
  const until = new Date(Date.now() + limits.runTimeoutMs).toISOString();
  if (!(await handovers.claim(handover.id, until))) throw unknownCall('This call is being answered already.');
  return { handover, results };
}

const noSuchQuestion = () =>
  refused('unknown_question', 'This question is not open, or not any more. Ask again.', 'requestState');

interface Answering {
  readonly answers: readonly QuestionAnswer[];
  readonly caller: Caller;
  readonly assistant: Assistant;
}

/** Goes on where a run stood that asked for approval, for the one it asked. Each question is answered; too late is not approved. */
export async function resumeAnswered(
  { answers, caller, assistant }: Answering,
  { stores: { audit, handovers }, limits }: RunDeps,
): Promise<Resumed> {
  const whose = { userId: caller.userId, assistantId: assistant.id };
  const handover = await handovers.waiting(answers[0]?.id ?? '', whose);
  const { questions, modelIds } = handover?.state ?? {};
  if (!handover || !questions || handover.activityId !== caller.launch?.activityId) throw noSuchQuestion();
  const { runId } = handover;
  const until = new Date(Date.now() + limits.runTimeoutMs).toISOString();
  if (!(await handovers.claim(handover.id, until))) throw noSuchQuestion();
  const answered = questions.map((question): AnsweredQuestion => {
    const approved = answers.some(({ id, approved }) => id === question.id && approved);
    const isLate = new Date().toISOString() >= question.expiresAt;
    return { ...question, answer: isLate ? 'expired' : approved ? 'approved' : 'refused' };
  });
  for (const { tool, answer } of answered) {
    if (answer === 'expired') continue;
    const action = answer === 'approved' ? 'approve a call' : 'refuse a call';
    await audit.record(deedOf(caller, { action, resource: `tool ${tool}`, runId }));
  }
  const byModelId = answered.map((each) => [modelIds?.[each.id] ?? each.id, each] as const);
  return { handover, results: [], answered: new Map(byModelId) };
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
      modelIds: Object.fromEntries(calls.map(({ id }, i) => [id, called[i]?.id ?? id])),
      ...(questions ? { questions } : {}),
    },
    expiresAt: new Date(Date.now() + PATIENCE_MS).toISOString(),
  });
  return questions ? { questions } : { calls };
}

/** As much of it as the model is given to read of any result. */
const cutResult = (content: string, maxChars: number) =>
  presentResult({ content }, { hide: (text) => text, maxChars }).content;

const newCallId = () => `call_${randomBytes(24).toString('base64url')}`;

/** Calls and results that a client sends as history: those that are known are told to the model as they were. */
export async function replayed(
  chat: readonly ChatMessage[],
  whose: { readonly userId: number; readonly assistantId: number },
  { stores: { handovers }, limits }: RunDeps,
): Promise<readonly ChatMessage[]> {
  const ids = chat.flatMap((message) => (message.role === 'assistant' ? callIdsIn(message.before) : []));
  if (ids.length === 0) return chat;
  const known = await handovers.known(ids, whose);
  return chat.map((message) => {
    if (message.role !== 'assistant' || !message.before) return message;
    const before = message.before.flatMap((one): Message[] => {
      if (one.role === 'tool') {
        const content = cutResult(one.content, limits.toolResultMaxChars);
        return known.has(one.toolCallId) ? [{ ...one, content }] : [];
      }
      if (one.role !== 'assistant') return [];
      const toolCalls = (one.toolCalls ?? []).flatMap(({ id }): readonly ToolCall[] => {
        const call = known.get(id);
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
