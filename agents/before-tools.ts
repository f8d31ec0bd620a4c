import type { Preparation } from '../src/core/processor.js';
import { askForTool } from './ask-for-tool.js';
import type { PreparedRun } from './prepare-run.js';

/** What the processor makes of the chat before the placeholder tools read it. */
export async function beforeTools({ ctx, processor, small }: PreparedRun): Promise<Preparation> {
  if (!processor.prepare) return {};
  return await processor.prepare({
    ...ctx.around(),
    chat: ctx.chat,
    askSmallModel: async (question) => {
      if (!small) return undefined;
      const { signal } = ctx;
      return await askForTool({ ...question, tool: processor.name, iteration: 0, signal }, small, ctx);
    },
  });
}
