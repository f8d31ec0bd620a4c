import { AIMessageChunk } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { expect } from 'chai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, reset, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';

const ask = [{ role: 'user' as const, content: 'Weather in Bilbao?' }];
const answer = () => [call('get_weather', { city: 'Bilbao' }), say('Mild and cloudy today.', { chunks: 4 })];

describe('the official OpenAI SDK, unmodified', () => {
  let world: TestService;
  let openai: OpenAI;
  before(async () => {
    world = await sharedService();
    openai = new OpenAI({
      baseURL: `${world.service.url}/v1`,
      apiKey: world.service.adminKey,
      maxRetries: 0,
    });
  });
  const modelOf = async (steps: Step[] = answer()) => {
    const { id } = await world.assistant(steps, { tools: [weatherFunction] });
    return `lamb_assistant.${String(id)}`;
  };

  it('streams an answer with status events in between', async () => {
    const stream = await openai.chat.completions.create({
      model: await modelOf(),
      messages: ask,
      stream: true,
      stream_options: { include_usage: true },
    });

    let text = '';
    let usage;
    let finish;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      usage = chunk.usage ?? usage;
    }
    expect(text).to.equal('Mild and cloudy today.');
    expect(finish).to.equal('stop');
    expect(usage).to.include({ total_tokens: 30 });
  });

  it('accumulates the stream into one completion with its own helper', async () => {
    const runner = openai.chat.completions.stream({ model: await modelOf(), messages: ask });

    const completion = await runner.finalChatCompletion();

    expect(completion.choices[0]!.message.content).to.equal('Mild and cloudy today.');
    expect(completion.choices[0]!.message.tool_calls ?? []).to.deep.equal([]);
  });

  it('gets a whole answer without streaming', async () => {
    const completion = await openai.chat.completions.create({ model: await modelOf(), messages: ask });

    expect(completion.object).to.equal('chat.completion');
    expect(completion.choices[0]!.message).to.include({
      role: 'assistant',
      content: 'Mild and cloudy today.',
    });
    expect(completion.usage!.total_tokens).to.equal(30);
  });

  it('lists the models', async () => {
    const model = await modelOf();

    const ids = (await openai.models.list()).data.map(({ id }) => id);

    expect(ids).to.include(model);
  });

  it('throws its typed errors before the stream and in the middle of it', async () => {
    const refused = await openai.chat.completions
      .create({ model: uniqueName('nobody'), messages: ask })
      .catch((fault: unknown) => fault);
    const broken = await modelOf([reset(2)]);
    const stream = await openai.chat.completions.create({ model: broken, messages: ask, stream: true });
    const interrupted = await (async () => {
      for await (const chunk of stream) expect(chunk.object).to.equal('chat.completion.chunk');
      return undefined;
    })().catch((fault: unknown) => fault);

    expect(refused).to.be.instanceOf(OpenAI.NotFoundError);
    expect(interrupted).to.be.instanceOf(OpenAI.APIError);
    expect((interrupted as InstanceType<typeof OpenAI.APIError>).code).to.equal('upstream_failed');
  });

  it("sees the provider's refusal as an error of ours", async () => {
    const model = await modelOf([
      fail(401, { body: { error: { message: 'bad key sk-canary-0123456789abcdef' } } }),
    ]);

    const fault = await openai.chat.completions
      .create({ model, messages: ask })
      .catch((thrown: unknown) => thrown);

    expect(fault).to.be.instanceOf(OpenAI.InternalServerError);
    expect(String(fault)).to.contain('refused our credentials').and.not.to.contain('canary');
  });
});

describe('LangChain as a client', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const chatModel = async () => {
    const { id } = await world.assistant(answer(), { tools: [weatherFunction] });
    return new ChatOpenAI({
      model: `lamb_assistant.${String(id)}`,
      apiKey: world.service.adminKey,
      maxRetries: 0,
      configuration: { baseURL: `${world.service.url}/v1` },
    });
  };

  it('streams an answer through its OpenAI chat model', async () => {
    const model = await chatModel();

    let whole: AIMessageChunk | undefined;
    for await (const chunk of await model.stream('Weather in Bilbao?'))
      whole = whole ? whole.concat(chunk) : chunk;

    expect(whole!.text).to.equal('Mild and cloudy today.');
    expect(whole!.tool_calls ?? []).to.deep.equal([]);
  });

  it('lets one of our assistants be the model of its agent', async () => {
    const agent = createAgent({ model: await chatModel(), tools: [] });

    const { messages } = await agent.invoke({ messages: ask });

    expect(messages.at(-1)!.text).to.equal('Mild and cloudy today.');
  });
});
