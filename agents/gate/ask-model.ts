import type { BudgetGrant } from '../../src/core/budgets/run-budget.js';
import type { ModelReply } from '../../src/core/connector.js';
import type { Message } from '../../src/core/message.js';
import { estimateUsage, type RunEvent } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { fingerprint, fingerprintOf } from '../base/fingerprint.js';
import type { ChosenModel, ConnectedModel } from '../models/choose-model.js';
import { streamWithRetries } from '../models/retries.js';
import { limitedTo } from '../models/sampling.js';
import type { SourceList } from './citations.js';
import { pricedModel } from './spend.js';
import type { Toolbox } from './toolbox.js';

export interface Question extends ChosenModel {
  readonly messages: readonly Message[];
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
  readonly mustAnswer: boolean;
  readonly round: number;
  /** What may be spent on it; undefined where no budget applies. */
  readonly grant?: BudgetGrant | undefined;
}

/** One model call: told, streamed on, and on record with what it cost, also when it is cut off. */
export async function* askModel(question: Question, ctx: RunContext): AsyncGenerator<RunEvent, ModelReply> {
  const { messages, toolbox, sources, mustAnswer, round, grant } = question;
  yield { type: 'model.started', iteration: round };

  const startedAt = new Date();
  const input = fingerprintOf(messages);
  let speaker: ConnectedModel = question;
  let said = '';
  let reply: ModelReply | undefined;
  try {
    const request = {
      messages,
      functions: toolbox.specs,
      mustAnswer,
      sampling: limitedTo(
        grant?.mostTokens ?? ctx.settings.limits.maxOutputTokens,
        ctx.sampling,
        question.model,
      ),
      sources: sources.list(),
    };
    const speech = streamWithRetries(question, request, ctx, (fallback) => {
      speaker = fallback;
    });
    for (;;) {
      const step = await speech.next();
      if (step.done) {
        reply = step.value;
        return reply;
      }
      said += step.value;
      yield { type: 'text', text: step.value };
    }
  } finally {
    const usage = reply?.usage ?? estimateUsage(said === '' ? 0 : input.chars, said.length);
    if (grant) {
      const answered = reply !== undefined || said !== '';
      ctx.budget?.settle(grant, { usage, model: pricedModel(speaker), answered });
    }
    ctx.trace.step({
      kind: 'model',
      ok: reply !== undefined,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      iteration: round,
      input,
      output: fingerprint(said),
      connector: speaker.connector.name,
      model: speaker.model,
      usage,
    });
  }
}
