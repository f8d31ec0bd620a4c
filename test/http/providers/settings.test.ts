import { expect } from 'chai';
import type { Completion } from '../../support/chat-client.js';
import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { fail, say, type Step } from '../../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';
import {
  createTestService,
  endWorld,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { spellings } from '../support/api-client.js';
import { databaseBytes } from '../support/credentials.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person } from '../support/users-fixture.js';

const ENVIRONMENT_KEY = 'sk-canary-0123456789abcdef';

describe('the providers of an organisation', function () {
  this.timeout(60_000);
  let world: TestService;
  let other: FakeModel;
  before(async () => {
    [world, other] = await Promise.all([createTestService({ LOG_LEVEL: 'debug' }), startFakeModel()]);
  });
  after(() => Promise.all([endWorld(world), other.stop()]));

  const scripted = async (fake: FakeModel, steps: readonly Step[] = [say('Hello.')]) => {
    const model = uniqueName('model');
    await fake.script(model, steps);
    return model;
  };
  const ask = (id: number, { key }: Person) => world.service.chat(id, 'Hello?', { key });

  it('are asked at their own address with their own key, each organisation’s at its own', async () => {
    const [one, two] = [await aPerson(world.service), await aPerson(world.service)];
    await configure(
      world.service,
      one,
      providers({ api_key: 'sk-canary-one-1', base_url: `${world.model.url}/v1` }),
    );
    await configure(
      world.service,
      two,
      providers({ api_key: 'sk-canary-two-2', base_url: `${other.url}/v1/` }),
    );
    const llm = uniqueName('model');
    await Promise.all([world.model.script(llm, [say('From one.')]), other.script(llm, [say('From two.')])]);
    const made = await Promise.all(
      [one, two].map((each) => assistantOf(world.service, each, { connector: 'openai', llm })),
    );

    const answers = await Promise.all([ask(made[0]!.id, one), ask(made[1]!.id, two)]);

    expect(answers.map(({ json }) => json.choices[0]?.message.content)).to.deep.equal([
      'From one.',
      'From two.',
    ]);
    const seen = await Promise.all([world.model.ledger(llm), other.ledger(llm)]);
    expect(seen.map((rows) => rows.map(({ authorization }) => authorization))).to.deep.equal([
      ['Bearer sk-canary-one-1'],
      ['Bearer sk-canary-two-2'],
    ]);
  });

  it('go by a new key from the next request on', async () => {
    const person = await aPerson(world.service);
    const base_url = `${world.model.url}/v1`;
    const llm = await scripted(world.model, [say('One.'), say('Two.')]);
    const { id } = await assistantOf(world.service, person, { connector: 'openai', llm });

    for (const api_key of ['sk-canary-old', 'sk-canary-new']) {
      await configure(world.service, person, providers({ api_key, base_url }));
      await ask(id, person);
    }

    const keys = (await world.model.ledger(llm)).map(({ authorization }) => authorization);
    expect(keys).to.deep.equal(['Bearer sk-canary-old', 'Bearer sk-canary-new']);
  });

  it('are none where nothing is set: the environment is the default organisation’s, others have the demo', async () => {
    const person = await aPerson(world.service);
    const llm = await scripted(world.model);
    const named = await assistantOf(world.service, person, { connector: 'openai', llm });
    const free = await assistantOf(world.service, person, {});

    const refused = refusalOf(await ask(named.id, person), 422);
    const answered = await ask(free.id, person);
    const { json } = await world.service.request<{
      connectors: Record<string, { available_llms: string[] }>;
    }>('/lamb/v1/completions/list', { key: person.key });

    expect(refused.code).to.equal('not_configured');
    expect(answered.json.choices[0]?.message.content).to.contain('offline demo');
    expect(json.connectors['openai']?.available_llms).to.deep.equal([]);
    expect(await world.model.ledger(llm)).to.deep.equal([]);
  });

  it('are not asked once switched off', async () => {
    const person = await aPerson(world.service);
    const llm = await scripted(world.model);
    const openai = {
      api_key: 'sk-canary-off',
      base_url: `${world.model.url}/v1`,
      models: [llm],
      enabled: false,
    };
    await configure(world.service, person, providers(openai));
    const { id } = await assistantOf(world.service, person, { connector: 'openai', llm });

    refusalOf(await ask(id, person), 422);

    expect(await world.model.ledger(llm)).to.deep.equal([]);
  });

  it('answer with the default for a model they do not offer, and with the standing choice where none is named', async () => {
    const person = await aPerson(world.service);
    const [usual, standing, handy] = await Promise.all([1, 2, 3].map(() => scripted(world.model)));
    const openai = {
      base_url: `${world.model.url}/v1`,
      models: [standing, usual, handy],
      default_model: usual,
    };
    const choices = {
      global_default_model: { provider: 'openai', model: standing },
      tool_use_model: { provider: 'openai', model: handy },
    };
    await configure(world.service, person, providers(openai, choices));
    const made = [
      await assistantOf(world.service, person, { connector: 'openai', llm: 'withdrawn' }),
      await assistantOf(world.service, person, {}),
      await assistantOf(world.service, person, { tools: [weatherFunction] }),
    ];

    for (const { id } of made) expect((await ask(id, person)).status).to.equal(200);

    for (const model of [usual, standing, handy]) expect(await world.model.ledger(model)).to.have.length(1);
    await world.service.waitForLog(({ wanted, model }) => wanted === 'withdrawn' && model === usual);
  });

  it('never get the environment’s key at an address that an organisation’s administrator has set', async () => {
    const me = (await world.service.request<{ organization_id: number }>('/lamb/v1/me')).json;
    const person = await aPerson(world.service, { organizationId: me.organization_id });
    const llm = uniqueName('model');
    await Promise.all([other.script(llm, [say('Hello.')]), world.model.script(llm, [say('Hello.')])]);
    const { id } = await assistantOf(world.service, person, { connector: 'openai', llm });

    await configure(world.service, person, providers({ base_url: `${other.url}/v1` }));
    await ask(id, person);
    await configure(world.service, person, {});
    await ask(id, person);

    expect((await other.ledger(llm)).map(({ authorization }) => authorization)).to.deep.equal([null]);
    expect((await world.model.ledger(llm)).map(({ authorization }) => authorization)).to.deep.equal([
      `Bearer ${ENVIRONMENT_KEY}`,
    ]);
  });

  it('keep their secrets: in no answer, no log, no byte of the database', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });
    const colleague = await aColleagueOf(world.service, admin);
    const secrets = ['key', 'token', 'secret'].map((what) => uniqueName(`canary/${what}+`));
    const llm = await scripted(world.model, [fail(401, { body: { error: { message: secrets[0] } } })]);
    const config = {
      ...providers({ api_key: secrets[0], base_url: `${world.model.url}/v1`, models: [llm] }),
      moodle: { api_url: 'https://moodle.example', token: secrets[1] },
      features: { signup_key: secrets[2] },
    };
    const path = `/lamb/v1/organizations/${String(admin.organizationId)}/config`;

    const seen = [
      await world.service.request(path, { method: 'PUT', body: config, key: admin.key }),
      await world.service.request(path, { method: 'PUT', body: [secrets[0]], key: admin.key }),
      await world.service.request(path, { key: admin.key }),
      await world.service.request(path, { key: colleague.key }),
      await world.service.request('/lamb/v1/completions/list', { key: colleague.key }),
      await world.service.request(`/lamb/v1/organizations/${String(admin.organizationId)}`, {
        key: admin.key,
      }),
    ];
    const { id } = await assistantOf(world.service, colleague, { connector: 'openai', llm });
    const failed = await ask(id, colleague);
    const trace = await world.service.request(`/lamb/v1/runs/${failed.headers.get('x-run-id') ?? ''}`, {
      key: colleague.key,
    });

    expect((await world.model.ledger(llm))[0]?.authorization).to.equal(`Bearer ${secrets[0]!}`);
    const answers = [...seen, failed, trace].map(({ text, headers }) => text + JSON.stringify([...headers]));
    const text = [...answers, world.service.output(), await databaseBytes(world.service)].join('\n');
    for (const secret of secrets.flatMap(spellings)) expect(text).not.to.include(secret);
  });
});

