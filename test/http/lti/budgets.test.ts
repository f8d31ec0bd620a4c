import { expect } from 'chai';
import { anActivity, aVisitor, type Visitor } from '../../support/launched.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { held, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { until } from '../support/collection-client.js';
import { aCourse, type Course } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { configure } from '../support/settings-client.js';
import { aColleagueOf, auditOf, type Person, speakingTo } from '../support/users-fixture.js';

interface Budget {
  readonly id: string;
  readonly people?: { readonly counted: number; readonly exhausted: number };
  readonly [other: string]: unknown;
}

interface Page {
  readonly data: readonly Budget[];
  readonly above?: readonly object[];
  readonly currency?: string | null;
}

const ANSWER = say('Hello.', { usage: { prompt_tokens: 100, completion_tokens: 50 } });
const DAILY = { unit: 'requests', amount: 2, period: 'day', timezone: 'Europe/Madrid' };

describe('the budget of an activity', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const send = <T = Budget>(path: string, { key }: Pick<Person, 'key'>, method = 'GET', body?: object) =>
    world.service.request<T>(`/lamb/v1/budgets${path}`, { method, key, ...(body ? { body } : {}) });
  const scopeOf = ({ activity }: Pick<Course, 'activity'>, each = true) => ({
    ...{ type: 'activity', id: activity.id, each },
  });
  const limit = async (by: Pick<Person, 'key'>, scope: object, more: object = {}) => {
    const { status, json, text } = await send('', by, 'POST', { scope, ...DAILY, ...more });
    expect(status, text).to.equal(201);
    return json;
  };
  const ask = ({ assistant }: Course, { key }: Visitor) =>
    world.service.chat(assistant.id, { messages: [{ role: 'user', content: 'Hello?' }] }, { key });
  const mine = async (who: Visitor) => (await send<{ budgets: object[] }>('/mine', who)).json.budgets;
  const theCourseOf = async ({ owner, platform }: Course) => {
    const administrator = await aColleagueOf(world.service, owner, 'org_admin');
    const { json } = await world.service.request<{ data: { id: number; platform_id: number }[] }>(
      '/lamb/v1/lti/courses',
      { key: administrator.key },
    );
    const found = json.data.find(({ platform_id }) => platform_id === platform.id);
    return { administrator, scope: { type: 'course', id: found!.id }, listed: found };
  };

  it('is made, read, changed and deleted by whoever teaches there, on the books', async () => {
    const course = await aCourse(world, [ANSWER]);
    const teacher = await course.visitor({ role: 'instructor' });

    const made = await limit(teacher, scopeOf(course, false));
    await ask(course, await course.visitor());
    const read = await send(`/${made.id}`, teacher);
    const changed = await send(`/${made.id}`, teacher, 'PATCH', { amount: 5, period: 'week' });
    const listed = (await send<Page>('', teacher)).json;
    const gone = await send(`/${made.id}`, teacher, 'DELETE');

    expect(read.json).to.include({ used: 1, reserved: 0, remaining: 1, timezone: 'Europe/Madrid' });
    expect([changed.status, changed.json.amount, changed.json.period]).to.deep.equal([200, 5, 'week']);
    expect(listed.data.map(({ id }) => id)).to.deep.equal([made.id]);
    expect([gone.status, (await send<Page>('', teacher)).json.data]).to.deep.equal([204, []]);
    const deeds = (await auditOf(world.service, teacher)).map(({ action }) => action);
    expect(deeds.filter((action) => action.includes('budget'))).to.deep.equal([
      ...['make budget', 'change budget', 'delete budget'],
    ]);
  });

  it('is not for those who learn there, and nobody comes from one activity to that of another', async () => {
    const course = await aCourse(world);
    const { service } = world;
    const [teacher, student] = [await course.visitor({ role: 'instructor' }), await course.visitor()];
    const { id } = await limit(teacher, scopeOf(course));
    const other = await anActivity(service, course.platform);
    const elsewhere = await aVisitor(service, course.platform, { activity: other, role: 'instructor' });

    refusalOf(await send('', student), 403);
    refusalOf(await send('', student, 'POST', { scope: scopeOf(course), ...DAILY }), 403);
    refusalOf(await send('', elsewhere, 'POST', { scope: scopeOf(course), ...DAILY }), 404);
    for (const each of [student, elsewhere]) {
      refusalOf(await send(`/${id}`, each), 404);
      refusalOf(await send(`/${id}`, each, 'PATCH', { amount: 9 }), 404);
      refusalOf(await send(`/${id}`, each, 'DELETE'), 404);
    }
    expect((await send<Page>('', elsewhere)).json.data).to.deep.equal([]);
    expect((await send(`/${id}`, teacher)).json).to.include({ amount: 2 });
  });

  it('may not exceed what stands above it, which its teacher is told without what others have used', async () => {
    const course = await aCourse(world);
    const teacher = await course.visitor({ role: 'instructor' });
    const { administrator, scope, listed } = await theCourseOf(course);
    await limit(administrator, scope, { amount: 10 });
    await limit(administrator, { ...scope, each: true }, { amount: 3, period: 'week' });

    const above = await send('', teacher, 'POST', { scope: scopeOf(course, false), ...DAILY, amount: 11 });
    const together = await limit(teacher, scopeOf(course, false), { amount: 10 });
    const raised = await send(`/${together.id}`, teacher, 'PATCH', { amount: 11 });
    const each = await send('', teacher, 'POST', { scope: scopeOf(course), ...DAILY, amount: 4 });

    expect(listed).to.have.keys('id', 'platform_id', 'title');
    for (const refused of [above, raised, each]) expect(refusalOf(refused, 422).param).to.equal('amount');
    expect((await send(`/${together.id}`, teacher)).json).to.include({ amount: 10 });
    const { above: told, currency } = (await send<Page>('', teacher)).json;
    expect(told).to.deep.equal([
      { scope: { type: 'course' }, unit: 'requests', amount: 10, period: 'day' },
      { scope: { type: 'course', each: true }, unit: 'requests', amount: 3, period: 'week' },
    ]);
    expect(currency).to.equal(null);
  });

  it('can be of money where the organisation has prices, whose currency its teacher is told', async () => {
    const course = await aCourse(world);
    const teacher = await course.visitor({ role: 'instructor' });
    const { setups } = speakingTo(world.model) as { setups: { default: object } };
    const priced = { ...setups.default, prices: { large: { prompt: 2, completion: 10 } }, currency: 'EUR' };
    await configure(world.service, course.owner, { setups: { default: priced } });

    const made = await limit(teacher, scopeOf(course, false), { unit: 'cost', amount: 2.5 });

    expect(made).to.include({ amount: 2.5, remaining: 2.5, currency: 'EUR' });
    expect((await send<Page>('', teacher)).json).to.include({ currency: 'EUR' });
  });

  it('for each gives every participant their own, and its teacher how many have none left, once they are five', async () => {
    const course = await aCourse(world, [ANSWER]);
    const teacher = await course.visitor({ role: 'instructor' });
    const { id } = await limit(teacher, scopeOf(course), { amount: 1 });
    const first = await course.visitor();

    expect((await ask(course, first)).status).to.equal(200);
    const again = await ask(course, first);
    const few = (await send(`/${id}`, teacher)).json;
    for (let more = 0; more < 4; more += 1) {
      expect((await ask(course, await course.visitor())).status).to.equal(200);
    }
    const many = (await send(`/${id}`, teacher)).json;

    const { code, param } = refusalOf(again, 429);
    expect([code, param]).to.deep.equal(['budget_exceeded', 'activity.each']);
    expect(few).to.not.have.property('people');
    expect(many.people).to.deep.equal({ counted: 5, exhausted: 5 });
  });

  it('tells each how many questions are left: those that remain, or as many as theirs came to on average', async () => {
    const course = await aCourse(world, [ANSWER]);
    const teacher = await course.visitor({ role: 'instructor' });
    await limit(teacher, scopeOf(course));
    await limit(teacher, scopeOf(course), { unit: 'tokens', amount: 20_000 });
    await limit(teacher, scopeOf(course, false), { unit: 'tokens', amount: 20_000, period: 'total' });
    const student = await course.visitor();

    const before = await mine(student);
    await ask(course, student);
    const after = await mine(student);

    const left = (budgets: readonly object[]) => budgets.map((one) => (one as never)['questions_left']);
    // Nobody has asked yet: a typical question is of 2,000 tokens.
    expect(left(before)).to.deep.equal([2, 10, undefined]);
    expect(left(after)).to.deep.equal([1, Math.floor((20_000 - 150) / 150), undefined]);
    expect(after[1]).to.have.keys([
      ...['id', 'scope', 'unit', 'amount', 'used', 'reserved', 'remaining', 'resets_at'],
      ...['period', 'questions_left'],
    ]);
    expect(after[2]).to.deep.equal({
      ...{ scope: { type: 'activity', id: course.activity.id }, unit: 'tokens' },
      ...{ exhausted: false, resets_at: null },
    });
  });

  it('of tokens is exhausted for all once less is left than the shortest answer takes', async () => {
    const course = await aCourse(world, [ANSWER]);
    const teacher = await course.visitor({ role: 'instructor' });
    await limit(teacher, scopeOf(course, false), { unit: 'tokens', amount: 400 });
    const student = await course.visitor();

    expect((await ask(course, student)).status).to.equal(200);

    expect((await mine(student))[0]).to.include({ exhausted: true });
    refusalOf(await ask(course, student), 429);
  });

  it('that is only set aside for a question is not exhausted, and asks whoever comes to try again soon', async () => {
    const gate = uniqueName('gate');
    const course = await aCourse(world, [held(gate, ANSWER)]);
    const teacher = await course.visitor({ role: 'instructor' });
    const { id } = await limit(teacher, scopeOf(course, false), { amount: 1 });
    const [first, second] = [await course.visitor(), await course.visitor()];
    const exhausted = async () => (await mine(second)).map((one) => (one as never)['exhausted']);

    const answer = ask(course, first);
    const read = async () => (await send(`/${id}`, teacher)).json;
    await until(read, ({ reserved }) => reserved === 1);
    const refused = await ask(course, second);
    const meanwhile = await exhausted();
    await world.model.release(gate);
    await answer;

    const { code, param } = refusalOf(refused, 429);
    expect([code, param, refused.headers.get('retry-after')]).to.deep.equal([
      ...['budget_exceeded', 'activity', '5'],
    ]);
    expect([meanwhile, await exhausted()]).to.deep.equal([[false], [true]]);
  });
});
