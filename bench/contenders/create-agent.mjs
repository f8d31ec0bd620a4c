// LangChain's createAgent, streamed by messages.
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { onceForEach, SYSTEM_PROMPT, toolsFor } from './agent-tools.mjs';
import { serveAgent } from './openai-server.mjs';

const baseURL = `${process.argv[2]}/v1`;
const schema = z.object({ key: z.string() });

const agentFor = onceForEach((model) =>
  createAgent({
    model: new ChatOpenAI({
      model,
      apiKey: 'none',
      configuration: { baseURL },
      streaming: true,
      maxRetries: 0,
    }),
    tools: toolsFor(model).map(({ name, description, run }) => tool(run, { name, description, schema })),
    systemPrompt: SYSTEM_PROMPT,
  }),
);

serveAgent(async function* ({ model, messages }, signal) {
  const stream = await agentFor(model).stream({ messages }, { streamMode: 'messages', signal });
  for await (const [message] of stream) {
    if (message.type === 'ai') yield message.text;
  }
});
