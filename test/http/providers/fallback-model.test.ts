import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, reset, say } from '../../support/fakes/model-script.js';
import {
  createTestService,
  endWorld,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

describe('the fallback model of an organisation', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  let fallback: string;
  before(async () => {
    world = await createTestService();
    person = await aPerson(world.service);
    fallback = uniqueName('fallback');
    await world.model.script(fallback, [say('From the fallback.')], { repeat: true });
    const more = { fallback_model: { provider: 'openai', model: fallback } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, more));
  });
  after(() => endWorld(world));
  const asked = async () => (await world.model.ledger(fallback)).length;

  it('answers when the chosen one fails three times, is named in the trace and told in the log', async () => {
    const llm = uniqueName('model');
    await world.model.script(llm, [fail(503), reset(), fail(500)]);
    const { id } = await assistantOf(world.service, person, { connector: 'openai', llm });
    const before = await asked();

    const stream = await world.service.stream(id, 'Hello?', { key: person.key });
    const { text, error } = await stream.whole();

    expect({ text, error }).to.deep.equal({ text: 'From the fallback.', error: undefined });
    expect(await world.model.ledger(llm)).to.have.length(3);
    expect((await asked()) - before).to.equal(1);
    const runId = stream.response.headers.get('x-run-id') ?? '';
    const run = await world.service.request<{ steps: { kind: string; model?: string; ok: boolean }[] }>(
      `/lamb/v1/runs/${runId}`,
      { key: person.key },
    );
    expect(run.json.steps).to.have.length(1);
    expect(run.json.steps[0]).to.include({ kind: 'model', model: fallback, ok: true });
    await world.service.waitForLog(
      ({ msg, model, instead }) =>
        msg === 'the fallback model is asked' && model === fallback && instead === llm,
    );
  });

  it('gets the tools’ results of the rounds before it', async () => {
    const llm = uniqueName('model');
    await world.model.script(llm, [
      call('get_weather', { city: 'Boston' }),
      fail(429, { headers: { 'retry-after': '3600' } }),
    ]);
    const { id } = await assistantOf(world.service, person, {
      connector: 'openai',
      llm,
      tools: [weatherFunction],
    });

    const { json } = await world.service.chat(id, 'Weather in Boston?', { key: person.key });

    expect(json.choices[0]?.message.content).to.equal('From the fallback.');
    const last = (await world.model.ledger(fallback)).at(-1);
    expect(last?.body.messages.at(-1)).to.include({ role: 'tool' });
  });

  it('is not asked after the first byte, nor for what trying again cannot mend', async () => {
    const before = await asked();
    const [broken, refused] = [uniqueName('model'), uniqueName('model')];
    await Promise.all([world.model.script(broken, [reset(2)]), world.model.script(refused, [fail(401)])]);
    const made = await Promise.all(
      [broken, refused].map((llm) => assistantOf(world.service, person, { connector: 'openai', llm })),
    );

    const streams = await Promise.all(
      made.map(({ id }) => world.service.stream(id, 'Hello?', { key: person.key })),
    );
    const outcomes = await Promise.all(streams.map((stream) => stream.whole()));

    expect(outcomes.map(({ error }) => error?.code)).to.deep.equal([
      'upstream_failed',
      'upstream_credentials',
    ]);
    expect(outcomes[0]?.text).to.equal('token token ');
    expect(await asked()).to.equal(before);
  });
});
