// OpenAI's Agents SDK, over chat completions and with its tracing off.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { onceForEach, SYSTEM_PROMPT, toolsFor } from './agent-tools.mjs';
import { serveAgent } from './openai-server.mjs';

setTracingDisabled(true);
const client = new OpenAI({ apiKey: 'none', baseURL: `${process.argv[2]}/v1`, maxRetries: 0 });
const runner = new Runner({ tracingDisabled: true });
const parameters = z.object({ key: z.string() });

const agentFor = onceForEach(
  (model) =>
    new Agent({
      name: 'bench',
      instructions: SYSTEM_PROMPT,
      model: new OpenAIChatCompletionsModel(client, model),
      tools: toolsFor(model).map(({ name, description, run }) =>
        tool({ name, description, parameters, execute: run }),
      ),
    }),
);

serveAgent(async function* ({ model, messages }, signal) {
  const result = await runner.run(agentFor(model), messages.map(asItem), {
    stream: true,
    signal,
    maxTurns: 6,
  });
  yield* result.toTextStream();
  await result.completed;
});

function asItem({ role, content }) {
  if (role !== 'assistant') return { role, content };
  return { role, status: 'completed', content: [{ type: 'output_text', text: content }] };
}
