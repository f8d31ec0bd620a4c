import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { spellings, UPSTREAM_WORDS } from '../support/api-client.js';
import { refusalOf } from '../support/refusal.js';
import { configure } from '../support/settings-client.js';
import { aColleagueOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

interface Outcome {
  readonly ok: boolean;
  readonly ms: number;
  readonly models: readonly string[] | null;
  readonly message: string;
}

const KEY = 'sk-canary-of-a-provider';
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/models': { data: [{ id: 'gpt-b' }, { id: 'gpt-a' }] },
  '/api/tags': { models: [{ name: 'llama:8b' }] },
  '/claude/v1/models': { data: [{ id: 'claude' }] },
  '/v1beta/models': {
    models: [
      { name: 'models/gemini', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/embedder', supportedGenerationMethods: ['embedContent'] },
    ],
  },
  '/odd/models': { data: 'none' },
  '/echoing/models': { data: [{ id: `model of ${KEY}` }] },
  '/hostile/models': { data: [{ id: `x${'y'.repeat(500)}\n\u0007z` }] },
};

/** A provider that keeps what it was sent, and refuses any other key than the right one. */
async function startProvider() {
  const requests: { readonly path: string; readonly key: string | undefined }[] = [];
  const server: Server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://x').pathname;
    const key = keyIn(req);
    requests.push({ path, key });
    if (path === '/moved/models') res.writeHead(302, { location: '/v1/models' }).end();
    else if (key !== KEY) res.writeHead(401).end(`${UPSTREAM_WORDS} ${key ?? ''}`);
    else if (!(path in ANSWERS)) res.writeHead(500).end(`${UPSTREAM_WORDS} ${key}`);
    else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWERS[path]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function keyIn({ headers }: IncomingMessage): string | undefined {
  const sent =
    headers.authorization?.replace(/^Bearer /, '') ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
  return Array.isArray(sent) ? sent[0] : sent;
}

describe('testing a provider', () => {
  let world: TestService;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  before(async () => {
    [world, provider] = [await sharedService(), await startProvider()];
  });
  after(() => {
    provider.stop();
  });

  const test = (name: string, body: object, { key, organizationId }: Person) =>
    world.service.request<Outcome>(
      `/lamb/v1/organizations/${String(organizationId)}/providers/${name}/test`,
      { key, body },
    );
  const anAdministrator = () => aPerson(world.service, { role: 'org_admin' });
  const withStored = async (base_url: string) => {
    const person = await anAdministrator();
    const providers = { openai: { api_key: KEY, base_url } };
    await configure(world.service, person, { setups: { default: { providers } } });
    return person;
  };

  for (const [name, path, models] of [
    ['openai', '/v1', ['gpt-a', 'gpt-b']],
    ['ollama', '', ['llama:8b']],
    ['anthropic', '/claude', ['claude']],
    ['google', '', ['gemini']],
  ] as const) {
    it(`says of ${name} that it answers, and which models it has`, async () => {
      const person = await anAdministrator();

      const { json } = await test(name, { api_key: KEY, base_url: `${provider.url}${path}` }, person);

      expect(json).to.deep.include({ ok: true, models, message: 'The provider answered.' });
      expect(json.ms).to.be.a('number').within(0, 10_000);
      expect((await auditOf(world.service, person)).at(-1)).to.include({
        action: 'test provider',
        outcome: 'done',
        reason: `${name}: answered`,
      });
    });
  }

  it('uses what is stored where nothing, or a mask, is sent', async () => {
    const person = await withStored(`${provider.url}/v1/`);

    for (const body of [{}, { api_key: '••••' }, { api_key: '••••', base_url: `${provider.url}/v1` }]) {
      expect((await test('openai', body, person)).json.ok, JSON.stringify(body)).to.equal(true);
    }
    expect((await test('openai', { api_key: 'another one' }, person)).json.message).to.match(
      /refused the key/,
    );
  });

  it('sends a stored key to no other address than its own', async () => {
    const person = await withStored('http://127.0.0.1:9/v1');
    const before = provider.requests.length;

    for (const body of [
      { base_url: `${provider.url}/v1` },
      { base_url: provider.url, api_key: '••••' },
      { base_url: '' },
    ]) {
      expect(refusalOf(await test('openai', body, person), 400).message).to.match(/Enter the key again/);
    }
    await test('openai', { base_url: `${provider.url}/v1`, api_key: '' }, person);

    expect(provider.requests.slice(before)).to.deep.equal([{ path: '/v1/models', key: undefined }]);
  });

  it('does not show a stored key that the other side calls a model', async () => {
    const person = await withStored(`${provider.url}/echoing`);

    const { json } = await test('openai', {}, person);

    expect(json.models).to.deep.equal(['model of [redacted]']);
  });

  it('tells what is wrong in its own words, and never the other side’s', async () => {
    const person = await anAdministrator();
    const said = async (path: string, api_key = KEY) => {
      const answer = await test('openai', { api_key, base_url: provider.url + path }, person);
      expect(answer.json).to.deep.include({ ok: false, models: null });
      expect(answer.text).to.not.include(UPSTREAM_WORDS);
      for (const spelling of spellings(api_key)) expect(answer.text).to.not.include(spelling);
      return answer.json.message;
    };

    expect(await said('/v1', 'sk-canary-wrong')).to.match(/refused the key/);
    expect(await said('/nowhere')).to.match(/error \(500\)/);
    expect(await said('/moved')).to.match(/error \(302\)/);
    expect(await said('/odd')).to.match(/not as this provider does/);
    const away = await test('openai', { api_key: KEY, base_url: 'http://127.0.0.1:9' }, person);
    expect(away.json.message).to.match(/could not be reached/);
    const hostile = await test('openai', { api_key: KEY, base_url: `${provider.url}/hostile` }, person);
    expect(hostile.json.models?.[0])
      .to.have.length(200)
      .and.not.match(/\p{Cc}/u);
    expect(world.service.output()).to.not.include('sk-canary-wrong');
  });

  it('is for who looks after the organisation, of providers there are, at addresses there can be', async () => {
    const person = await anAdministrator();
    const colleague = await aColleagueOf(world.service, person);
    const foreign = await anAdministrator();

    expect((await test('openai', {}, colleague)).status).to.equal(403);
    const { organizationId } = person;
    expect((await test('openai', {}, { ...foreign, organizationId })).status).to.equal(404);
    expect((await test('unknown', {}, person)).status).to.equal(400);
    expect((await test('openai', { base_url: 'file:///etc/passwd' }, person)).status).to.equal(400);
    expect((await test('openai', { model: 'x' }, person)).status).to.equal(400);
  });
});
