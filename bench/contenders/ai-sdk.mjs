// Vercel's AI SDK: streamText with tools, as many steps as the service allows.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { onceForEach, SYSTEM_PROMPT, toolsFor } from './agent-tools.mjs';
import { serveAgent } from './openai-server.mjs';

const provider = createOpenAICompatible({
  name: 'bench',
  baseURL: `${process.argv[2]}/v1`,
  includeUsage: true,
});
const inputSchema = z.object({ key: z.string() });

const toolsOf = onceForEach((model) =>
  Object.fromEntries(
    toolsFor(model).map(({ name, description, run }) => [
      name,
      tool({ description, inputSchema, execute: run }),
    ]),
  ),
);

serveAgent(async function* ({ model, messages }, signal) {
  const { textStream } = streamText({
    model: provider(model),
    system: SYSTEM_PROMPT,
    messages,
    tools: toolsOf(model),
    stopWhen: stepCountIs(6),
    maxRetries: 0,
    abortSignal: signal,
  });
  yield* textStream;
});
