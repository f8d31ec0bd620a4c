import type { Message, ToolCall } from '../src/core/message.js';
import type { FinishReason, RunEvent, StatusEvent } from '../src/core/runs/event.js';
import type { RunContext } from '../src/core/runs/run-context.js';
import { mergeConcurrent } from './base/streams.js';
import { askModel } from './gate/ask-model.js';
import type { SourceList } from './gate/citations.js';
import type { ToolOutcome } from './gate/invocation.js';
import { invokeTool } from './gate/invoke-tool.js';
import { readResult } from './gate/result.js';
import type { Toolbox } from './gate/toolbox.js';
import type { ChosenModel } from './models/choose-model.js';

const MAX_TOOL_ROUNDS = 5;
const MAX_CALLS_A_ROUND = 32;

/** For a model that asks for tools even when told to answer: the reader is owed a sentence. */
const NO_ANSWER = 'I could not finish this with the tools I have. Please try again with a smaller question.';

export interface LoopParts extends ChosenModel {
  readonly prompt: readonly Message[];
  readonly toolbox: Toolbox;
  /** What is offered in the first round; all of it afterwards. */
  readonly first?: Toolbox;
  readonly sources: SourceList;
}

export interface LoopEnding {
  readonly finishReason: FinishReason;
  readonly iterations: number;
  readonly capped: boolean;
}

/** Model, tools, model again, until the model answers. After five rounds of tools it must. */
export async function* toolLoop(
  { connector, model, fallback, prompt, toolbox: all, first = all, sources }: LoopParts,
  ctx: RunContext,
): AsyncGenerator<RunEvent, LoopEnding> {
  const messages = [...prompt];

  for (let round = 1; ; round++) {
    const toolbox = round === 1 ? first : all;
    const mustAnswer = round > MAX_TOOL_ROUNDS || (round > 1 && ctx.deadline.nearlySpent());
    const question = { connector, model, fallback, messages, toolbox, sources, mustAnswer, round };
    const reply = yield* askModel(question, ctx);
    const calls = normalizeToolCalls(reply.toolCalls, round);

    if (calls.length === 0 || mustAnswer) {
      if (mustAnswer && reply.text.trim() === '') yield { type: 'text', text: NO_ANSWER };
      return { finishReason: reply.finishReason, iterations: round, capped: mustAnswer };
    }

    messages.push({ role: 'assistant', content: reply.text, toolCalls: calls });
    const outcomes = yield* mergeConcurrent(
      calls.map((call, i) => () => (i < MAX_CALLS_A_ROUND ? execute(call, round, toolbox, ctx) : refuse())),
      ctx.limits.toolConcurrency,
    );
    ctx.signal.throwIfAborted();
    outcomes.forEach((outcome, i) => {
      messages.push({ role: 'tool', toolCallId: calls[i]?.id ?? '', content: textFor(outcome, sources) });
    });
  }
}

function execute(call: ToolCall, round: number, { functions }: Toolbox, ctx: RunContext) {
  return invokeTool(
    {
      site: { kind: 'tool', iteration: round, callId: call.id },
      ready: functions.get(call.name),
      args: { fromModel: call.arguments },
    },
    ctx,
  );
}

// eslint-disable-next-line require-yield -- nothing happens, so there is nothing to tell
async function* refuse(): AsyncGenerator<StatusEvent, ToolOutcome> {
  return Promise.resolve({
    ok: false,
    reason: `At most ${String(MAX_CALLS_A_ROUND)} calls are run in one round.`,
  });
}

function textFor(outcome: ToolOutcome, sources: SourceList): string {
  return outcome.ok ? readResult(outcome, sources) : `Error: ${outcome.reason}`;
}

/** What is shown to readers and sent back to providers must be short and plain. */
const USABLE = /^[\w.:-]{1,100}$/;

/**
 * Gives every call an id of its own and drops the same call said twice: providers leave ids empty,
 * use one for all, or repeat a call while streaming. Each runs once, and each id is answered once.
 */
export function normalizeToolCalls(calls: readonly ToolCall[], round: number): ToolCall[] {
  const given = new Set(calls.map(({ id }) => id));
  const kept = new Map<string, ToolCall>();
  calls.forEach((call, i) => {
    const earlier = kept.get(call.id);
    if (earlier?.name === call.name && earlier.arguments === call.arguments) return;
    const id = earlier || !USABLE.test(call.id) ? ownId(round, i, given) : call.id;
    kept.set(id, { ...call, id });
  });
  return [...kept.values()];
}

function ownId(round: number, place: number, given: ReadonlySet<string>): string {
  let id = `call_${String(round)}_${String(place)}`;
  while (given.has(id)) id += '_';
  return id;
}
