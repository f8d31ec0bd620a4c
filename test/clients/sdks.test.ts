import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, type LanguageModel, stepCountIs, streamText, tool as aiTool } from 'ai';
import { expect } from 'chai';
import { createAgent, tool as langChainTool } from 'langchain';
import OpenAI from 'openai';
import OpenAI4 from 'openai4';
import { z } from 'zod';
import { uniqueName } from '../support/fakes/fakes.js';
import { calls, hang, say, type Step } from '../support/fakes/model-script.js';
import { essayRubric } from '../support/rubrics.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

const ANSWER = 'A fine rain, at 18.4 degrees.';
/** Two tools of ours and one of the client's in one round, the client's twice in the next, then the answer. */
const MIXED: readonly Step[] = [
  calls([
    { name: 'get_weather', arguments: '{"city":"Bilbao"}' },
    { name: 'get_rubric', arguments: '{}' },
    { name: 'look_up', arguments: '{"word":"sirimiri"}' },
  ]),
  calls([
    { name: 'look_up', arguments: '{"word":"zirimiri"}' },
    { name: 'look_up', arguments: '{"word":"orbayu"}' },
  ]),
  say(ANSWER),
];
const WORD = z.object({ word: z.string() });
const DESCRIPTION = 'Looks up a word in the dictionary of this program.';
const HELLO = [{ role: 'user' as const, content: 'Hello?' }];

type LookUp = (input: { word: string }) => string;

interface Way {
  readonly baseURL: string;
  readonly apiKey: string;
}

/** What people do with a client, in its own words. */
interface ClientCase {
  readonly name: string;
  ask(way: Way, model: string): Promise<{ readonly text: string; readonly tokens: number | undefined }>;
  /** Piece by piece, until the signal ends it. */
  stream(way: Way, model: string, signal?: AbortSignal): AsyncIterable<string>;
  /** With a tool of the program's own. */
  useTool(way: Way, model: string, lookUp: LookUp, stream: boolean): Promise<string>;
}

const functionTool = (lookUp: LookUp) => ({
  type: 'function' as const,
  function: {
    ...{ name: 'look_up', description: DESCRIPTION, function: lookUp },
    parse: (text: string) => WORD.parse(JSON.parse(text)),
    parameters: { type: 'object', properties: { word: { type: 'string' } } },
  },
});

const openai6: ClientCase = {
  name: 'openai 6',
  async ask(way, model) {
    const { choices, usage } = await new OpenAI(way).chat.completions.create({ model, messages: HELLO });
    return { text: choices[0]?.message.content ?? '', tokens: usage?.total_tokens };
  },
  async *stream(way, model, signal) {
    const body = { model, messages: HELLO, stream: true } as const;
    for await (const { choices } of await new OpenAI(way).chat.completions.create(body, { signal }))
      yield choices[0]?.delta.content ?? '';
  },
  async useTool(way, model, lookUp, stream) {
    const { completions } = new OpenAI(way).chat;
    const body = { model, messages: HELLO, tools: [functionTool(lookUp)] };
    const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body);
    return (await runner.finalContent()) ?? '';
  },
};

const openai4: ClientCase = {
  name: 'openai 4',
  async ask(way, model) {
    const { choices, usage } = await new OpenAI4(way).chat.completions.create({ model, messages: HELLO });
    return { text: choices[0]?.message.content ?? '', tokens: usage?.total_tokens };
  },
  async *stream(way, model, signal) {
    const body = { model, messages: HELLO, stream: true } as const;
    for await (const { choices } of await new OpenAI4(way).chat.completions.create(body, { signal }))
      yield choices[0]?.delta.content ?? '';
  },
  async useTool(way, model, lookUp, stream) {
    const { completions } = new OpenAI4(way).beta.chat;
    const body = { model, messages: HELLO, tools: [functionTool(lookUp)] };
    const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body);
    return (await runner.finalContent()) ?? '';
  },
};

