import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import { expect } from 'chai';
import OpenAI from 'openai';
import { aPerson, type Person } from '../http/support/users-fixture.js';
import { vectorOf } from '../support/embedding-vectors.js';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../support/fakes/fakes.js';
import { sharedService, type TestService } from '../support/test-service.js';

interface Embeddings {
  readonly data: readonly { readonly embedding: string | readonly number[] }[];
  readonly error?: { readonly code: string; readonly param: string | null; readonly message: string };
}

const TEXTS = ['Every automobile needs a licence plate.', 'Lessons end at noon.'];
const NEARLY = 1e-6;

/** Of length one, as every embedder's are. */
const unit = (text: string) => {
  const vector = vectorOf(text);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

describe('POST /v1/embeddings', () => {
  let world: TestService;
  let fake: FakeEmbeddings;
  let baseURL: string;
  before(async () => {
    [world, fake] = await Promise.all([sharedService(), startFakeEmbeddings()]);
    baseURL = `${world.service.url}/v1`;
  });
  after(() => fake.stop());

  /** Somebody whose organisation searches by meaning, with a model that no other has. */
  const aSearcher = async (
    more: object = {},
  ): Promise<{ person: Person; upstream: string; model: string }> => {
    const upstream = uniqueName('embed');
    const model = `openai:${upstream}`;
    const openai = { base_url: `${fake.url}/v1`, api_key: 'sk-canary-of-embeddings' };
    const setup = { providers: { openai }, knowledge_base: { embeddings: model } };
    const person = await aPerson(world.service, { config: { setups: { default: setup }, ...more } });
    return { person, upstream, model };
  };
  const send = (body: object, key: string) =>
    world.service.request<Embeddings>('/v1/embeddings', { body, key });
  const expectVectors = (vectors: readonly (readonly number[])[], texts: readonly string[] = TEXTS) => {
    expect(vectors).to.have.length(texts.length);
    texts.forEach((text, i) => {
      unit(text).forEach((value, at) => expect(vectors[i]?.[at]).to.be.closeTo(value, NEARLY));
    });
  };

  it('answers openai 6, which asks for base64 unless told otherwise, for one text and for several', async () => {
    const { person, upstream, model } = await aSearcher();
    const client = new OpenAI({ baseURL, apiKey: person.key });

    const one = await client.embeddings.create({ model, input: TEXTS[0]! });
    const both = await client.embeddings.create({ model, input: TEXTS, user: 'u-1' });
    const plain = await client.embeddings.create({ model: upstream, input: TEXTS, encoding_format: 'float' });

    expectVectors(
      one.data.map(({ embedding }) => embedding),
      TEXTS.slice(0, 1),
    );
    expectVectors(both.data.map(({ embedding }) => embedding));
    expectVectors(plain.data.map(({ embedding }) => embedding));
    expect(both).to.include({ object: 'list', model });
    expect(both.usage.prompt_tokens).to.be.within(8, 16).and.to.equal(both.usage.total_tokens);
    const asked = await fake.ledger(upstream);
    expect(asked.map(({ body }) => body.input)).to.deep.equal([[TEXTS[0]], TEXTS, TEXTS]);
    expect(JSON.stringify(asked)).to.not.include('u-1');
  });

  it('answers @langchain/openai and @ai-sdk/openai-compatible as they come', async () => {
    const { person, model } = await aSearcher();
    const langChain = new OpenAIEmbeddings({ model, apiKey: person.key, configuration: { baseURL } });
    const bellwether = createOpenAICompatible({ name: 'bellwether', baseURL, apiKey: person.key });

    expectVectors(await langChain.embedDocuments(TEXTS));
    expectVectors([await langChain.embedQuery(TEXTS[1]!)], TEXTS.slice(1));
    const { embeddings, usage } = await embedMany({ model: bellwether.embeddingModel(model), values: TEXTS });
    expectVectors(embeddings);
    expect(usage.tokens).to.be.greaterThan(0);
  });

  it('is 404 where there is no model, under any other name, and for the model of another organisation', async () => {
    const [mine, theirs] = [await aSearcher(), await aSearcher()];
    const without = await aPerson(world.service);

    const answers = [
      await send({ model: mine.model, input: 'Hello?' }, without.key),
      await send({ model: 'text-embedding-ada-002', input: 'Hello?' }, mine.person.key),
      await send({ model: theirs.model, input: 'Hello?' }, mine.person.key),
      await send({ model: theirs.upstream, input: 'Hello?' }, mine.person.key),
    ];

    expect(answers.map(({ status, json }) => [status, json.error?.code, json.error?.param])).to.deep.equal(
      answers.map(() => [404, 'not_found', 'model']),
    );
    expect(answers[0]?.json.error?.message).to.include('An administrator');
    expect(answers[1]?.json.error?.message).to.include(mine.model);
    for (const { upstream } of [mine, theirs]) expect(await fake.ledger(upstream)).to.deep.equal([]);
  });

  it('refuses what it cannot do, and asks nobody', async () => {
    const { person, upstream, model } = await aSearcher();
    const refused: readonly (readonly [body: object, param: string])[] = [
      [{ input: [1, 2, 3] }, 'input.0'],
      [{ input: [[1, 2], [3]] }, 'input.0'],
      [{ input: '' }, 'input.0'],
      [{ input: [] }, 'input'],
      [{ input: ['fine', ''] }, 'input.1'],
      [{ input: 'x'.repeat(8_001) }, 'input.0'],
      [{ input: Array.from({ length: 2_049 }, () => 'x') }, 'input'],
      [{ input: Array.from({ length: 126 }, () => 'x'.repeat(8_000)) }, 'input'],
      [{ input: 'Hello?', encoding_format: 'hex' }, 'encoding_format'],
      [{ input: 'Hello?', dimensions: 0 }, 'dimensions'],
      [{}, 'input'],
    ];

    for (const [body, param] of refused) {
      const { status, json } = await send({ model, ...body }, person.key);
      expect([status, json.error?.code, json.error?.param]).to.deep.equal([400, 'bad_request', param]);
    }
    const { json } = await send({ model, input: [1, 2, 3] }, person.key);
    expect(json.error?.message).to.include('tokens');
    expect(await fake.ledger(upstream)).to.deep.equal([]);
  });

  it('makes vectors of the model’s own length alone, and names what it ignores', async () => {
    const { person, model } = await aSearcher();
    const dimensions = vectorOf('').length;

    const right = await send({ model, input: 'Hello?', dimensions, service_tier: 'flex' }, person.key);
    const wrong = await send({ model, input: 'Hello?', dimensions: dimensions / 2 }, person.key);

    expect(right.status).to.equal(200);
    expect(right.headers.get('x-ignored-parameters')).to.equal('service_tier');
    expect([wrong.status, wrong.json.error?.code, wrong.json.error?.param]).to.deep.equal([
      ...[400, 'unsupported_parameter', 'dimensions'],
    ]);
  });

  it('counts among what its organisation lets one person ask for within a minute', async () => {
    const { person, model } = await aSearcher({ limits: { requests_per_minute_per_user: 2 } });
    const ask = () => send({ model, input: 'Hello?' }, person.key);

    const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);

    expect(statuses).to.deep.equal([200, 200, 429]);
  });

  it('tells of a provider that fails without its words', async () => {
    const { person, upstream, model } = await aSearcher();
    await fake.faults(upstream, ['error-401']);

    const { status, json, text } = await send({ model, input: 'Hello?' }, person.key);

    expect(status).to.equal(502);
    expect(json.error?.code).to.be.a('string');
    expect(text).to.not.include('sk-secret');
  });
});
