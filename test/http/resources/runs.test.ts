import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { assistantOf } from '../support/settings-client.js';
import {
  aColleagueOf,
  aPerson,
  type Person,
  publish,
  shareWith,
  speakingTo,
} from '../support/users-fixture.js';

interface RunRow {
  readonly id: string;
  readonly assistant_name: string | null;
  readonly own: boolean;
  readonly caller: { readonly user_id: number | null; readonly via: string };
  readonly conversation_id: string | null;
  readonly model: string | null;
  readonly cost: number | null;
  readonly steps: readonly Record<string, unknown>[];
}
interface RunPage {
  readonly data: readonly RunRow[];
  readonly next_cursor: string | null;
}

/** Two dollars for a million tokens that go in, ten for those that come out. */
const PRICE = { prompt: 2, completion: 10 };
const usage = { prompt_tokens: 1_000, completion_tokens: 100 };

describe('runs', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** Somebody whose organisation speaks to the scripted model, and pays for it unless told otherwise. */
  const aTeacher = async (prices: (model: string) => object = (model) => ({ [model]: PRICE })) => {
    const model = uniqueName('priced');
    const { setups } = speakingTo(world.model) as { setups: { default: object } };
    const config = { setups: { default: { ...setups.default, prices: prices(model) } } };
    return { ...(await aPerson(world.service, { config })), model };
  };
  type Teacher = Awaited<ReturnType<typeof aTeacher>>;

  const anAssistantOf = async (teacher: Teacher, steps: readonly Step[], tools: readonly object[] = []) => {
    await world.model.script(teacher.model, steps, { repeat: true });
    return assistantOf(world.service, teacher, { connector: 'openai', llm: teacher.model, tools });
  };
  const runBy = async ({ key }: Person, assistantId: number, more: object = {}) => {
    const messages = [{ role: 'user', content: 'Hello?' }];
    const { headers } = await world.service.chat(assistantId, { messages, ...more }, { key });
    return headers.get('x-run-id')!;
  };
  const listFor = async ({ key }: Pick<Person, 'key'>, query = '') =>
    (await world.service.request<RunPage>(`/lamb/v1/runs${query}`, { key })).json;
  const runFor = ({ key }: Pick<Person, 'key'>, id: string) =>
    world.service.request<RunRow>(`/lamb/v1/runs/${id}`, { key });

  it('of an assistant are seen by its owner, who does not learn whose they are', async () => {
    const { service } = world;
    const owner = await aTeacher();
    const pupil = await aColleagueOf(service, owner, 'student');
    const { id, name } = await anAssistantOf(owner, [say('Hello.', { usage })]);
    await shareWith(service, id, pupil);
    const theirs = await runBy(pupil, id, { conversation_id: 'new' });
    const own = await runBy(owner, id);

    const { data } = await listFor(owner);

    expect(data.map((run) => [run.id, run.own, run.caller.user_id, run.conversation_id])).to.deep.equal([
      [own, true, owner.id, null],
      [theirs, false, null, null],
    ]);
    expect(data[1]).to.include({ assistant_name: name, model: owner.model, cost: 0.003 });
    const { json } = await runFor(owner, theirs);
    expect(json.steps[0]).to.include({ kind: 'model', cost: 0.003 });
    expect(json.steps[0]?.['at']).to.be.a('number').within(0, 10_000);
    expect(json.steps[0]?.['input']).to.have.all.keys('chars');
    expect(JSON.stringify([data, json])).to.not.include(pupil.email);
    expect(json).to.not.include({ user_id: pupil.id });
  });

  it('are whole for whoever made them and for administrators, and not there for others', async () => {
    const { service } = world;
    const owner = await aTeacher();
    const pupil = await aColleagueOf(service, owner);
    const administrator = await aColleagueOf(service, owner, 'org_admin');
    const { id } = await anAssistantOf(owner, [say('Hello.', { usage })]);
    await publish(service, id, 'everyone', owner);
    const run = await runBy(pupil, id);
    const foreign = await aTeacher();

    for (const reader of [pupil, administrator, { key: service.adminKey }]) {
      const { json } = await runFor(reader, run);
      expect(json.caller.user_id).to.equal(pupil.id);
      expect(json.steps[0]?.['input']).to.have.all.keys('chars', 'sha256');
    }
    expect((await listFor(administrator)).data.map((row) => row.id)).to.deep.equal([run]);
    expect((await listFor(foreign)).data).to.deep.equal([]);
    expect((await runFor(foreign, run)).status).to.equal(404);
    const away = await runBy(foreign, id);
    expect((await runFor(foreign, away)).json).to.include({ own: true, cost: null });
    expect((await runFor(owner, away)).json.caller.user_id).to.equal(null);
  });

  it('are narrowed by assistant, status and time, and come in pages', async () => {
    const owner = await aTeacher();
    const good = await anAssistantOf(owner, [say('Hello.', { usage })]);
    const broken = await anAssistantOf({ ...owner, model: uniqueName('broken') }, [fail(400)]);
    const ids = [await runBy(owner, good.id), await runBy(owner, broken.id), await runBy(owner, good.id)];
    const found = async (query: string) => (await listFor(owner, query)).data.map((run) => run.id);

    expect(await found(`?assistant_id=${String(good.id)}`)).to.deep.equal([ids[2], ids[0]]);
    expect(await found('?status=failed')).to.deep.equal([ids[1]]);
    const [today, longAgo] = [new Date().toISOString().slice(0, 10), '2020-02-01'];
    expect(await found(`?from=${longAgo}&to=${today}`)).to.have.length(3);
    expect(await found(`?to=${longAgo}`)).to.deep.equal([]);
    const first = await listFor(owner, '?limit=2');
    const rest = await listFor(owner, `?limit=2&cursor=${first.next_cursor!}`);
    expect([...first.data, ...rest.data].map((run) => run.id)).to.deep.equal([ids[2], ids[1], ids[0]]);
    for (const query of ['?from=soon', '?to=2026-02-30', '?status=odd', '?assistant_id=x', '?cursor=x']) {
      const { status } = await world.service.request(`/lamb/v1/runs${query}`, { key: owner.key });
      expect(status, query).to.equal(400);
    }
  });

  it('cost what the assistants they ask cost as well, and nothing is made up where a price is missing', async () => {
    const owner = await aTeacher();
    const child = await anAssistantOf(owner, [say('They divide.', { usage })]);
    const asked = call(`call_assistant_${String(child.id)}`, { query: 'What?' }, { usage });
    const tools = [
      { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } },
    ];
    const free = uniqueName('unpriced');
    await world.model.script(free, [asked, say('I hear.', { usage })]);
    const parent = await assistantOf(world.service, owner, { connector: 'openai', llm: free, tools });

    const { json } = await runFor(owner, await runBy(owner, parent.id));

    const costs = json.steps.map(({ kind, cost }) => ({ kind, cost }));
    expect(costs)
      .to.deep.include({ kind: 'model', cost: null })
      .and.deep.include({ kind: 'tool', cost: 0.003 });
    expect(json.cost).to.equal(null);
    expect(json.model).to.equal(free);
  });

  it('do not tell what an assistant of another organisation cost that they asked', async () => {
    const [owner, stranger] = [await aTeacher(), await aTeacher()];
    const child = await anAssistantOf(stranger, [say('They divide.', { usage })]);
    await publish(world.service, child.id, 'everyone', stranger);
    const asked = call(`call_assistant_${String(child.id)}`, { query: 'What?' }, { usage });
    const tools = [
      { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } },
    ];
    const parent = await anAssistantOf(owner, [asked, say('I hear.', { usage })], tools);

    const { json } = await runFor(owner, await runBy(owner, parent.id));

    expect(json.steps.map(({ kind, cost }) => ({ kind, cost }))).to.deep.equal([
      { kind: 'model', cost: 0.003 },
      { kind: 'tool', cost: null },
      { kind: 'model', cost: 0.003 },
    ]);
    expect(json.cost).to.equal(null);
  });

  it('keep length and hash of all that each question said, also of one that only adds to the last', async () => {
    const owner = await aTeacher();
    const steps = [call('get_weather', { city: 'Bilbao' }), say('It is mild.')];
    const { id } = await anAssistantOf(owner, steps, [weatherFunction]);

    const { json } = await runFor(owner, await runBy(owner, id));

    const questions = (await world.model.ledger(owner.model)).map(({ body }) => body.messages);
    expect(questions.map((messages) => messages.length)).to.deep.equal([2, 4]);
    expect(json.steps.filter(({ kind }) => kind === 'model').map(({ input }) => input)).to.deep.equal(
      questions.map((messages) => {
        const said = messages.map(({ role, content }) => [role, content ?? ''] as const);
        const sha256 = createHash('sha256').update(said.map((one) => `${one.join('\0')}\0`).join(''));
        return {
          chars: said.reduce((chars, [, text]) => chars + text.length, 0),
          sha256: sha256.digest('hex').slice(0, 16),
        };
      }),
    );
  });

  it('keep no name of an assistant that is gone, and cost nothing without a provider', async () => {
    const owner = await aTeacher();
    const { id } = await assistantOf(world.service, owner, { connector: 'bypass' });
    const run = await runBy(owner, id);
    await world.service.request(`/lamb/v1/assistants/${String(id)}`, { method: 'DELETE', key: owner.key });

    const [row] = (await listFor(owner)).data;

    expect(row).to.include({ id: run, assistant_name: null, cost: 0 });
  });
});