describe('a service started with another SECRET_KEY', function () {
  this.timeout(60_000);

  it('starts, says what is wrong where a key is needed, and takes the keys anew', async () => {
    const dataDir = await makeDataDir();
    const model = await startFakeModel();
    const llm = uniqueName('model');
    await model.script(llm, [say('Hello.')], { repeat: true });
    const openai = { base_url: `${model.url}/v1`, api_key: 'sk-canary-first' };
    const first = await startService({ SECRET_KEY: 'the first of two keys' }, { dataDir });
    let second: Service | undefined;
    try {
      const person = await aPerson(first);
      await configure(first, person, providers(openai));
      const { id } = await assistantOf(first, person, { connector: 'openai', llm });
      expect((await first.chat(id, 'Hi', { key: person.key })).status).to.equal(200);
      await first.stop();

      second = await startService({ SECRET_KEY: 'the second of two keys' }, { dataDir });
      const refused = refusalOf(await second.chat(id, 'Hi', { key: person.key }), 500);
      const demo = await assistantOf(second, person, { connector: 'demo' });
      const answered = await second.chat(demo.id, 'Hi', { key: person.key });
      await configure(second, person, providers({ ...openai, api_key: 'sk-canary-second' }));
      const mended = await second.request<Completion>('/v1/chat/completions', {
        key: person.key,
        body: { model: String(id), messages: [{ role: 'user', content: 'Hi' }] },
      });

      expect(refused).to.include({ code: 'secret_unreadable' });
      expect(refused.message).to.contain('SECRET_KEY');
      expect(answered.status).to.equal(200);
      expect(mended.status, mended.text).to.equal(200);
      const keys = (await model.ledger(llm)).map(({ authorization }) => authorization);
      expect(keys).to.deep.equal(['Bearer sk-canary-first', 'Bearer sk-canary-second']);
    } finally {
      await first.stop();
      await second?.stop();
      await model.stop();
      await removeDataDir(dataDir);
    }
  });
});
