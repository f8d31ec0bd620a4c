import { request } from 'undici';
import { startNode } from '../processes.js';
import { post, startService } from '../service.js';
import type { Call, CallCase } from './case.js';

/** Whoever stands between a model that calls functions and the program that has them. */
export interface CallContender {
  readonly title: string;
  start(modelUrl: string): Promise<CallStand>;
}

export interface CallStand {
  /** Asks all there is to ask; what the program was told to call. */
  play(asked: CallCase): Promise<readonly Call[]>;
  stop(): Promise<void>;
}

/** More than any case has: whoever goes on for ever is stopped here. */
const MOST_ROUNDS = 8;
const RESULT = 'ok';

export const BELLWETHER: CallContender = {
  title: 'Bellwether, tools of the program',
  async start(modelUrl) {
    const service = await startService(modelUrl);
    const { json } = await post(service.url, '/lamb/v1/assistants', {
      name: 'Calls',
      system_prompt: 'You are a helpful assistant.',
      metadata: { connector: 'openai', llm: 'calls', client_tools: 'allow' },
    });
    const model = `lamb_assistant.${String((json as { readonly id: number }).id)}`;
    return {
      play: (asked) =>
        playThrough(asked, (body) => post(service.url, '/v1/chat/completions', { model, ...body })),
      stop: () => service.stop(),
    };
  },
};

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}
type Ask = (body: object) => Promise<{ readonly status: number; readonly json: unknown }>;

/** As a program does it: what it is told to call it calls, and asks on with what came of it. */
async function playThrough({ functions, turns }: CallCase, ask: Ask): Promise<Call[]> {
  const tools = functions.map((each) => ({ type: 'function', function: each }));
  const messages: Message[] = [];
  const arrived: Call[] = [];
  for (const { question } of turns) {
    messages.push({ role: 'user', content: question });
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { status, json } = await ask({ messages, tools });
      if (status !== 200) return arrived;
      const [choice] = (json as { readonly choices: readonly { readonly message: Message }[] }).choices;
      if (!choice) return arrived;
      messages.push(choice.message);
      const calls = choice.message.tool_calls ?? [];
      if (calls.length === 0) break;
      for (const { id, function: called } of calls) {
        const given = argumentsIn(called.arguments);
        if (given) arrived.push({ name: called.name, arguments: given });
        messages.push({ role: 'tool', tool_call_id: id, content: RESULT });
      }
    }
  }
  return arrived;
}

/** What is no JSON, no program can carry out. */
function argumentsIn(text: string): Call['arguments'] | undefined {
  try {
    return JSON.parse(text) as Call['arguments'];
  } catch {
    return undefined;
  }
}

const peer = (title: string, file: string): CallContender => ({
  title,
  async start(modelUrl) {
    const running = await startNode([`bench/calls/contenders/${file}`, modelUrl]);
    return {
      async play({ functions, turns }) {
        const { body } = await request(running.url, {
          method: 'POST',
          body: JSON.stringify({ functions, questions: turns.map(({ question }) => question) }),
        });
        return ((await body.json()) as { readonly calls: readonly Call[] }).calls;
      },
      stop: () => running.stop(),
    };
  },
});

export const PEERS: readonly CallContender[] = [
  peer('OpenAI Agents SDK', 'agents-sdk.mjs'),
  peer('Vercel AI SDK', 'ai-sdk.mjs'),
  peer('LangChain createAgent', 'create-agent.mjs'),
];
