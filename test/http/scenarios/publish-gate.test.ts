import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import type { Answer } from '../../support/service.js';
import { aLearningPlatform, anActivity, aVisitor } from '../../support/launched.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { tokenIn } from '../support/link-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aScenario, aTriedAssistant, type TriedAssistant } from '../support/scenario-client.js';
import { assistantOf } from '../support/settings-client.js';
import type { Person } from '../support/users-fixture.js';

const GATE = { publish_gate: 'suite' };
const notPassed = (answer: Answer<unknown>) => {
  const refusal = refusalOf(answer, 409);
  expect(refusal.code).to.equal('suite_not_passed');
  return refusal;
};

describe('an assistant that has to pass its scenarios first', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** Its first version greets and has passed; what its second says is for the test to say. */
  async function aGatedAssistant(content: object = {}): Promise<TriedAssistant> {
    const tried = await aTriedAssistant(world, { metadata: GATE, content });
    await tried.scenario(aScenario([{ contains: 'hello' }], { name: 'Greets' }));
    return tried;
  }
  const shareWith = (tried: TriedAssistant, { email }: Person, more: object = {}, by = tried.teacher) =>
    tried.post('shares', { email, ...more }, by);
  const publish = (tried: TriedAssistant, more: object = {}, by = tried.teacher) =>
    tried.post('publish', { published: true, ...more }, by);
  /** Another model, which says something else. */
  async function saysNow(tried: TriedAssistant, text: string, more: object = {}): Promise<void> {
    const llm = uniqueName('changed');
    await world.model.script(llm, [say(text)], { repeat: true });
    const { status, text: answer } = await tried.metadata({ llm }, more);
    expect(status, answer).to.equal(200);
  }
  const heard = async (tried: TriedAssistant, by: Person) =>
    (await tried.ask(by)).json.choices[0]?.message.content;

  it('is neither published nor shared nor linked to before, and told what stands in the way', async () => {
    const tried = await aGatedAssistant();
    const all = () => Promise.all([publish(tried), shareWith(tried, tried.student), tried.post('links', {})]);

    for (const answer of await all()) expect(notPassed(answer).message).to.match(/"Greets" has not been run/);
    await saysNow(tried, 'Goodbye.');
    expect((await tried.run()).passed).to.equal(false);
    for (const answer of await all())
      expect(notPassed(answer).message).to.match(/"Greets" failed: .*"Goodbye\."/);
    await saysNow(tried, 'Hello.');
    expect((await tried.run()).passed).to.equal(true);
    expect((await all()).map(({ status }) => status)).to.deep.equal([200, 201, 201]);
    expect(await heard(tried, tried.student)).to.equal('Hello.');
  });

  it('goes on with the last version that passed, by every way and with its face, while editors have the newest', async () => {
    const { service } = world;
    const tried = await aGatedAssistant({ description: 'As it was', greeting: 'Welcome!' });
    await tried.run();
    await publish(tried);
    const { url } = (await tried.post('links', {})).json as { url: string };
    const visit = await service.request<{ token: string }>('/l/visits', {
      ...{ method: 'POST', key: null, body: { link: tokenIn(url) } },
    });
    const visitor = { ...tried.student, key: visit.json.token };
    await saysNow(tried, 'Goodbye.', { description: 'Untried', greeting: 'Hm.' });

    expect(await heard(tried, tried.student)).to.equal('Hello.');
    expect(await heard(tried, visitor)).to.equal('Hello.');
    expect(await heard(tried, tried.teacher)).to.equal('Goodbye.');
    const { key } = tried.student;
    const model = String(tried.id);
    const { json } = await service.request<{ output: { content: { text: string }[] }[] }>('/v1/responses', {
      ...{ method: 'POST', key, body: { model, input: 'Hello?', store: false } },
    });
    expect(json.output[0]?.content[0]?.text).to.equal('Hello.');
    const asked = { messages: [{ role: 'user', content: '?' }], assistant_version: 3 };
    refusalOf(await service.chat(tried.id, asked, { key }), 404);
    const record = await service.request(tried.path, { key });
    expect(record.json).to.deep.include({ description: 'As it was', greeting: 'Welcome!' });
    const listed = await service.request<{ data: { id: string; description: string }[] }>('/v1/models', {
      key,
    });
    const shown = listed.json.data.find(({ id }) => id === `lamb_assistant.${model}`);
    expect(shown?.description).to.equal('As it was');
    const opened = await service.request<{ assistant: object }>('/lamb/v1/links/visit', { key: visitor.key });
    expect(opened.json.assistant).to.deep.include({ description: 'As it was' });
    expect((await tried.read())['description']).to.equal('Untried');
  });

  it('answers another assistant with what has passed, whoever owns both', async () => {
    const tried = await aGatedAssistant();
    await tried.run();
    await publish(tried);
    await saysNow(tried, 'Goodbye.');
    const llm = uniqueName('calling');
    const name = `call_assistant_${String(tried.id)}`;
    await world.model.script(llm, [call(name, { query: 'Hello?' }), say('Done.')]);
    const tool = { type: 'assistant', mode: 'function', config: { assistant_id: tried.id } };
    const calling = await assistantOf(world.service, tried.teacher, {
      ...{ connector: 'openai', llm, tools: [tool] },
    });
    await world.service.request(`/lamb/v1/assistants/${String(calling.id)}/shares`, {
      ...{ method: 'POST', key: tried.teacher.key, body: { email: tried.student.email } },
    });

    await world.service.chat(calling.id, 'Hello?', { key: tried.student.key });
    const [, second] = await world.model.ledger(llm);

    expect(JSON.stringify(second?.body.messages)).to.contain('Hello.').and.not.to.contain('Goodbye.');
  });

  it('has passed by its scenarios as they are now, all of them, and never by a replay', async () => {
    const tried = await aGatedAssistant();
    const id = await tried.scenario(aScenario([{ max_rounds: 1 }]));
    await tried.run({ scenarios: [id] });
    notPassed(await publish(tried));
    await tried.run({ cassette: 'record' });
    const { key } = tried.teacher;
    const body = aScenario([{ max_rounds: 2 }]);
    await world.service.request(`/lamb/v1/scenarios/${String(id)}`, { method: 'PUT', key, body });
    expect(notPassed(await publish(tried)).message).to.match(/was changed since/);
    expect((await tried.run({ cassette: 'replay' })).passed).to.equal(true);
    notPassed(await publish(tried));
    await tried.run();
    expect((await publish(tried)).status).to.equal(200);
  });

  it('is placed in an activity, or an activity held to a version of it, only where that has passed', async () => {
    const { service } = world;
    const tried = await aGatedAssistant();
    const platform = await aLearningPlatform(service, tried.teacher);
    const activity = await anActivity(service, platform);
    const student = await aVisitor(service, platform, { activity });
    const set = (body: object) =>
      service.request(`/lamb/v1/lti/activities/${String(activity.id)}`, {
        ...{ method: 'PATCH', key: tried.administrator.key, body },
      });
    const override = { reason: 'An exception' };

    notPassed(await set({ assistant_ids: [tried.id] }));
    await tried.run();
    expect((await set({ assistant_ids: [tried.id] })).status).to.equal(200);
    await saysNow(tried, 'Goodbye.');
    notPassed(await set({ pinned_version: 2 }));
    expect(await heard(tried, student)).to.equal('Hello.');
    expect((await set({ pinned_version: 2, override })).status).to.equal(200);
    expect(await heard(tried, student)).to.equal('Goodbye.');
    expect((await set({ pinned_version: null })).status).to.equal(200);
    expect(await heard(tried, student)).to.equal('Hello.');
  });

  it('answers for an activity that was held before to what has not passed', async () => {
    const { service } = world;
    const tried = await aTriedAssistant(world, { steps: [say('Untried.')] });
    const platform = await aLearningPlatform(service, tried.teacher);
    const activity = await anActivity(service, platform, {
      ...{ assistants: [{ assistantId: tried.id, addedBy: tried.teacher.id }], pinnedVersion: 1 },
    });
    const student = await aVisitor(service, platform, { activity });
    await tried.scenario(aScenario([{ contains: 'hello' }]));
    expect(await heard(tried, student)).to.equal('Untried.');
    await saysNow(tried, 'Hello.');
    await tried.run();
    expect((await tried.metadata(GATE)).status).to.equal(200);
    expect(await heard(tried, student)).to.equal('Hello.');
  });

  it('never passes without a required scenario', async () => {
    const tried = await aTriedAssistant(world, { metadata: GATE });
    await tried.scenario(aScenario([{ contains: 'hello' }], { required: false }));
    await tried.run();
    expect(notPassed(await publish(tried)).message).to.match(/no required scenario/);
  });

  it('loses its gate only as what has passed, by PUT and by going back', async () => {
    const tried = await aTriedAssistant(world);
    await tried.scenario(aScenario([{ contains: 'hello' }]));
    await tried.run();
    await publish(tried);
    expect((await tried.metadata(GATE)).status).to.equal(200);
    await saysNow(tried, 'Goodbye.');

    notPassed(await tried.metadata({ publish_gate: null }));
    notPassed(await tried.metadata({ publish_gate: null, llm: uniqueName('never-tried') }));
    expect(await heard(tried, tried.student)).to.equal('Hello.');
    const restored = await tried.post('versions/1/restore', {});
    expect([restored.status, await heard(tried, tried.student)]).to.deep.equal([200, 'Hello.']);
  });

  it('gets its gate only once something has passed, where people can reach it', async () => {
    const tried = await aTriedAssistant(world);
    await tried.scenario(aScenario([{ contains: 'hello' }]));
    await publish(tried);

    expect(notPassed(await tried.metadata(GATE)).message).to.match(/[Rr]un its scenarios first/);
    await tried.run();
    expect((await tried.metadata({ ...GATE, llm: uniqueName('untried') })).status).to.equal(200);
    expect(await heard(tried, tried.student)).to.equal('Hello.');
  });

  it('is let through by an administrator alone, with a reason that is in the audit', async () => {
    const tried = await aGatedAssistant();
    const override = { reason: 'The exam is tomorrow' };

    refusalOf(await publish(tried, { override }), 403);
    refusalOf(await publish(tried, { override: { reason: ' ' } }, tried.administrator), 400);
    expect((await publish(tried, { override }, tried.administrator)).status).to.equal(200);
    expect(await heard(tried, tried.student)).to.equal('Hello.');
    notPassed(await shareWith(tried, tried.student));
    expect((await shareWith(tried, tried.student, { override }, tried.administrator)).status).to.equal(201);
    const { key } = tried.administrator;
    const { json } = await world.service.request<{ data: { action: string; reason: string }[] }>(
      ...(['/lamb/v1/audit?q=tomorrow', { key }] as const),
    );
    expect(json.data.map(({ action, reason }) => [action, reason])).to.deep.equal([
      ...[
        ['override gate', override.reason],
        ['override gate', override.reason],
      ],
    ]);
  });
});
