import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, stepCountIs, streamText, tool as aiTool } from 'ai';
import { expect } from 'chai';
import { createAgent, tool as langChainTool } from 'langchain';
import OpenAI from 'openai';
import OpenAI4 from 'openai4';
import { z } from 'zod';
import { calls, hang, say, type Step } from '../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

const ANSWER = 'A fine rain, at 18.4 degrees.';
const MIXED: readonly Step[] = [
  calls([
    { name: 'get_weather', arguments: '{"city":"Bilbao"}' },
    { name: 'look_up', arguments: '{"word":"sirimiri"}' },
  ]),
  say(ANSWER),
];
const WORD = z.object({ word: z.string() });
const DESCRIPTION = 'Looks up a word in the dictionary of this program.';

describe('clients that speak OpenAI’s APIs, with their default settings', function () {
  this.timeout(60_000);
  let world: TestService;
  let baseURL: string;
  let apiKey: string;
  before(async () => {
    world = await sharedService();
    baseURL = `${world.service.url}/v1`;
    apiKey = world.service.adminKey;
  });

  const anAssistant = async (steps: readonly Step[]) => {
    const { id, model: script } = await world.assistant(steps, {
      ...{ tools: [weatherFunction], metadata: { client_tools: 'allow' } },
    });
    return { model: `lamb_assistant.${String(id)}`, script };
  };
  /** The client's own dictionary, and what it was asked. */
  const aDictionary = () => {
    const asked: string[] = [];
    return { asked, lookUp: ({ word }: { word: string }) => (asked.push(word), 'a fine rain') };
  };

  for (const [name, Client] of [
    ['openai 6', OpenAI],
    ['openai 4', OpenAI4 as unknown as typeof OpenAI],
  ] as const) {
    it(`${name}: answers, streams, tells faults and what it used, lists models, and stops when it is left`, async () => {
      const { model } = await anAssistant([say('Whole.'), say('Streamed.'), hang(0)]);
      const client = new Client({ baseURL, apiKey });
      const messages = [{ role: 'user' as const, content: 'Hello?' }];

      const whole = await client.chat.completions.create({ model, messages });
      let streamed = '';
      for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
        streamed += chunk.choices[0]?.delta.content ?? '';
      const leaving = new AbortController();
      const open = await client.chat.completions.create(
        { model, messages, stream: true },
        { signal: leaving.signal },
      );
      leaving.abort();
      for await (const _ of open);
      const fault = await client.chat.completions
        .create({ model: 'lamb_assistant.999999', messages })
        .catch((thrown: unknown) => thrown);
      const listed = [];
      for await (const one of client.models.list()) listed.push(one.id);

      expect(whole.choices[0]?.message.content).to.equal('Whole.');
      expect(whole.usage?.total_tokens).to.equal(15);
      expect(streamed).to.equal('Streamed.');
      expect(fault).to.include({ status: 404, code: 'not_found' });
      expect(listed).to.include(model);
    });
  }

  it('openai 6, runTools: a tool of the program and ours in one answer', async () => {
    const { model } = await anAssistant(MIXED);
    const { asked, lookUp } = aDictionary();
    const client = new OpenAI({ baseURL, apiKey });

    const runner = client.chat.completions.runTools({
      model,
      messages: [{ role: 'user', content: 'Both?' }],
      tools: [
        {
          type: 'function',
          function: {
            ...{ name: 'look_up', description: DESCRIPTION, function: lookUp, parse: JSON.parse },
            parameters: { type: 'object', properties: { word: { type: 'string' } } },
          },
        },
      ],
    });

    expect(await runner.finalContent()).to.equal(ANSWER);
    expect(asked).to.deep.equal(['sirimiri']);
  });

  for (const [name, modelOf] of [
    ['@ai-sdk/openai (responses)', (id: string) => createOpenAI({ baseURL, apiKey })(id)],
    [
      '@ai-sdk/openai-compatible (chat)',
      (id: string) => createOpenAICompatible({ name: 'bellwether', baseURL, apiKey })(id),
    ],
  ] as const) {
    it(`${name}: text, stream, and tools of the program beside ours`, async () => {
      const plain = await anAssistant([say('Whole.'), say('Streamed.')]);
      const mixed = await anAssistant(MIXED);
      const { asked, lookUp } = aDictionary();

      const whole = await generateText({ model: modelOf(plain.model), prompt: 'Hello?' });
      const stream = streamText({ model: modelOf(plain.model), prompt: 'Hello?' });
      const both = await generateText({
        ...{ model: modelOf(mixed.model), prompt: 'Both?', stopWhen: stepCountIs(5) },
        tools: { look_up: aiTool({ description: DESCRIPTION, inputSchema: WORD, execute: lookUp }) },
      });

      expect(whole.text).to.equal('Whole.');
      expect(whole.usage.totalTokens).to.equal(15);
      expect(await stream.text).to.equal('Streamed.');
      expect(both.text).to.equal(ANSWER);
      expect(asked).to.deep.equal(['sirimiri']);
    });
  }

  for (const useResponsesApi of [false, true]) {
    it(`@langchain/openai${useResponsesApi ? ' (responses)' : ''}: invoke, stream, and createAgent with a tool of the program`, async () => {
      const plain = await anAssistant([say('Whole.'), say('Streamed.')]);
      const mixed = await anAssistant(MIXED);
      const { asked, lookUp } = aDictionary();
      const chatWith = (model: string) =>
        new ChatOpenAI({ model, apiKey, useResponsesApi, configuration: { baseURL } });

      const whole = await chatWith(plain.model).invoke('Hello?');
      let streamed = '';
      for await (const chunk of await chatWith(plain.model).stream('Hello?')) streamed += chunk.text;
      const agent = createAgent({
        model: chatWith(mixed.model),
        tools: [langChainTool(lookUp, { name: 'look_up', description: DESCRIPTION, schema: WORD })],
      });
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Both?' }] });

      expect(whole.text).to.equal('Whole.');
      expect(whole).to.have.nested.property('usage_metadata.total_tokens', 15);
      expect(streamed).to.equal('Streamed.');
      expect(messages.at(-1)?.text).to.equal(ANSWER);
      expect(asked).to.deep.equal(['sirimiri']);
    });
  }

  it('@openai/agents: a run with the defaults, and a function tool of the program beside ours', async () => {
    const plain = await anAssistant([say('Whole.'), say('Streamed.')]);
    const mixed = await anAssistant(MIXED);
    const { asked, lookUp } = aDictionary();
    const runner = new Runner({
      modelProvider: new OpenAIProvider({ baseURL, apiKey }),
      tracingDisabled: true,
    });
    const agentOn = (model: string, tools: ReturnType<typeof agentTool>[] = []) =>
      new Agent({ name: 'Helper', instructions: 'Be brief.', model, tools });

    const whole = await runner.run(agentOn(plain.model), 'Hello?');
    const stream = await runner.run(agentOn(plain.model), 'Hello?', { stream: true });
    let streamed = '';
    for await (const text of stream.toTextStream()) streamed += text;
    await stream.completed;
    const lookUpTool = agentTool({
      ...{ name: 'look_up', description: DESCRIPTION, parameters: WORD },
      execute: (input) => Promise.resolve(lookUp(input as { word: string })),
    });
    const both = await runner.run(agentOn(mixed.model, [lookUpTool]), 'Both?');

    expect(whole.finalOutput).to.equal('Whole.');
    expect(streamed).to.equal('Streamed.');
    expect(both.finalOutput).to.equal(ANSWER);
    expect(asked).to.deep.equal(['sirimiri']);
  });
});
