import { memoizeByObject } from '../../src/core/base/memo.js';
import type { FunctionSpec } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { Message } from '../../src/core/message.js';
import type { Plugins } from '../../src/core/plugins.js';
import type { Contexts, Preparation } from '../../src/core/processor.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { askForTool } from '../gate/ask-for-tool.js';
import { withRules } from '../prompt/teaching.js';
import type { PreparedRun } from './prepare.js';

/** Whoever is chatting, by their verified id in Moodle, or nothing. */
const MOODLE_USER = 'moodle_user';

/** What is made of the chat before the placeholder tools read it. */
export async function beforeTools(run: PreparedRun): Promise<Preparation> {
  const { ctx } = run;
  const prepared = await byProcessor(run);
  // Finding out may mean asking Moodle.
  if (!ctx.assistant.promptTemplate.includes(`{${MOODLE_USER}}`)) return prepared;
  const contexts = new Map([...(prepared.contexts ?? []), [MOODLE_USER, [await moodleUser(ctx)]] as const]);
  return { ...prepared, contexts };
}

async function byProcessor({ ctx, processor, small }: PreparedRun): Promise<Preparation> {
  if (!processor.prepare) return {};
  return await processor.prepare({
    ...ctx.toolServices(),
    chat: ctx.chat,
    askSmallModel: async (question) => {
      if (!small) return undefined;
      const { signal } = ctx;
      return await askForTool({ ...question, tool: processor.name, iteration: 0, signal }, small, ctx);
    },
  });
}

async function moodleUser(ctx: RunContext): Promise<string> {
  const { moodle } = ctx.toolServices();
  if (!moodle) return '';
  try {
    return String(await moodle.userId());
  } catch (fault) {
    ctx.signal.throwIfAborted();
    if (fault instanceof AppError) return '';
    throw fault;
  }
}

/** The messages the model of a run reads; a preview shows exactly these. */
export function composeRun(
  { ctx, processor, teaching }: PreparedRun,
  { contexts, functions }: { readonly contexts: Contexts; readonly functions: readonly FunctionSpec[] },
  plugins: Plugins,
): readonly Message[] {
  const { assistant, chat } = ctx;
  return processor.compose({
    assistant,
    chat: teaching === undefined ? chat : withRules(chat, teaching),
    contexts,
    functions,
    knownPlaceholders: knownPlaceholders(plugins),
  });
}

/** Every placeholder that some installed tool would fill. */
export const knownPlaceholders = memoizeByObject(
  ({ tools }: Plugins): ReadonlySet<string> =>
    new Set([...tools.values()].flatMap(({ placeholder }) => placeholder ?? [])),
);