const openai6Responses: ClientCase = {
  name: 'openai 6 (responses)',
  async ask(way, model) {
    const { output_text, usage } = await new OpenAI(way).responses.create({ model, input: 'Hello?' });
    return { text: output_text, tokens: usage?.total_tokens };
  },
  async *stream(way, model, signal) {
    const body = { model, input: 'Hello?', stream: true } as const;
    for await (const event of await new OpenAI(way).responses.create(body, { signal }))
      if (event.type === 'response.output_text.delta') yield event.delta;
  },
  async useTool(way, model, lookUp, stream) {
    const { responses } = new OpenAI(way);
    const { name, parameters } = functionTool(lookUp).function;
    const tools = [{ type: 'function' as const, strict: false, name, parameters }];
    const respond = (body: { input: OpenAI.Responses.ResponseInput; previous_response_id?: string }) =>
      stream
        ? responses.stream({ model, tools, ...body }).finalResponse()
        : responses.create({ model, tools, ...body });
    const outputsFor = ({ output }: OpenAI.Responses.Response) =>
      output.flatMap((item) =>
        item.type === 'function_call'
          ? [
              {
                ...{ type: 'function_call_output' as const, call_id: item.call_id },
                output: lookUp(WORD.parse(JSON.parse(item.arguments))),
              },
            ]
          : [],
      );
    let last = await respond({ input: HELLO });
    for (let input = outputsFor(last); input.length > 0; input = outputsFor(last))
      last = await respond({ input, previous_response_id: last.id });
    return last.output_text;
  },
};

const aiSdk = (name: string, modelOf: (way: Way, id: string) => LanguageModel): ClientCase => ({
  name,
  async ask(way, id) {
    const { text, usage } = await generateText({ model: modelOf(way, id), prompt: 'Hello?' });
    return { text, tokens: usage.totalTokens };
  },
  stream(way, id, signal) {
    const aborting = signal ? { abortSignal: signal } : {};
    return streamText({ model: modelOf(way, id), prompt: 'Hello?', ...aborting }).textStream;
  },
  async useTool(way, id, lookUp, stream) {
    const asked = {
      ...{ model: modelOf(way, id), prompt: 'Both?', stopWhen: stepCountIs(5) },
      tools: { look_up: aiTool({ description: DESCRIPTION, inputSchema: WORD, execute: lookUp }) },
    };
    return stream ? await streamText(asked).text : (await generateText(asked)).text;
  },
});

const langChain = (useResponsesApi: boolean): ClientCase => {
  const chat = ({ baseURL, apiKey }: Way, model: string) =>
    new ChatOpenAI({
      model,
      apiKey,
      configuration: { baseURL },
      ...(useResponsesApi ? { useResponsesApi } : {}),
    });
  return {
    name: `@langchain/openai${useResponsesApi ? ' (responses)' : ''}`,
    async ask(way, model) {
      const { text, usage_metadata: usage } = await chat(way, model).invoke('Hello?');
      return { text, tokens: (usage as { total_tokens: number } | undefined)?.total_tokens };
    },
    async *stream(way, model, signal) {
      const options = signal ? { signal } : {};
      for await (const { text } of await chat(way, model).stream('Hello?', options)) yield text;
    },
    async useTool(way, model, lookUp, stream) {
      const look = langChainTool(lookUp, { name: 'look_up', description: DESCRIPTION, schema: WORD });
      const agent = createAgent({ model: chat(way, model), tools: [look] });
      if (!stream) return (await agent.invoke({ messages: HELLO })).messages.at(-1)?.text ?? '';
      let text = '';
      for await (const [piece] of await agent.stream({ messages: HELLO }, { streamMode: 'messages' }))
        if (piece.type === 'ai') text += piece.text;
      return text;
    },
  };
};

const agents: ClientCase = (() => {
  const runner = ({ baseURL, apiKey }: Way) =>
    new Runner({ modelProvider: new OpenAIProvider({ baseURL, apiKey }), tracingDisabled: true });
  const agent = (model: string, tools: ReturnType<typeof agentTool>[] = []) =>
    new Agent({ name: 'Helper', instructions: 'Be brief.', model, tools });
  return {
    name: '@openai/agents',
    async ask(way, model) {
      const { finalOutput = '', rawResponses } = await runner(way).run(agent(model), 'Hello?');
      return { text: finalOutput, tokens: rawResponses[0]?.usage.totalTokens };
    },
    async *stream(way, model, signal) {
      const aborting = signal ? { signal } : {};
      yield* (await runner(way).run(agent(model), 'Hello?', { stream: true, ...aborting })).toTextStream();
    },
    async useTool(way, model, lookUp, stream) {
      const look = agentTool({
        ...{ name: 'look_up', description: DESCRIPTION, parameters: WORD },
        execute: (input) => Promise.resolve(lookUp(input)),
      });
      if (!stream) return (await runner(way).run(agent(model, [look]), 'Both?')).finalOutput ?? '';
      const streamed = await runner(way).run(agent(model, [look]), 'Both?', { stream: true });
      await streamed.completed;
      return streamed.finalOutput ?? '';
    },
  };
})();

