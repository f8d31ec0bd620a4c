import { BROKEN_OFF } from '../../src/clients/provider.js';
import type { BudgetGrant } from '../../src/core/budgets/run-budget.js';
import type { ModelReply, ToolChoice } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { Message, ToolCall } from '../../src/core/message.js';
import {
  credibleUsage,
  estimateUsage,
  NO_USAGE,
  type Listener,
  type Say,
  type Usage,
} from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { fingerprint, fingerprintOf } from '../base/fingerprint.js';
import type { ChosenModel, ConnectedModel } from '../models/choose-model.js';
import { type Heard, speakWithRetries } from '../models/retries.js';
import { limitedTo } from '../models/sampling.js';
import type { SourceList } from './citations.js';
import { pricedModel, promptTokens } from './spend.js';
import type { Toolbox } from './toolbox.js';

/** Where nobody listens, only the whole answer is of use. */
export interface Question extends ChosenModel, Partial<Listener> {
  readonly messages: readonly Message[];
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
  readonly mustAnswer: boolean;
  readonly round: number;
  readonly choice?: ToolChoice | undefined;
  /** What may be spent on it; undefined where no budget applies. */
  readonly grant?: BudgetGrant | undefined;
}

export interface WholeReply extends ModelReply {
  readonly text: string;
}

/** One model call: told, streamed on, and on record with what it cost, also when it is cut off. */
export async function askModel(question: Question, ctx: RunContext): Promise<WholeReply> {
  const { messages, toolbox, sources, mustAnswer, round, choice, grant, say = unheard } = question;
  await question.tell?.({ type: 'model.started', iteration: round });
  ctx.signal.throwIfAborted();

  const startedAt = new Date();
  let speaker: ConnectedModel = question;
  const heard: Heard = { text: '' };
  let reply: ModelReply | undefined;
  let fault: unknown;
  try {
    const request = {
      messages,
      functions: toolbox.specs,
      mustAnswer,
      choice,
      sampling: limitedTo(
        grant?.mostTokens ?? ctx.settings.limits.maxOutputTokens,
        ctx.sampling,
        question.model,
      ),
      sources: sources.list(),
    };
    reply = await speakWithRetries(question, request, ctx, {
      say,
      heard,
      speakerChanged(fallback) {
        speaker = fallback;
      },
    });
    const { toolCalls, finishReason, usage } = reply;
    return { text: heard.text, toolCalls, finishReason, usage };
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    const said = heard.text;
    const answered = reply !== undefined || said !== '';
    const usage =
      (reply && credibleUsage(reply.usage)) ??
      (answered || !isRefusal(fault, ctx.signal) ? ownCount(question, { said, reply }) : NOTHING);
    if (grant) {
      ctx.budget?.settle(grant, { usage, model: pricedModel(speaker), answered });
    }
    ctx.trace.step({
      kind: 'model',
      ok: reply !== undefined,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      iteration: round,
      // Not before the provider is asked: nobody waits for it.
      input: fingerprintOf(messages, ctx.kept),
      output: fingerprint(said),
      connector: speaker.connector.name,
      model: speaker.model,
      usage,
    });
  }
}

/** Where only the whole answer is of use. */
const unheard: Say = () => undefined;

const NOTHING: Usage = { ...NO_USAGE, estimated: true };

/** Whether a provider refused or could not be reached; otherwise it was at work when it broke off, or was left. */
const isRefusal = (fault: unknown, { reason }: AbortSignal) =>
  fault instanceof AppError && fault !== reason && fault.code !== BROKEN_OFF;

/** For a call whose usage never came, or cannot be what it says: the prompt counts as what was set aside for it. */
function ownCount(
  { messages, toolbox }: Question,
  { said, reply }: { readonly said: string; readonly reply: ModelReply | undefined },
): Usage {
  const { completionTokens } = estimateUsage(0, said.length + charsOf(reply?.toolCalls ?? []));
  return { promptTokens: promptTokens(messages, toolbox.specs), completionTokens, estimated: true };
}

const charsOf = (calls: readonly ToolCall[]) =>
  calls.reduce((chars, { name, arguments: text }) => chars + name.length + text.length, 0);
