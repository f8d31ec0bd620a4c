import { z } from 'zod';
import { lastUserText } from '../src/core/message.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'assistant',
  title: 'Another assistant',
  description: 'Asks another assistant and brings back its answer.',
  category: 'assistant',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  placeholder: 'tool_result',

  config: z.object({
    assistant_id: z.coerce
      .number()
      .int()
      .positive()
      .describe('The assistant to ask; one that uses no functions itself')
      .meta({ 'x-resource': 'assistant' }),
    share_history: z.boolean().default(false).describe('Let it read the conversation so far'),
  }),
  args: z.object({
    query: z
      .string()
      .min(1)
      .describe('The question, complete in itself: the other assistant may not see this conversation'),
  }),

  asFunction: ({ assistant_id }) => ({ name: `call_assistant_${String(assistant_id)}` }),
  argsFromChat: (messages) => ({ query: lastUserText(messages) }),
  subject: ({ assistant_id }, ctx) => ctx.describeAssistant(assistant_id),
  touches: (_args, { assistant_id }) => [{ kind: 'assistant', id: assistant_id }],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ query }, { assistant_id, share_history }, ctx) {
    const history = share_history ? earlier(ctx.chat) : [];
    const { text, sources } = await ctx.askAssistant(assistant_id, query, history);
    return { content: text, numbered: sources };
  },
});

/** All that was said before the question at hand. */
function earlier<Message extends { readonly role: string }>(chat: readonly Message[]): readonly Message[] {
  return chat
    .slice(
      0,
      chat.findLastIndex((message) => message.role === 'user'),
    )
    .filter(({ role }) => role !== 'system');
}
