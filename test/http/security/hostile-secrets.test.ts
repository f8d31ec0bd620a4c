import { expect } from 'chai';
import { call, say } from '../../support/fakes/model-script.js';
import type { RequestOptions } from '../../support/service.js';
import {
  createTestService,
  endWorld,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person, speakingTo } from '../support/users-fixture.js';
import { refusalOf } from '../support/refusal.js';

/** What somebody who means harm would call a key: parts of the mark, of the protocol, of every text. */
const HOSTILE_KEYS = [
  'redact',
  '[redacted]',
  'completed',
  'run.completed',
  'tool.completed',
  'chat.completion.chunk',
  'data: {"id":"chatcmpl',
  'data: [DONE]',
  '"finish_reason":null}],"x_bellwether":{"v":1',
  'a',
  '            ',
  'invalid_request_error',
  'authentication_error',
  'Send a valid API key or session token',
  '.*.*.*.*.*.*.*.*.*.*',
  '(a+)+$(a+)+$(a+)+$',
  '$&$1$`$&$1$`$&$1',
  '\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800',
] as const;

describe('what one organisation calls a secret', () => {
  let world: TestService;
  let attacker: Person;
  let neighbour: Person;
  let asked: number;
  const llm = uniqueName('model');
  const steps = [call('get_weather', { city: 'Girona' }), say('It is mild in Girona.')];
  before(async () => {
    world = await createTestService();
    attacker = await aPerson(world.service, { role: 'org_admin' });
    neighbour = await aPerson(world.service, { config: speakingTo(world.model) });
    const metadata = { connector: 'openai', llm, verbose: true, tools: [weatherFunction] };
    asked = (await assistantOf(world.service, neighbour, metadata)).id;
  });
  after(() => endWorld(world));

  const test = (key: string, more: RequestOptions = {}) =>
    world.service.request(`/lamb/v1/organizations/${String(attacker.organizationId)}/providers/openai/test`, {
      key: attacker.key,
      body: { api_key: key, base_url: 'http://127.0.0.1:9' },
      ...more,
    });
  /** All that differs from one time to the next taken out. */
  const neighbourReads = async () => {
    await world.model.script(llm, steps);
    const stream = await world.service.stream(asked, 'How is it in Girona?', { key: neighbour.key });
    await stream.whole();
    return stream
      .raw()
      .replaceAll(/(run_|chatcmpl-|call_)[\w-]+/g, '$1…')
      .replaceAll(/"(created|ms)":\d+/g, '"$1":0');
  };
  const strangerReads = async () => (await world.service.request('/v1/models', { key: null })).text;

  it('changes no byte of what another reads, when a provider is tested with it', async () => {
    const [before, refused] = [await neighbourReads(), await strangerReads()];
    expect(before).to.include('"type":"run.completed"');

    for (const key of HOSTILE_KEYS) expect((await test(key)).status, key).to.equal(200);

    expect(await neighbourReads()).to.equal(before);
    expect(await strangerReads()).to.equal(refused);
  });

  it('changes no byte of what another reads, when it is stored', async () => {
    const [before, refused] = [await neighbourReads(), await strangerReads()];

    for (const key of HOSTILE_KEYS) {
      const secrets = key.length < 6 ? {} : { HOSTILE: { secret: key, hosts: ['api.example.org'] } };
      await configure(world.service, attacker, providers({ api_key: key }, { secrets }));
      await world.service.request('/lamb/v1/completions/list', { key: attacker.key });
    }

    expect(await neighbourReads()).to.equal(before);
    expect(await strangerReads()).to.equal(refused);
  });

  it('leaves the words of the protocol whole in its own streams', async () => {
    const own = await aPerson(world.service, { config: speakingTo(world.model) });
    const ownLlm = uniqueName('model');
    const metadata = { connector: 'openai', llm: ownLlm, verbose: true, tools: [weatherFunction] };
    const { id } = await assistantOf(world.service, own, metadata);
    const inAHeader = HOSTILE_KEYS.filter((key) => /^[\x20-\x7e]+$/.test(key));

    for (const api_key of inAHeader) {
      await world.model.script(ownLlm, steps);
      await configure(world.service, own, providers({ base_url: `${world.model.url}/v1`, api_key }));
      const stream = await world.service.stream(id, 'x', { key: own.key });
      const { done } = await stream.whole();
      const types = stream.raw().match(/"type":"[a-z_.]+"/g);

      expect(done, api_key).to.equal(true);
      expect(types, api_key).to.include.members(['"type":"run.started"', '"type":"run.completed"']);
      expect(stream.raw(), api_key).not.to.match(/"type":"[^"]*redacted/);
    }
  });

  it('is refused when it is too long to be looked for', async () => {
    const path = `/lamb/v1/organizations/${String(attacker.organizationId)}/config`;
    const long = await world.service.request(path, {
      method: 'PUT',
      body: providers({ api_key: 'aZ3'.repeat(70_000) }),
    });

    expect(refusalOf(long, 422))
      .to.have.property('message')
      .that.matches(/at most 4096 characters/);
    expect(refusalOf(await test('aZ3'.repeat(70_000)), 400)).to.include({ param: 'api_key' });
  });

  it('costs the others no time, however many keys are tested', async function () {
    this.timeout(60_000);
    const before = await neighbourReads();
    const keys = Array.from({ length: 1_000 }, (_, i) => `Zq7-${String(i)}-kX9w2pLm4vB8`);
    for (let i = 0; i < keys.length; i += 50) {
      await Promise.all(keys.slice(i, i + 50).map((key) => test(key)));
    }

    const startedAt = performance.now();
    const read = await neighbourReads();

    expect(performance.now() - startedAt).to.be.lessThan(2_000);
    expect(read).to.equal(before);
  });

  it('is hidden from its own people, also in the reason why it is refused', async () => {
    const secret = 'Zq7-kX9w2pLm4vB8-0815';
    const owner = await aPerson(world.service, { role: 'org_admin' });
    const wrong = providers({}, { secrets: { A: { secret, hosts: [`${secret}/`] } } });
    const path = `/lamb/v1/organizations/${String(owner.organizationId)}/config`;

    const refused = await world.service.request(path, { method: 'PUT', body: wrong });

    expect(refusalOf(refused, 422)).to.have.property('message').that.includes('[redacted]');
    expect(refused.text).not.to.include(secret);
  });

  it('is forgotten when it is replaced', async () => {
    const old = 'Zq7-kX9w2pLm4vB8-4711';
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const colleague = await aColleagueOf(world.service, owner);
    const asking = async () => {
      const path = `/lamb/v1/completions/tools/${old}`;
      return (await world.service.request(path, { key: colleague.key })).text;
    };
    const withKey = (api_key: string) => providers({ base_url: `${world.model.url}/v1`, api_key });

    await configure(world.service, owner, withKey(old));
    await world.service.request('/lamb/v1/completions/list', { key: colleague.key });
    expect(await asking())
      .to.include('[redacted]')
      .and.not.to.include(old);
    await configure(world.service, owner, withKey('Zq7-another-one-0123'));
    await world.service.request('/lamb/v1/completions/list', { key: colleague.key });

    expect(await asking()).to.include(old);
    expect(
      (await world.service.request(`/lamb/v1/completions/tools/${old}`, { key: neighbour.key })).text,
    ).to.include(old);
  });
});
