import { expect } from 'chai';
import { seededRandom } from '../../bench/seeded-random.js';
import { aBudgetedClass, type Budget } from '../http/support/budget-fixture.js';
import { assistantOf, configure } from '../http/support/settings-client.js';
import { publish, speakingTo } from '../http/support/users-fixture.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, held, say } from '../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

const usage = { prompt_tokens: 100, completion_tokens: 50 };
const lookUp = (more: object = {}) => call('get_weather', { location: 'Barcelona' }, { usage, ...more });

describe('a run that spends a budget', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  it('is refused before it begins or answers in whole, whatever is left', async () => {
    const random = seededRandom(5);
    const usual = await aBudgetedClass(world, []);
    const childModel = uniqueName('child');
    await world.model.script(childModel, [say('All that is known of it. '.repeat(120), { usage })], {
      repeat: true,
    });
    const child = await assistantOf(world.service, usual.teacher, { connector: 'openai', llm: childModel });
    const tools = [
      { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } },
    ];
    const { id } = await assistantOf(world.service, usual.teacher, {
      ...{ connector: 'openai', llm: usual.llm, tools },
    });
    await publish(world.service, id, 'organization', usual.teacher);
    let budget: Budget = await usual.limit({ type: 'user', id: usual.pupil.id }, { amount: 1 });
    const outcomes: string[] = [];

    for (let n = 0; n < 40; n++) {
      const looking = call(`call_assistant_${String(child.id)}`, { query: 'Well?' }, { usage });
      await world.model.script(usual.llm, [looking, looking, say('That is all.', { usage })], {
        repeat: true,
      });
      const amount = budget.used + 1 + Math.floor(random() * 6_000);
      await usual.send(`/${budget.id}`, 'PATCH', { amount });
      const stream = await world.service.stream(id, 'Hello?', { key: usual.pupil.key });
      const { text, error, done, chunks, statuses } = await stream.whole();
      budget = await usual.read(budget);

      expect(budget.used).to.be.at.most(amount);
      expect(budget.reserved).to.equal(0);
      if (stream.response.status === 429) outcomes.push('refused');
      else {
        expect({ error, done }, String(amount)).to.deep.equal({ error: undefined, done: true });
        expect(
          chunks.findLast(({ choices }) => choices?.[0]?.finish_reason)?.choices?.[0]?.finish_reason,
        ).to.equal('stop');
        expect(text).to.not.equal('');
        outcomes.push(String(statuses.at(-1)?.capped));
      }
    }
    expect(new Set(outcomes)).to.deep.equal(new Set(['refused', 'budget', 'false']));
  });

  it('ends with a sentence where a provider counts so much more than was set aside that nothing is left', async () => {
    const much = { usage: { prompt_tokens: 100, completion_tokens: 9_000 } };
    const { pupil, limit, ask, read } = await aBudgetedClass(
      world,
      [lookUp({ ...much, text: 'Let me see. ' }), say('never')],
      { tools: [weatherFunction] },
    );
    const budget = await limit({ type: 'user', id: pupil.id }, { amount: 5_000 });

    const { status, json } = await ask();

    expect(status).to.equal(200);
    expect(json.choices[0]).to.include({ finish_reason: 'stop' });
    expect(json.choices[0]?.message.content).to.match(/^Let me see\. I could not finish this/);
    expect(json.x_bellwether).to.include({ capped: 'budget', iterations: 1 });
    expect(await read(budget)).to.include({ used: 9_100, reserved: 0 });
  });

  it('goes on when a budget is deleted meanwhile', async () => {
    const gate = uniqueName('gate');
    const { pupil, limit, ask, send, llm } = await aBudgetedClass(
      world,
      [held(gate, lookUp()), say('Sunny.', { usage })],
      { tools: [weatherFunction] },
    );
    const budget = await limit({ type: 'user', id: pupil.id }, {});

    const asked = ask();
    await world.model.waitFor(llm, { requests: 1 });
    await send(`/${budget.id}`, 'DELETE');
    await world.model.release(gate);

    const { status, json } = await asked;
    expect([status, json.choices[0]?.message.content]).to.deep.equal([200, 'Sunny.']);
  });

  it('keeps enough for its last call also when it was offered only some of its functions in the first one', async () => {
    const { teacher, pupil, limit, llm } = await aBudgetedClass(world, []);
    const [small, childModel] = [uniqueName('small'), uniqueName('child')];
    const { setups } = speakingTo(world.model) as { setups: { default: object } };
    await configure(world.service, teacher, {
      setups: { default: { ...setups.default, small_fast_model: { provider: 'openai', model: small } } },
    });
    const tools: object[] = [];
    for (let n = 0; n < 12; n++) {
      const child = await assistantOf(world.service, teacher, { connector: 'openai', llm: childModel });
      const config = { assistant_id: child.id };
      // More than is set aside for a function before it is known.
      const description = `Knows all about it. `.repeat(75);
      tools.push({ type: 'assistant', enabled: true, mode: 'function', config, description });
    }
    const metadata = {
      connector: 'openai',
      llm,
      tools,
      tool_routing: 'fast',
      prompt_processor: 'simple_augment',
    };
    const { id } = await assistantOf(world.service, teacher, metadata);
    await publish(world.service, id, 'organization', teacher);
    const picked = `call_assistant_${String((tools[0] as { config: { assistant_id: number } }).config.assistant_id)}`;
    await world.model.script(small, [say(JSON.stringify({ functions: [picked] }), { usage })]);
    await world.model.script(llm, [call(picked, { query: 'Well?' }, { usage }), say('Sunny.', { usage })]);
    await limit({ type: 'user', id: pupil.id }, { amount: 6_500 });

    const body = { messages: [{ role: 'user', content: 'Hello?' }], max_tokens: 500 };
    const { status, json } = await world.service.chat(id, body, { key: pupil.key });

    expect([status, json.choices[0]?.message.content]).to.deep.equal([200, 'Sunny.']);
    expect(json.x_bellwether.capped).to.equal('budget');
  });
});
