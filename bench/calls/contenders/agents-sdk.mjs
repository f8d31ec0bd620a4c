// OpenAI's Agents SDK, over chat completions and with its tracing off.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { SYSTEM_PROMPT } from '../../contenders/agent-tools.mjs';
import { serveCalls } from './serve-calls.mjs';

setTracingDisabled(true);
const client = new OpenAI({ apiKey: 'none', baseURL: `${process.argv[2]}/v1`, maxRetries: 0 });
const runner = new Runner({ tracingDisabled: true });

serveCalls(async ({ functions, questions, note }) => {
  const agent = new Agent({
    name: 'calls',
    instructions: SYSTEM_PROMPT,
    model: new OpenAIChatCompletionsModel(client, 'calls'),
    tools: functions.map(({ name, description, parameters }) =>
      tool({
        ...{ name, description, strict: false },
        parameters: { ...parameters, additionalProperties: true },
        execute: (given) => note(name, given),
      }),
    ),
  });
  let history = [];
  for (const content of questions) {
    const result = await runner.run(agent, [...history, { role: 'user', content }], {
      stream: true,
      maxTurns: 6,
    });
    await result.completed;
    history = result.history;
  }
});
