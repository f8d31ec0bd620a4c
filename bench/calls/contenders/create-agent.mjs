// LangChain's createAgent, streamed by messages.
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { SYSTEM_PROMPT } from '../../contenders/agent-tools.mjs';
import { serveCalls } from './serve-calls.mjs';

const baseURL = `${process.argv[2]}/v1`;

serveCalls(async ({ functions, questions, note }) => {
  const agent = createAgent({
    model: new ChatOpenAI({
      ...{ model: 'calls', apiKey: 'none', configuration: { baseURL }, streaming: true, maxRetries: 0 },
    }),
    tools: functions.map(({ name, description, parameters: schema }) =>
      tool((given) => note(name, given), { name, description, schema }),
    ),
    systemPrompt: SYSTEM_PROMPT,
  });
  let messages = [];
  for (const content of questions) {
    const asked = { messages: [...messages, { role: 'user', content }] };
    // Without the mode "messages" it counts tokens by tables that it fetches from elsewhere.
    const stream = await agent.stream(asked, { streamMode: ['messages', 'values'] });
    for await (const [mode, told] of stream) if (mode === 'values') messages = told.messages;
  }
});
