import { expect } from 'chai';
import type { ProviderState } from '../../../src/http/contract/admin.js';
import type { Page } from '../../../src/http/contract/common.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { held, say } from '../../support/fakes/model-script.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { assistantOf } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person, publish, speakingTo } from '../support/users-fixture.js';

const QUEUE_WAIT_MS = 1_500;

describe('the limits of an organisation', () => {
  let world: TestService;
  before(async () => {
    world = await createTestService({ QUEUE_WAIT_MS: String(QUEUE_WAIT_MS), CIRCUIT_FAILURES: '2' });
  });
  after(() => endWorld(world));

  /** Whose answers end when their gate is opened. */
  async function aSchool(limits: object) {
    const { service, model } = world;
    const teacher = await aPerson(service, { config: { ...speakingTo(model), limits } });
    const [llm, gate] = [uniqueName('limited'), uniqueName('gate')];
    await model.script(llm, [held(gate, say('Done.'))], { repeat: true });
    const assistant = await assistantOf(service, teacher, { connector: 'openai', llm });
    await publish(service, assistant.id, 'organization', teacher);
    const ask = (person: Person) => service.chat(assistant.id, 'Hello?', { key: person.key });
    const asked = (requests: number) => model.waitFor(llm, { requests });
    return { teacher, llm, gate, ask, asked, student: () => aColleagueOf(service, teacher, 'student') };
  }

  it('let no more runs go on at the same time; who waits too long is told when to come back', async () => {
    const { teacher, gate, ask, asked } = await aSchool({ concurrent_runs: 2 });
    const first = [ask(teacher), ask(teacher)];
    await asked(2);

    const late = await ask(teacher);
    await world.model.release(gate);
    const answers = await Promise.all(first);

    expect([late.status, late.json.error?.code]).to.deep.equal([429, 'too_many_runs']);
    expect(Number(late.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect((await ask(teacher)).status).to.equal(200);
  });

  it('hold for each person: others come in meanwhile', async () => {
    const { teacher, gate, ask, asked, student } = await aSchool({ concurrent_runs_per_user: 1 });
    const first = ask(teacher);
    await asked(1);

    const [own, others] = [ask(teacher), ask(await student())];
    await asked(2);
    expect((await own).status).to.equal(429);
    await world.model.release(gate);

    expect([(await first).status, (await others).status]).to.deep.equal([200, 200]);
  });

  it('are given back by a client that leaves', async () => {
    const { service, model } = world;
    const { teacher, gate, ask, llm } = await aSchool({ concurrent_runs: 1 });
    const stream = await service.stream(
      (await assistantOf(service, teacher, { connector: 'openai', llm })).id,
      'Hello?',
      { key: teacher.key },
    );
    for await (const _ of stream.frames) break;

    await model.release(gate);

    expect((await ask(teacher)).status).to.equal(200);
  });

  it('count the runs of a minute, of all and of each', async () => {
    const { teacher, gate, ask, student } = await aSchool({
      ...{ requests_per_minute: 4, requests_per_minute_per_user: 2 },
    });
    await world.model.release(gate);
    const [one, two] = [await student(), await student()];

    const statuses = [];
    for (const person of [one, one, one, two, two, teacher]) statuses.push((await ask(person)).status);

    expect(statuses).to.deep.equal([200, 200, 429, 200, 200, 429]);
  });

  it('bound the length of answers, also where no budget applies; who asks for less gets that', async () => {
    const { service, model } = world;
    const { teacher, llm, gate } = await aSchool({ max_output_tokens: 300 });
    await model.release(gate);
    const { id } = await assistantOf(service, teacher, { connector: 'openai', llm });

    for (const max_tokens of [undefined, 5_000, 20]) {
      const messages = [{ role: 'user', content: 'Hello?' }];
      await service.chat(id, { messages, ...(max_tokens ? { max_tokens } : {}) }, { key: teacher.key });
    }

    const asked = (await model.ledger(llm)).map(({ body }) => body.max_tokens);
    expect(asked).to.deep.equal([300, 300, 20]);
  });

  it('are not the only thing that refuses: a provider that failed again and again is left alone for a while', async () => {
    const { teacher, llm, ask } = await aSchool({});
    const failing = { status: 500, headers: { 'retry-after': '0' } };
    await world.model.script(llm, [failing], { repeat: true });
    const failed = [await ask(teacher), await ask(teacher)];
    const before = (await world.model.ledger(llm)).length;

    const spared = await ask(teacher);

    expect(failed.map(({ status }) => status)).to.deep.equal([502, 502]);
    expect([spared.status, spared.json.error?.code]).to.deep.equal([503, 'provider_unavailable']);
    expect(Number(spared.headers.get('retry-after'))).to.be.within(1, 10);
    expect(await world.model.ledger(llm)).to.have.length(before);
    const admin = await aColleagueOf(world.service, teacher, 'org_admin');
    const { json } = await world.service.request<Page<ProviderState>>(
      `/lamb/v1/organizations/${String(teacher.organizationId)}/providers`,
      admin,
    );
    const states = new Map(json.data.map((one) => [one.name, one]));
    expect(states.get('openai')).to.include({ circuit: 'open' });
    expect(Date.parse(states.get('openai')?.retry_at ?? '')).to.be.greaterThan(Date.now());
    expect(states.get('ollama')).to.include({ circuit: 'closed', retry_at: null });
    const elsewhere = await aSchool({});
    await world.model.release(elsewhere.gate);
    expect((await elsewhere.ask(elsewhere.teacher)).status).to.equal(200);
  });

  it('are refused when they are none, with the name of what is wrong', async () => {
    const { teacher } = await aSchool({});
    const admin = await aColleagueOf(world.service, teacher, 'org_admin');
    const path = `/lamb/v1/organizations/${String(teacher.organizationId)}/config`;
    const body = { limits: { concurrent_runs: -1 } };

    const { status, json } = await world.service.request<{ error: { message: string } }>(path, {
      ...{ method: 'PUT', key: admin.key, body },
    });

    expect(status).to.be.oneOf([400, 422]);
    expect(json.error.message).to.include('limits.concurrent_runs');
  });
});
