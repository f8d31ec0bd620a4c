import { createHash } from 'node:crypto';
import { expect } from 'chai';
import OpenAI from 'openai';
import { startFakeModel, uniqueName, type FakeModel } from '../fakes/fakes.js';
import { call, calls, say } from '../fakes/model-script.js';

const question = [{ role: 'user' as const, content: 'Hello?' }];

describe('the fake model', function () {
  this.timeout(60_000);

  let fake: FakeModel;
  let openai: OpenAI;

  before(async () => {
    fake = await startFakeModel();
    openai = new OpenAI({ baseURL: `${fake.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  });
  after(() => fake.stop());

  const ask = (model: string) => openai.chat.completions.create({ model, messages: question });

  async function drain(model: string) {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const chunks = [];
    for await (const chunk of await openai.chat.completions.create({
      model,
      messages: question,
      ...options,
    })) {
      chunks.push(chunk);
    }
    return chunks;
  }

  const textOf = (chunks: Awaited<ReturnType<typeof drain>>) =>
    chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

  it('greets when it has no script', async () => {
    const model = uniqueName('plain');

    const completion = await ask(model);

    expect(completion.choices[0]?.message.content).to.equal(`Hello from ${model}.`);
    expect(completion.choices[0]?.finish_reason).to.equal('stop');
  });

  it('streams text in the deltas asked for, then the finish, then the usage', async () => {
    const model = uniqueName('stream');
    await fake.script(model, [
      say('añb😀c', { chunks: 5, usage: { prompt_tokens: 7, completion_tokens: 3 }, finish: 'length' }),
    ]);

    const chunks = await drain(model);

    const deltas = chunks.map((chunk) => chunk.choices[0]?.delta);
    expect(deltas[0]).to.deep.equal({ role: 'assistant', content: '' });
    expect(deltas.slice(1, 6).map((delta) => delta?.content)).to.deep.equal(['a', 'ñ', 'b', '😀', 'c']);
    expect(chunks[6]?.choices[0]).to.include({ finish_reason: 'length' });
    expect(chunks[7]?.choices).to.deep.equal([]);
    expect(chunks[7]?.usage).to.deep.equal({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(chunks).to.have.length(8);
    expect(new Set(chunks.map((chunk) => chunk.id))).to.have.property('size', 1);
  });

  it('reports usage without streaming', async () => {
    const model = uniqueName('usage');
    await fake.script(model, [say('x', { usage: { prompt_tokens: 2, completion_tokens: 1 } })]);

    const { usage } = await ask(model);

    expect(usage).to.deep.equal({ prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 });
  });

  it('calls several tools, their arguments in fragments', async () => {
    const model = uniqueName('tools');
    const wanted = [
      { name: 'get_weather', arguments: { city: 'São Paulo' }, id: 'c1' },
      { name: 'get_rubric', arguments: '{"cut', id: '' },
    ];
    await fake.script(model, [calls(wanted, { text: 'Wait.', fragments: 4 })]);

    const runner = openai.chat.completions.stream({ model, messages: question });
    const parts: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall[] = [];
    runner.on('chunk', (chunk) => parts.push(...(chunk.choices[0]?.delta.tool_calls ?? [])));
    const message = await runner.finalMessage();

    expect(parts.map((part) => part.index)).to.deep.equal([0, 0, 0, 0, 0, 1, 1, 1, 1]);
    // Asked of the chunks: the SDK puts an id of its own where there is none.
    expect(parts.flatMap((part) => part.id ?? [])).to.deep.equal(['c1', '']);
    expect(message.content).to.equal('Wait.');
    expect(message.tool_calls).to.containSubset([
      { function: { name: 'get_weather', arguments: '{"city":"São Paulo"}' } },
      { function: { name: 'get_rubric', arguments: '{"cut' } },
    ]);
  });

  it('calls tools without streaming, with ids of its own and any finish reason', async () => {
    const model = uniqueName('call');
    await fake.script(model, [call('a'), call('b', { x: 1 }, { finish: 'stop' })]);

    const first = await ask(model);
    const second = await ask(model);

    const ids = [first, second].map((reply) => reply.choices[0]?.message.tool_calls?.[0]?.id);
    expect(new Set(ids)).to.have.property('size', 2);
    expect(first.choices[0]?.finish_reason).to.equal('tool_calls');
    expect(second.choices[0]?.finish_reason).to.equal('stop');
  });

  it('plays its steps in order and fails when they are used up', async () => {
    const model = uniqueName('order');
    await fake.script(model, [say('one'), say('two')]);

    const answers = [await ask(model), await ask(model)];
    const third = await ask(model).catch((error: unknown) => error);

    expect(answers.map((answer) => answer.choices[0]?.message.content)).to.deep.equal(['one', 'two']);
    expect(third)
      .to.be.instanceOf(OpenAI.InternalServerError)
      .with.property('message', '500 script exhausted');
    const outcomes = (await fake.ledger(model)).map((row) => row.outcome);
    expect(outcomes).to.deep.equal(['say', 'say', 'exhausted']);
  });

  it('repeats the last step when told to', async () => {
    const model = uniqueName('repeat');
    await fake.script(model, [say('one'), say('again')], { repeat: true });

    const answers = [await ask(model), await ask(model), await ask(model)];

    const texts = answers.map((answer) => answer.choices[0]?.message.content);
    expect(texts).to.deep.equal(['one', 'again', 'again']);
  });

  it('passes a megabyte of arguments whole', async () => {
    const model = uniqueName('big');
    const big = `{"query":"${'é'.repeat(524_288)}"}`;
    await fake.script(model, [call('search', big, { fragments: 100 })]);

    const message = await openai.chat.completions.stream({ model, messages: question }).finalMessage();

    const received = message.tool_calls?.[0];
    const args = received?.type === 'function' ? received.function.arguments : '';
    expect(sha256(args)).to.equal(sha256(big));
  });

  it('keeps what it was asked, with the credential', async () => {
    const model = uniqueName('ledger');

    const chunks = await drain(model);

    const [row] = await fake.waitFor(model, { requests: 1, finished: 1 });
    expect(textOf(chunks)).to.equal(`Hello from ${model}.`);
    expect(row).to.include({ subject: model, authorization: 'Bearer sk-test', outcome: 'unscripted' });
    expect(row?.body).to.deep.include({ model, messages: question, stream: true });
    expect(row?.headers).to.have.property('content-type', 'application/json');
  });

  it('fails a wait that is in vain, and says what it saw', async () => {
    const model = uniqueName('vain');
    await ask(model);

    const error = await fake.waitFor(model, { requests: 2 }, 20).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('"outcome":"unscripted"');
  });

  it('lists the scripted models', async () => {
    const model = uniqueName('listed');
    await fake.script(model, []);

    const names = [];
    for await (const { id } of openai.models.list()) names.push(id);

    expect(names).to.include(model);
  });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
