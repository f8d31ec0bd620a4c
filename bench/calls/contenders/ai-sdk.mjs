// Vercel's AI SDK: streamText with tools, as many steps as the service allows.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { SYSTEM_PROMPT } from '../../contenders/agent-tools.mjs';
import { serveCalls } from './serve-calls.mjs';

const provider = createOpenAICompatible({ name: 'calls', baseURL: `${process.argv[2]}/v1` });

serveCalls(async ({ functions, questions, note }) => {
  const tools = Object.fromEntries(
    functions.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: async (given) => note(name, given),
      }),
    ]),
  );
  const messages = [];
  for (const content of questions) {
    messages.push({ role: 'user', content });
    const result = streamText({
      ...{ model: provider('calls'), system: SYSTEM_PROMPT, messages, tools, maxRetries: 0 },
      stopWhen: stepCountIs(6),
      onError: () => undefined,
    });
    await result.consumeStream();
    messages.push(...(await result.response).messages);
  }
});
