import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aBudgetedClass, organization } from '../support/budget-fixture.js';
import { assistantOf } from '../support/settings-client.js';
import { publish } from '../support/users-fixture.js';

const usage = { prompt_tokens: 100, completion_tokens: 50 };

describe('a budget', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const aClass = (steps: readonly Step[] = [say('Hello.', { usage })], more: object = {}) =>
    aBudgetedClass(world, steps, more);

  it('counts what providers report to the token, and is booked when the answer has ended', async () => {
    const { administrator, limit, ask, read } = await aClass();
    const budget = await limit(organization(administrator), {});

    await ask();
    await ask();

    expect(await read(budget)).to.include({ used: 300, reserved: 0, remaining: 9_700 });
  });

  it('spent before a run is 429, with whose it is, when it is back, and how long that takes', async () => {
    const { pupil, assistant, limit, ask } = await aClass();
    const { resets_at } = await limit({ type: 'user', id: pupil.email }, { amount: 200 });

    const { status, json, headers } = await ask();
    const streamed = await world.service.stream(assistant.id, 'Hello?', { key: pupil.key });

    expect([status, json.error?.code]).to.deep.equal([429, 'budget_exceeded']);
    expect(streamed.response.status).to.equal(429);
    expect(json.error?.message).to.match(/budget that is yours is spent for now.*back on/);
    const wait = Number(headers.get('retry-after'));
    expect(Date.parse(resets_at!) - Date.now() - wait * 1000).to.be.within(-60_000, 2_000);
  });

  it('lowers how long an answer may be to what is left, down to 256 tokens', async () => {
    const { pupil, limit, ask, llm } = await aClass();
    await limit({ type: 'user', id: pupil.id }, { amount: 500 });

    const { status } = await ask();

    const [row] = await world.model.ledger(llm);
    expect(status).to.equal(200);
    expect(row?.body.max_tokens).to.be.within(256, 499);
  });

  it('of money is counted by the organisation’s prices, and refuses a model that has none', async () => {
    const { administrator, pupil, limit, ask, read, teacher } = await aClass();
    const budget = await limit(organization(administrator), { unit: 'cost', amount: 1, period: 'month' });

    await ask();

    expect(await read(budget)).to.include({ used: 0.0007, reserved: 0, currency: 'EUR' });
    const unpriced = await assistantOf(world.service, teacher, {
      connector: 'openai',
      llm: uniqueName('free'),
    });
    await publish(world.service, unpriced.id, 'organization', teacher);
    const { status, json } = await world.service.chat(unpriced.id, 'Hello?', { key: pupil.key });
    expect([status, json.error?.code]).to.deep.equal([422, 'price_missing']);
  });

  it('of questions counts what people ask, once each, and not what failed before a provider answered', async () => {
    const { administrator, limit, ask, read, llm } = await aClass();
    const budget = await limit(organization(administrator), { unit: 'requests', amount: 2, period: 'total' });

    await world.model.script(llm, [{ status: 400, body: 'no' }], { repeat: true });
    const failed = await ask();
    await world.model.script(llm, [say('Hello.', { usage })], { repeat: true });
    const answers = [await ask(), await ask(), await ask()];

    expect(failed.status).to.be.at.least(400);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
    expect(answers[2]!.headers.get('retry-after')).to.equal(null);
    expect(await read(budget)).to.include({ used: 2, reserved: 0, resets_at: null });
  });

  it('spent within a run makes the model answer with what it has, and says that it did', async () => {
    const steps = [
      call(
        'get_weather',
        { location: 'Barcelona' },
        { usage: { prompt_tokens: 100, completion_tokens: 900 } },
      ),
      say('As far as I know, sunny.', { usage }),
    ];
    const { pupil, limit, ask, read, llm } = await aClass(steps, {
      tools: [{ type: 'weather', mode: 'function' }],
    });
    const budget = await limit({ type: 'user', id: pupil.id }, { amount: 3_500 });

    const { status, json } = await ask();

    expect([status, json.choices[0]?.message.content]).to.deep.equal([200, 'As far as I know, sunny.']);
    expect(json.x_bellwether).to.include({ capped: 'budget', iterations: 2 });
    expect((await read(budget)).used).to.equal(1_150);
    const rows = await world.model.ledger(llm);
    expect(rows.at(-1)?.body.tool_choice).to.equal('none');
  });

  it('is one for each participant only of a course or an activity, of a size and a unit that make sense', async () => {
    const { administrator, pupil, send } = await aClass();
    const scope = organization(administrator);
    const good = { scope, unit: 'tokens', amount: 100, period: 'day' };
    const bad = [
      { ...good, amount: 0 },
      { ...good, amount: -5 },
      { ...good, amount: 1.5 },
      { ...good, amount: 1e300 },
      { ...good, unit: 'apples' },
      { ...good, period: 'year' },
      { ...good, timezone: 'Mars/Olympus' },
      { ...good, scope: { ...scope, each: true } },
      { ...good, starts_at: '2026-01-01T00:00:00' },
      { ...good, starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-01-01T00:00:00Z' },
      { ...good, alerts: [500] },
    ];

    for (const body of bad) {
      expect((await send('', 'POST', body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect(
      (await send('', 'POST', { ...good, scope: { type: 'user', id: 'nobody@example.test' } })).status,
    ).to.equal(404);
    expect((await send('', 'POST', good, pupil.key)).status).to.equal(403);
    expect((await send('', 'POST', good)).status).to.equal(201);
    expect((await send('', 'POST', good)).status).to.equal(409);
  });

  it('is nobody else’s to see or to change', async () => {
    const { administrator, limit } = await aClass();
    const budget = await limit(organization(administrator), {});
    const other = await aClass();

    for (const [method, body] of [['GET'], ['PATCH', { amount: 1 }], ['DELETE']] as const) {
      expect((await other.send(`/${budget.id}`, method, body)).status).to.equal(404);
    }
    const foreign = { scope: organization(administrator), unit: 'tokens', amount: 1, period: 'week' };
    expect((await other.send('', 'POST', foreign)).status).to.equal(404);
  });

  it('shows whoever asks what is theirs with its figures, and of what they share whether there is any left', async () => {
    const { administrator, pupil, limit, ask, send } = await aClass();
    await limit(organization(administrator), { amount: 150 + 5_000 });
    const own = await limit({ type: 'user', id: pupil.id }, { unit: 'requests', amount: 12 });
    await ask();

    const { json } = await send<{ budgets: object[] }>('/mine', 'GET', undefined, pupil.key);

    expect(json.budgets).to.deep.equal([
      {
        ...{ scope: organization(administrator), unit: 'tokens', exhausted: false },
        resets_at: own.resets_at,
      },
      {
        ...{ id: own.id, scope: { type: 'user', id: pupil.id }, unit: 'requests', amount: 12 },
        ...{ period: 'day', used: 1, reserved: 0, remaining: 11, resets_at: own.resets_at },
        questions_left: 11,
      },
    ]);
  });

  it('of money tells whose it is how many questions that is, by prices until they have asked one', async () => {
    const { pupil, limit, ask, send } = await aClass();
    await limit({ type: 'user', id: pupil.id }, { unit: 'cost', amount: 1 });
    const left = async () => {
      const { json } = await send<{ budgets: object[] }>('/mine', 'GET', undefined, pupil.key);
      return json.budgets;
    };

    const before = await left();
    await ask();

    // 1,500 tokens of prompt and 500 of an answer come to 0.008; the question that was asked, to 0.0007.
    expect(before[0]).to.include({ questions_left: 125 });
    expect((await left())[0]).to.include({ used: 0.0007, questions_left: 1_427 });
  });

  it('that is raised or deleted lets go on at once', async () => {
    const { pupil, limit, ask, send } = await aClass();
    const budget = await limit({ type: 'user', id: pupil.id }, { unit: 'requests', amount: 1 });
    await ask();
    expect((await ask()).status).to.equal(429);

    await send(`/${budget.id}`, 'PATCH', { amount: 2 });
    expect((await ask()).status).to.equal(200);
    expect((await ask()).status).to.equal(429);
    await send(`/${budget.id}`, 'DELETE');

    expect((await ask()).status).to.equal(200);
  });
});
