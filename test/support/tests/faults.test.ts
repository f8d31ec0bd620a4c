import { expect } from 'chai';
import OpenAI from 'openai';
import { readStream } from '../chat-client.js';
import { startFakeModel, uniqueName, type FakeModel } from '../fakes/fakes.js';
import { fail, flood, hang, held, partialText, raw, reset, say } from '../fakes/model-script.js';

const question = [{ role: 'user' as const, content: 'Hello?' }];

describe('the faults of the fake model', function () {
  this.timeout(60_000);

  let fake: FakeModel;
  let openai: OpenAI;

  before(async () => {
    fake = await startFakeModel();
    openai = new OpenAI({ baseURL: `${fake.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  });
  after(() => fake.stop());

  const ask = (model: string) => openai.chat.completions.create({ model, messages: question });
  const stream = (model: string, signal?: AbortSignal) =>
    openai.chat.completions.create({ model, messages: question, stream: true }, { signal });
  const fetchStream = (model: string) =>
    fetch(`${fake.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model, stream: true }),
    });

  it('fails with the status, headers and body of the script', async () => {
    const model = uniqueName('fail');
    await fake.script(model, [
      fail(429, { headers: { 'Retry-After': '2' } }),
      fail(200, { body: '<html>Sign in</html>', headers: { 'Content-Type': 'text/html' } }),
    ]);

    const limited = await ask(model).catch((error: unknown) => error);
    const page: unknown = await ask(model);

    expect(limited).to.be.instanceOf(OpenAI.RateLimitError);
    expect((limited as InstanceType<typeof OpenAI.RateLimitError>).headers.get('retry-after')).to.equal('2');
    expect(page).to.equal('<html>Sign in</html>');
  });

  it('resets before the headers', async () => {
    const model = uniqueName('reset');
    await fake.script(model, [reset('before-headers')]);

    const error = await stream(model).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(OpenAI.APIConnectionError);
    expect((await fake.ledger(model))[0]).to.include({ outcome: 'reset', closedEarly: false });
  });

  for (const [when, seen] of [
    ['after-headers', ''],
    [3, partialText(3)],
  ] as const) {
    it(`resets ${when === 3 ? 'after three deltas' : 'after the headers'}`, async () => {
      const model = uniqueName('reset');
      await fake.script(model, [reset(when)]);

      const texts: string[] = [];
      const reading = (async () => {
        for await (const chunk of await stream(model)) texts.push(chunk.choices[0]?.delta.content ?? '');
      })();
      const error = await reading.catch((reason: unknown) => reason);

      expect(error).to.be.instanceOf(Error);
      expect(texts.join('')).to.equal(seen);
    });
  }

  for (const when of ['before-headers', 'after-headers', 2] as const) {
    it(`hangs (${String(when)}) until the client leaves, and notes when`, async () => {
      const model = uniqueName('hang');
      await fake.script(model, [hang(when)]);
      const leaving = new AbortController();

      const reading = stream(model, leaving.signal).then(async (chunks) => {
        for await (const chunk of chunks) expect(chunk.choices).to.have.length(1);
      });
      const [open] = await fake.waitFor(model, { requests: 1 });
      leaving.abort();
      await reading.catch(() => {});
      const [closed] = await fake.waitFor(model, { closed: 1 });

      expect(open).to.include({ closedEarly: false, closedAt: null, finishedAt: null });
      expect(closed?.closedAt).to.be.at.least(open?.at ?? Infinity);
      expect(closed?.finishedAt).to.equal(null);
    });
  }

  it('holds a step until it is released', async () => {
    const model = uniqueName('held');
    const gate = uniqueName('gate');
    await fake.script(model, [held(gate, say('Now.'))]);

    const asking = ask(model);
    const [open] = await fake.waitFor(model, { requests: 1 });
    await fake.release(gate);
    const answer = await asking;

    expect(open?.finishedAt).to.equal(null);
    expect(answer.choices[0]?.message.content).to.equal('Now.');
  });

  it('pauses in the middle of a text until it is released', async () => {
    const model = uniqueName('pause');
    const gate = uniqueName('gate');
    await fake.script(model, [say('abcd', { chunks: 4, pause: { after: 2, until: gate } })]);

    const texts: string[] = [];
    for await (const chunk of await stream(model)) {
      texts.push(chunk.choices[0]?.delta.content ?? '');
      if (texts.join('') === 'ab') {
        expect((await fake.ledger(model))[0]?.finishedAt).to.equal(null);
        await fake.release(gate);
      }
    }

    expect(texts.join('')).to.equal('abcd');
  });

  it('writes raw bytes verbatim, cut anywhere', async () => {
    const model = uniqueName('raw');
    const frames = [
      ': hello\r\n\r\n',
      `data: ${JSON.stringify({ choices: [{ delta: { content: 'ñ😀' } }] })}\n\n`,
    ];
    await fake.script(model, [raw(frames, { sliceBytes: 1 })]);

    const response = await fetchStream(model);
    const reading = readStream(response);
    const { text, done } = await reading.whole();

    expect(reading.raw()).to.equal(frames.join(''));
    expect(text).to.equal('ñ😀');
    expect(done).to.equal(false);
  });

  it('floods until the client leaves', async () => {
    const model = uniqueName('flood');
    await fake.script(model, [flood('x'.repeat(65_536))]);
    const response = await fetchStream(model);

    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += (part as Uint8Array).length;
      if (bytes > 1_000_000) break;
    }

    const [row] = await fake.waitFor(model, { closed: 1 });
    expect(row?.outcome).to.equal('flood');
  });
});
