import { defineProcessor } from '../../src/core/processor.js';
import { REWRITING_PROCESSOR, rewrittenQuery } from '../../src/tool-kit/retrieval.js';
import { composePrompt } from '../prompt/compose.js';

/** Follow-up questions find what they mean: the tools look for the whole question, the prompt keeps the user's words. */
export default defineProcessor({
  name: REWRITING_PROCESSOR,

  async prepare(ctx) {
    const query = await rewrittenQuery(ctx);
    if (query === undefined) return {};
    const last = ctx.chat.findLastIndex(({ role }) => role === 'user');
    return { chatForTools: [...ctx.chat.slice(0, last), { role: 'user', content: query }] };
  },

  compose: composePrompt,
});
