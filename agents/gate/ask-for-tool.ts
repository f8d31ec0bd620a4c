import { askReranker, type RerankAnswer } from '../../src/clients/reranker.js';
import type { Message } from '../../src/core/message.js';
import { createDeadline } from '../../src/core/runs/deadline.js';
import { credibleUsage, estimateUsage, NO_USAGE, type Usage } from '../../src/core/runs/event.js';
import type {
  AskedQuestion,
  DrawnPictures,
  ModelQuestion,
  PictureWish,
  RerankWish,
  RunContext,
  SmallQuestion,
} from '../../src/core/runs/run-context.js';
import { fingerprint } from '../base/fingerprint.js';
import type { ChosenModel } from '../models/choose-model.js';
import { askModel } from './ask-model.js';
import { createSourceList } from './citations.js';
import type { CallSite } from './invocation.js';
import { promptTokens, reserveFor } from './spend.js';
import { NO_TOOLS } from './toolbox.js';

/** Asks the run's model on behalf of a tool: nothing is streamed, and the cost stands in the run's trace. */
export async function askForTool(
  question: AskedQuestion,
  chosen: ChosenModel,
  ctx: RunContext,
): Promise<string> {
  const { withinMs, signal } = question;
  if (withinMs === undefined) return await answerOf(question, chosen, ctx);
  const deadline = createDeadline(signal, withinMs);
  try {
    return await answerOf({ ...question, signal: deadline.signal }, chosen, ctx);
  } finally {
    deadline.dispose();
  }
}

async function answerOf(
  { system, user, llm, answer, tool, purpose, iteration, callId, signal }: AskedQuestion,
  { connector, model }: ChosenModel,
  ctx: RunContext,
): Promise<string> {
  const messages: readonly Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const asking: RunContext = {
    ...ctx,
    signal,
    chat: [{ role: 'user', content: user }],
    // What the client asked of the model concerns its own answer, not this one.
    sampling: answer
      ? { response_format: { type: 'json_schema', json_schema: { ...answer, strict: true } } }
      : {},
    trace: {
      ...ctx.trace,
      step: (step) => {
        ctx.trace.step({
          ...{ ...step, tool },
          ...(callId === undefined ? {} : { callId }),
          ...(purpose === undefined ? {} : { detail: { purpose } }),
        });
      },
    },
  };
  const asked = { connector, model: llm ?? model, messages };
  const grant = await reserveFor({ connector, model: asked.model, isLast: true }, messages, [], asking);
  const { text } = await askModel(
    {
      ...{ ...asked, grant },
      ...{ toolbox: NO_TOOLS, sources: createSourceList(), mustAnswer: true, round: iteration },
    },
    asking,
  );
  return text;
}

interface Asker {
  readonly tool: string;
  readonly site: CallSite;
  readonly signal: AbortSignal;
}

/** The questions of one call of a tool. */
export function createQuestions({ tool, site, signal }: Asker, ctx: RunContext) {
  const iteration = site.kind === 'tool' ? site.iteration : 0;
  const asker = { tool, iteration, callId: site.callId, signal };
  const asked: Promise<unknown>[] = [];
  const remember = <T>(answer: Promise<T>): Promise<T> => {
    asked.push(answer.catch(() => undefined));
    return answer;
  };
  return {
    ask: (question: ModelQuestion): Promise<string> => remember(ctx.askModel({ ...question, ...asker })),
    askSmall: (question: SmallQuestion): Promise<string | undefined> =>
      remember(ctx.askSmallModel({ ...question, ...asker })),
    rerank: (wish: RerankWish): Promise<readonly number[] | undefined> =>
      remember(rerankForTool({ ...wish, ...asker }, ctx)),
    draw: (wish: PictureWish): Promise<DrawnPictures> => remember(drawForTool({ ...wish, ...asker }, ctx)),
    /** A call that was cut off still costs: it is on record before the run can end. */
    settled: () => Promise.all(asked),
  };
}

interface AskedWish extends PictureWish {
  readonly tool: string;
  readonly iteration: number;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Has a picture drawn on behalf of a tool: what it cost stands in the run's trace. */
async function drawForTool(
  { tool, iteration, callId, signal, ...wish }: AskedWish,
  ctx: RunContext,
): Promise<DrawnPictures> {
  const model = { connector: 'banana_img', model: wish.model };
  const grant = await ctx.budget?.reserve({
    ...{ models: [model], promptTokens: promptTokens([{ role: 'user', content: wish.prompt }], []) },
    ...{ mostTokens: undefined, keepsLastCall: false },
  });
  const startedAt = new Date();
  let drawn: DrawnPictures | undefined;
  try {
    drawn = await ctx.pictures.draw(wish, signal);
    return drawn;
  } finally {
    const usage = drawn
      ? (credibleUsage(drawn.usage) ?? estimateUsage(wish.prompt.length, drawn.text.length))
      : NO_USAGE;
    if (grant) ctx.budget?.settle(grant, { usage, model, answered: drawn !== undefined });
    ctx.trace.step({
      kind: 'model',
      tool,
      callId,
      ok: drawn !== undefined,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      iteration,
      input: fingerprint(wish.prompt),
      output: fingerprint(drawn?.text ?? ''),
      ...model,
      usage,
    });
  }
}

interface AskedOrder extends RerankWish {
  readonly tool: string;
  readonly iteration: number;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Has texts put in order on behalf of a tool: what it cost stands in the run's trace. */
async function rerankForTool(
  { query, documents, withinMs, tool, iteration, callId, signal }: AskedOrder,
  ctx: RunContext,
): Promise<readonly number[] | undefined> {
  const { reranker } = ctx.settings;
  if (!reranker || ctx.mayRerank === false) return undefined;
  const priced = { connector: reranker.provider, model: reranker.model };
  const wish: readonly Message[] = [query, ...documents].map((content) => ({ role: 'user', content }));
  const grant = await ctx.budget?.reserve({
    ...{ models: [priced], promptTokens: promptTokens(wish, []), mostTokens: 0, keepsLastCall: false },
  });
  const startedAt = new Date();
  const deadline = createDeadline(signal, withinMs);
  let answer: RerankAnswer | undefined;
  try {
    const asking = { models: ctx.models, signal: deadline.signal };
    answer = await askReranker(reranker, { query, documents }, asking);
    return answer.order;
  } finally {
    deadline.dispose();
    const input = fingerprint([query, ...documents].join('\n'));
    const usage = usageOf(answer, input.chars);
    if (grant) ctx.budget?.settle(grant, { usage, model: priced, answered: answer !== undefined });
    ctx.trace.step({
      kind: 'model',
      tool,
      callId,
      ok: answer !== undefined,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      iteration,
      input,
      output: fingerprint(JSON.stringify(answer?.order ?? [])),
      ...priced,
      detail: { purpose: 'rerank' },
      usage,
    });
  }
}

/** As the provider counted it; nothing where it did not answer. */
function usageOf(answer: RerankAnswer | undefined, chars: number): Usage {
  if (!answer) return NO_USAGE;
  const said = answer.tokens > 0 ? credibleUsage({ ...NO_USAGE, promptTokens: answer.tokens }) : undefined;
  return said ?? estimateUsage(chars, 0);
}