const CLIENTS: readonly ClientCase[] = [
  openai6,
  openai6Responses,
  openai4,
  aiSdk('@ai-sdk/openai (responses)', (way, id) => createOpenAI(way)(id)),
  aiSdk('@ai-sdk/openai-compatible', (way, id) => createOpenAICompatible({ name: 'bellwether', ...way })(id)),
  langChain(false),
  langChain(true),
  agents,
];

describe('clients that speak OpenAI’s APIs, with their default settings', function () {
  this.timeout(60_000);
  let world: TestService;
  let way: Way;
  let rubricId: string;
  before(async () => {
    world = await sharedService();
    way = { baseURL: `${world.service.url}/v1`, apiKey: world.service.adminKey };
    const body = { title: 'Essay', rubric_data: essayRubric() };
    rubricId = (await world.service.request<{ id: string }>('/lamb/v1/rubrics', { body })).json.id;
  });

  const anAssistant = async (steps: readonly Step[]) => {
    const rubric = { type: 'rubric_rag', enabled: true, mode: 'function', config: { rubric_id: rubricId } };
    const { id, model: script } = await world.assistant(steps, {
      ...{ tools: [weatherFunction, rubric], metadata: { client_tools: 'allow' } },
    });
    return { id, model: `lamb_assistant.${String(id)}`, script };
  };
  const runsOf = async (id: number) =>
    (await world.service.request<{ data: object[] }>(`/lamb/v1/runs?assistant_id=${String(id)}`)).json.data;

  for (const client of CLIENTS) {
    it(`${client.name}: answers whole and piece by piece, and tells what it used`, async () => {
      const rest = uniqueName('rest');
      const steps = [say('Whole.'), say('Piece by piece.', { chunks: 3, pause: { after: 1, until: rest } })];
      const { model } = await anAssistant(steps);

      const whole = await client.ask(way, model);
      let streamed = '';
      for await (const piece of client.stream(way, model)) {
        streamed += piece;
        // The model goes on once the client has its first piece.
        if (piece !== '') await world.model.release(rest);
      }

      expect(whole).to.deep.equal({ text: 'Whole.', tokens: 15 });
      expect(streamed).to.equal('Piece by piece.');
    });

    it(`${client.name}: ends the run when it leaves`, async () => {
      const { id, model, script } = await anAssistant([hang(1)]);
      const leaving = new AbortController();

      // Some throw then and some just end.
      try {
        for await (const piece of client.stream(way, model, leaving.signal))
          if (piece !== '') leaving.abort();
      } catch (fault) {
        if (!leaving.signal.aborted) throw fault;
      }

      await world.model.waitFor(script, { closed: 1 });
      const ended = await world.service.waitForLog(
        (line) => line['msg'] === 'run ended' && line['assistantId'] === id,
      );
      expect(ended['status']).to.equal('cancelled');
    });

    it(`${client.name}: tells what is wrong with a request`, async () => {
      const fault = await client.ask(way, 'lamb_assistant.999999').then(
        () => undefined,
        (thrown: unknown) => thrown as { status?: number; statusCode?: number; message: string },
      );

      expect(fault?.status ?? fault?.statusCode).to.equal(404);
      expect(fault?.message).to.include('was not found');
    });

    for (const stream of [false, true]) {
      it(`${client.name}: uses two tools of ours and one of the program’s, in two rounds of one run, ${stream ? 'streamed' : 'whole'}`, async () => {
        const { id, model, script } = await anAssistant(MIXED);
        const asked: string[] = [];
        const lookUp: LookUp = ({ word }) => (asked.push(word), 'drizzle of the dictionary');

        const text = await client.useTool(way, model, lookUp, stream);

        expect(text).to.equal(ANSWER);
        expect(asked).to.deep.equal(['sirimiri', 'zirimiri', 'orbayu']);
        const requests = await world.model.ledger(script);
        const brought = requests.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
        expect(requests).to.have.length(3);
        expect(brought).to.have.length(5);
        const words = brought.map(({ content }) => content).join('\n');
        for (const word of ['18.4', 'Argument', 'drizzle of the dictionary']) expect(words).to.include(word);
        expect(await runsOf(id)).to.have.length(1);
      });
    }
  }
});
