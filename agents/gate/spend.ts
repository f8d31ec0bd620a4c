import type { BudgetGrant, PricedModel } from '../../src/core/budgets/run-budget.js';
import { memoizeByObject } from '../../src/core/base/memo.js';
import type { FunctionSpec } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import { type Content, imagesOf, type Message, textOf, toldContent } from '../../src/core/message.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { ChosenModel, ConnectedModel } from '../models/choose-model.js';
import { mostTokens } from '../models/sampling.js';

/** Tokenizers make fewer of the languages and the code that people write; only random characters are more. */
const BYTES_PER_TOKEN = 3;
/** What providers wrap around each message. */
const TOKENS_A_MESSAGE = 8;
/** A picture in full detail, as the providers that say so count it. */
const TOKENS_A_PICTURE = 1_500;

interface Call extends ChosenModel {
  /** Whether there may be another call after it. */
  readonly isLast: boolean;
}

/** Sets aside what a call may cost, where a budget applies. */
export function reserveFor(
  call: Call,
  messages: readonly Message[],
  functions: readonly FunctionSpec[],
  { budget, sampling }: RunContext,
): BudgetGrant | Promise<BudgetGrant> | undefined {
  return budget?.reserve({
    models: pricedModels(call),
    promptTokens: promptTokens(messages, functions),
    mostTokens: mostTokens(sampling),
    keepsLastCall: !call.isLast && functions.length > 0,
  });
}

/** Nearly every function that a tool lays out is described in less. */
const TOKENS_A_TOOL = 400;

/** The same before the prompt is composed: what is known of it, rather too much than too little. */
export function reserveAhead(chosen: ChosenModel, ctx: RunContext): Promise<void> | undefined {
  const { budget, assistant, chat, sampling } = ctx;
  if (!budget) return undefined;
  let tools = 0;
  for (const { enabled } of assistant.setup.tools) if (enabled) tools += 1;
  let bytes = Buffer.byteLength(assistant.systemPrompt) + Buffer.byteLength(assistant.promptTemplate);
  let tokens = TOKENS_AROUND + TOKENS_A_TOOL * tools + TOKENS_A_MESSAGE * (chat.length + 2);
  for (const { role, content } of chat) {
    const told = role === 'user' ? toldContent(content) : content;
    bytes += Buffer.byteLength(textOf(told));
    tokens += tokensOfPictures(told);
  }
  return budget.reserveAhead({
    models: pricedModels(chosen),
    promptTokens: tokens + Math.ceil(bytes / BYTES_PER_TOKEN),
    mostTokens: mostTokens(sampling),
    keepsLastCall: tools > 0,
  });
}

/** What processors put around it. */
const TOKENS_AROUND = 64;

const pricedModels = (chosen: ChosenModel): readonly PricedModel[] =>
  chosen.fallback ? [pricedModel(chosen), pricedModel(chosen.fallback)] : [pricedModel(chosen)];

export const pricedModel = ({ connector, model }: ConnectedModel): PricedModel => ({
  connector: connector.name,
  model,
});

export const isSpent = (fault: unknown): boolean =>
  fault instanceof AppError && fault.code === 'budget_exceeded';

const bytesOf = memoizeByObject((functions: readonly FunctionSpec[]) =>
  Buffer.byteLength(JSON.stringify(functions)),
);

/** Rather too many than too few: it is set aside for as long as the call lasts. */
export function promptTokens(messages: readonly Message[], functions: readonly FunctionSpec[]): number {
  let bytes = functions.length === 0 ? 0 : bytesOf(functions);
  let tokens = TOKENS_A_MESSAGE * messages.length;
  for (const message of messages) {
    bytes += Buffer.byteLength(textOf(message.content));
    tokens += tokensOfPictures(message.content);
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? []) bytes += Buffer.byteLength(call.name + call.arguments);
  }
  return tokens + Math.ceil(bytes / BYTES_PER_TOKEN);
}

const tokensOfPictures = (content: Content): number =>
  typeof content === 'string' ? 0 : TOKENS_A_PICTURE * imagesOf(content).length;
