import { expect } from 'chai';
import { Agent } from 'undici';
import ollama from '../../agents/connectors/ollama.js';
import openai from '../../agents/connectors/openai.js';
import { AppError } from '../../src/core/errors.js';
import type { Embedder } from '../../src/core/knowledge/embedder.js';
import type { Logger } from '../../src/core/log.js';
import { createEmbedders } from '../../src/knowledge/open.js';
import { createModelTransport } from '../../src/outbound/model-transport.js';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../support/fakes/fakes.js';

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const ENDPOINTS = { openai: openai.provider.embeddings, ollama: ollama.provider.embeddings };
const aLocalModel = { model: 'local:none' } as Embedder;
const local = { embedderOf: (name: string | undefined) => (name === undefined ? aLocalModel : undefined) };

type Kind = 'passage' | 'query';

describe('embeddings of a provider', () => {
  let fake: FakeEmbeddings;
  let agent: Agent;
  before(async () => {
    fake = await startFakeEmbeddings();
    agent = new Agent();
  });
  after(async () => {
    await agent.destroy();
    await fake.stop();
  });

  const embedder = (model: string, more: { provider?: 'openai' | 'ollama'; baseUrl?: string } = {}) => {
    const { provider = 'openai', baseUrl = provider === 'openai' ? `${fake.url}/v1` : fake.url } = more;
    const embedders = createEmbedders({ models: createModelTransport(agent), log: silent, local });
    const endpoint = ENDPOINTS[provider];
    const made = embedders({ embeddings: { provider, endpoint, model, baseUrl, apiKey: 'sk-secret' } });
    return made as Embedder;
  };
  const embed = (from: Embedder, texts: readonly string[], kind: Kind = 'passage') =>
    from.embed(texts, { kind, signal: new AbortController().signal });
  const faultOf = async (work: Promise<unknown>): Promise<AppError> => {
    const fault: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(fault).to.be.instanceOf(AppError);
    return fault as AppError;
  };

  for (const provider of ['openai', 'ollama'] as const) {
    it(`come from ${provider}, in the order of the texts and of length one`, async () => {
      const from = embedder(uniqueName('embed'), { provider });

      const [cells, alike, other] = await embed(from, ['plant cells', 'plant cell', 'the french revolution']);

      expect(from.model).to.match(new RegExp(`^${provider}:embed-`));
      expect(dot(cells!, cells!)).to.be.closeTo(1, 1e-6);
      expect(dot(cells!, alike!)).to.be.greaterThan(dot(cells!, other!) + 0.3);
    });
  }

  it('are asked for in few requests, with the key and all texts once', async () => {
    const model = uniqueName('embed');
    const texts = Array.from({ length: 200 }, (_, i) => `text ${String(i)}`);

    const vectors = await embed(embedder(model), texts);

    const requests = await fake.ledger(model);
    expect(vectors).to.have.length(200);
    expect(requests.map(({ body }) => body.input.length)).to.have.members([96, 96, 8]);
    expect(requests.flatMap(({ body }) => body.input)).to.have.members(texts);
    expect(requests[0]?.authorization).to.equal('Bearer sk-secret');
    expect(requests[0]?.body['encoding_format']).to.equal('float');
  });

  it('are of the beginning of a text that is too long, and of a blank for none', async () => {
    const model = uniqueName('embed');

    await embed(embedder(model), ['x'.repeat(9_000), '', `${'y'.repeat(7_999)}😀`]);

    const [request] = await fake.ledger(model);
    expect(request?.body.input.map(({ length }) => length)).to.deep.equal([8_000, 1, 8_000]);
    expect(request?.body.input[2]?.endsWith('\uFFFD')).to.equal(true);
  });

  it('are put into the order of their numbers when a provider sends them in another', async () => {
    const model = uniqueName('embed');
    await fake.faults(model, ['reversed']);

    const [first, second] = await embed(embedder(model), ['alpha', 'omega']);
    const [alone] = await embed(embedder(model), ['alpha']);

    expect(dot(first!, alone!)).to.be.closeTo(1, 1e-6);
    expect(dot(second!, alone!)).to.be.lessThan(0.9);
  });

  it('are asked for again after a refusal, a fault or a broken connection, twice at most', async () => {
    const [mended, broken] = [uniqueName('embed'), uniqueName('embed')];
    await fake.faults(mended, ['refuse-429', 'reset']);
    await fake.faults(broken, ['refuse-429', 'refuse-429', 'refuse-429']);

    const vectors = await embed(embedder(mended), ['text']);
    const fault = await faultOf(embed(embedder(broken), ['text']));

    expect(vectors).to.have.length(1);
    expect(fault).to.include({ status: 429, code: 'rate_limit_exceeded' });
    expect(await fake.ledger(mended)).to.have.length(3);
    expect(await fake.ledger(broken)).to.have.length(3);
  });

  it('are given up at once where a question would have to wait long', async () => {
    const model = uniqueName('embed');
    await fake.faults(model, ['refuse-429-for-an-hour']);

    const fault = await faultOf(embed(embedder(model), ['text'], 'query'));

    expect(fault.retryAfterSeconds).to.equal(3600);
    expect(await fake.ledger(model)).to.have.length(1);
  });

  it('are not asked for again when the key is refused, and the reason shows no key', async () => {
    const model = uniqueName('embed');
    await fake.faults(model, ['error-401']);

    const fault = await faultOf(embed(embedder(model), ['text']));

    expect(fault.message)
      .to.match(/refused our credentials/)
      .and.not.match(/sk-secret/);
    expect(await fake.ledger(model)).to.have.length(1);
  });

  for (const [lie, reason] of [
    ['too-few', /1 vectors for 2 texts/],
    ['uneven', /different lengths/],
    ['not-finite', /did not answer with vectors/],
    ['zero', /no direction/],
    ['html', /did not answer with vectors/],
  ] as const) {
    it(`are not believed when they are ${lie}`, async () => {
      const model = uniqueName('embed');
      await fake.faults(model, [lie]);

      const fault = await faultOf(embed(embedder(model), ['one', 'two']));

      expect(fault.message).to.match(reason);
      expect(fault.status).to.equal(502);
    });
  }

  it('end when whoever wanted them leaves', async () => {
    const model = uniqueName('embed');
    await fake.faults(model, ['silent']);
    const leaving = new AbortController();

    const asked = embedder(model).embed(['text'], { kind: 'passage', signal: leaving.signal });
    await fake.waitFor(model, { requests: 1 });
    leaving.abort(new Error('left'));

    expect(await asked.catch((fault: unknown) => (fault as Error).message)).to.equal('left');
    await fake.waitFor(model, { closed: 1 });
  });

  it('cannot be had from nobody', async () => {
    const nobody = embedder('any', { baseUrl: 'http://127.0.0.1:1' });

    expect((await faultOf(embed(nobody, ['text'], 'query'))).message).to.match(/could not be reached/);
  });

  it('come from the model in this process where that is chosen, and from nowhere by default', () => {
    const embedders = createEmbedders({ models: createModelTransport(agent), log: silent, local });

    expect(embedders({ embeddings: { provider: 'local', name: undefined } })).to.equal(aLocalModel);
    expect(embedders({ embeddings: { provider: 'local', name: 'not-installed' } })).to.equal(undefined);
    expect(embedders({})).to.equal(undefined);
  });
});

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}
