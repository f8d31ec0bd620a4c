import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createVisitorErasure } from '../../../src/activities/erase-visitors.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, held, say } from '../../support/fakes/model-script.js';
import { guardedRoutes } from '../../support/routes.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { anActivity } from '../../support/launched.js';
import { aClassroom } from '../support/course-fixture.js';
import { aLinkedAssistant, type Link, tokenIn } from '../support/link-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, disable, inDatabase, LONG_AGO } from '../support/users-fixture.js';

/** What the page of a link asks for. */
const WITHIN =
  /^(POST \/v1\/chat\/completions|\w+ \/lamb\/v1\/conversations(\/.*)?|\w+ \/lamb\/v1\/runs\/:id\/(approvals|events|cancel|feedback|follow-ups)|GET \/lamb\/v1\/assistants\/:id\/avatar|POST \/lamb\/v1\/attachments|GET \/lamb\/v1\/attachments\/:id|GET \/lamb\/v1\/budgets\/mine|\w+ \/lamb\/v1\/links\/visit)$/;

type Linked = Awaited<ReturnType<typeof aLinkedAssistant>>;

describe('a link for people without an account', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const visit = (key: string) => world.service.request('/lamb/v1/links/visit', { key });

  it('lets whoever opens it chat with its assistant, on record as a visitor of a link', async () => {
    const { service } = world;
    const face = { greeting: 'Hi!', starters: ['Why?'], avatar: { emoji: '🔬', color: 'teal' } };
    const linked = await aLinkedAssistant(world, { content: { ...face, tags: ['secret'] } });
    const { url, id } = await linked.link();
    expect(tokenIn(url)).to.match(/^[\w-]{32}$/);
    const key = await linked.visitor({ url });

    const { json: opened } = await service.request('/lamb/v1/links/visit', { key });
    const { status, json, headers } = await linked.ask(key, { conversation_id: 'new' });

    expect(opened).to.deep.equal({
      assistant: {
        ...{ id: linked.assistant.id, name: linked.assistant.name, description: '' },
        ...{ vision: false, attachments: false },
        ...face,
      },
      organization_name: 'School',
    });
    expect([status, json.choices[0]!.message.content]).to.deep.equal([200, 'Hello.']);
    const run = await service.request<{ caller: object }>(`/lamb/v1/runs/${headers.get('x-run-id')!}`, {
      key: linked.administrator.key,
    });
    expect(run.json.caller).to.include({ via: 'link' });
    const { json: listed } = await service.request<{ data: Link[] }>(linked.path, {
      key: linked.teacher.key,
    });
    expect(listed).to.include({ allowed: true });
    expect(listed.data.map((link) => [link.id, link.url, link.visits])).to.deep.equal([[id, url, 1]]);
    const users = await service.request<{ data: object[] }>('/lamb/v1/users', {
      key: linked.administrator.key,
    });
    expect(users.json.data).to.have.length(2);
  });

  it('is in the database as a hash and sealed, and never as it is', async () => {
    const linked = await aLinkedAssistant(world);
    const token = tokenIn((await linked.link()).url);
    const rows = await inDatabase(world.service, (_stores, db) => db('assistant_links').select('*'));
    expect(JSON.stringify(rows)).not.to.contain(token);
  });

  it('cannot be made where the organisation does not allow it', async () => {
    const linked = await aLinkedAssistant(world, { features: {} });
    expect(refusalOf(await linked.make(), 403).code).to.equal('public_links_off');
  });

  it('is refused when it would end before it begins, or spend a budget of others', async () => {
    const linked = await aLinkedAssistant(world);
    expect(refusalOf(await linked.make({ expires_at: LONG_AGO }), 400).param).to.equal('expires_at');
    const budget = await world.service.request<{ id: string }>('/lamb/v1/budgets', {
      ...{ method: 'POST', key: linked.administrator.key },
      body: {
        ...{ scope: { type: 'organization', id: linked.teacher.organizationId } },
        ...{ unit: 'requests', amount: 1, period: 'total' },
      },
    });
    refusalOf(await linked.make({ budget_id: budget.json.id }), 404);
    refusalOf(await linked.make({ budget_id: randomUUID() }), 404);
  });

  it('spends the budget it was given, and ends with it', async () => {
    const linked = await aLinkedAssistant(world);
    const { service } = world;
    const { key } = linked.administrator;
    const body = {
      ...{ scope: { type: 'user', id: linked.teacher.id } },
      ...{ unit: 'requests', amount: 1, period: 'total' },
    };
    const made = await service.request<{ id: string }>('/lamb/v1/budgets', { method: 'POST', key, body });
    const visitor = await linked.visitor(await linked.link({ budget_id: made.json.id }));

    expect((await linked.ask(visitor)).status).to.equal(200);
    expect(refusalOf(await linked.ask(visitor), 429).code).to.equal('budget_exceeded');
    await service.request(`/lamb/v1/budgets/${made.json.id}`, { method: 'DELETE', key });
    refusalOf(await linked.ask(visitor), 401);
  });

  it('is offered the budgets that whoever makes it may let others spend, and no others', async () => {
    const linked = await aLinkedAssistant(world);
    const { key } = linked.administrator;
    const made = async (scope: object) => {
      const body = { scope, unit: 'requests', amount: 5, period: 'day' };
      return (await world.service.request<{ id: string }>('/lamb/v1/budgets', { key, body })).json.id;
    };
    const [own, ofAssistant, ofAll] = [
      await made({ type: 'user', id: linked.teacher.id }),
      await made({ type: 'assistant', id: linked.assistant.id }),
      await made({ type: 'organization', id: linked.teacher.organizationId }),
    ];
    const offeredTo = async (who: { key: string }) =>
      (
        await world.service.request<{ budgets: { id: string; amount: number }[] }>(linked.path, {
          ...{ key: who.key },
        })
      ).json.budgets;

    const offered = await offeredTo(linked.teacher);
    expect(offered.map(({ id }) => id)).to.have.members([own, ofAssistant]);
    expect(offered[0]).to.deep.include({ unit: 'requests', amount: 5, period: 'day' });
    const all = (await offeredTo(linked.administrator)).map(({ id }) => id);
    expect(all).to.have.members([own, ofAssistant, ofAll]);
  });

  it('says the same whether it never was, was revoked, has expired or was switched off', async () => {
    const linked = await aLinkedAssistant(world);
    const [revoked, expired, off] = [await linked.link(), await linked.link(), await linked.link()];
    await linked.revoke(revoked);
    await inDatabase(world.service, (_stores, db) =>
      db('assistant_links').where('id', expired.id).update({ expires_at: LONG_AGO }),
    );
    await linked.allow({ public_links: false });

    const all = [revoked.url, expired.url, off.url, `${world.service.url}/l/${'x'.repeat(32)}`];
    const answers = await Promise.all(all.map((url) => linked.begin(url)));
    const pages = await Promise.all(
      all.map((url) => world.service.request(`/l/${tokenIn(url)}`, { key: null })),
    );

    const refusals = new Set(answers.map((answer) => JSON.stringify(refusalOf(answer, 404))));
    expect([...refusals]).to.have.length(1);
    expect([...refusals][0]).to.contain('link_over');
    const seen = pages.map(({ status, text, headers }) =>
      JSON.stringify([status, text, headers.get('content-security-policy')]),
    );
    expect(new Set(seen).size).to.equal(1);
    expect(pages[0]?.status).to.equal(404);
  });

  const ENDS: Readonly<Record<string, (linked: Linked, link: Link) => Promise<unknown>>> = {
    'it is revoked': (linked, link) => linked.revoke(link),
    'it expires': (_linked, { id }) =>
      inDatabase(world.service, (_stores, db) =>
        db('assistant_links').where({ id }).update({ expires_at: LONG_AGO }),
      ),
    'the organisation allows links no more': (linked) => linked.allow({}),
    "the owner's account is switched off": (linked) => disable(world.service, linked.teacher),
    'the assistant is deleted': ({ assistant, teacher: { key } }) =>
      world.service.request(`/lamb/v1/assistants/${String(assistant.id)}`, { method: 'DELETE', key }),
  };
  for (const [title, end] of Object.entries(ENDS)) {
    it(`ends at once when ${title}: mid-run at the next call, and for whoever is there`, async () => {
      const { model, weather, service } = world;
      const [gate, town] = [uniqueName('gate'), `Town ${randomUUID()}`];
      const linked = await aLinkedAssistant(world, {
        steps: [held(gate, call('get_weather', { city: town })), say('Done.')],
        tools: [weatherFunction],
      });
      const link = await linked.link();
      const key = await linked.visitor(link);

      const stream = await service.stream(linked.assistant.id, 'Weather?', { key });
      await model.waitFor(linked.llm, { requests: 1 });
      await end(linked, link);
      await model.release(gate);
      await stream.whole();

      expect(await weather.ledger(town)).to.deep.equal([]);
      expect((await linked.ask(key)).status).to.be.oneOf([401, 404]);
      expect((await visit(key)).status).to.be.oneOf([401, 404]);
      refusalOf(await linked.begin(link.url), 404);
    });
  }

  it('answers no more when its assistant is switched off', async () => {
    const linked = await aLinkedAssistant(world);
    const key = await linked.visitor(await linked.link());
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where('id', linked.assistant.id).update({ enabled: false }),
    );
    refusalOf(await visit(key), 404);
    expect((await linked.ask(key)).status).to.be.oneOf([403, 404, 409]);
  });
});

describe('whoever came by a link', function () {
  this.timeout(60_000);
  let world: TestService;
  let linked: Linked;
  let link: Link;
  before(async () => {
    world = await sharedService();
    linked = await aLinkedAssistant(world);
    link = await linked.link();
  });

  it('gets 403 at every route that is not of its page', async () => {
    const key = await linked.visitor(link);
    const routes = (await guardedRoutes()).filter(({ path }) => /^\/(v1|lamb\/v1)\//.test(path));
    const outside = routes.filter(({ method, path }) => !WITHIN.test(`${method} ${path}`));
    expect(outside.length).to.be.greaterThan(100);
    for (const { method, path } of outside) {
      const address = path.replaceAll(/:\w+/g, '1').replace(/\*\w+/, 'x');
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const answer = await world.service.request(address, { method, key, ...body });
      expect(refusalOf(answer, 403).code, `${method} ${path}`).to.equal('forbidden');
    }
  });

  it('chats with no other assistant, and sees nobody else’s conversation', async () => {
    const [one, other] = [await linked.visitor(link), await linked.visitor(link)];
    const { headers } = await linked.ask(one, { conversation_id: 'new' });
    const id = headers.get('x-conversation-id') ?? '';
    const elsewhere = await aLinkedAssistant(world);

    refusalOf(await world.service.chat(elsewhere.assistant.id, 'Hello?', { key: one }), 404);
    const read = (key: string) => world.service.request(`/lamb/v1/conversations/${id}`, { key });
    expect((await read(one)).status).to.equal(200);
    refusalOf(await read(other), 404);
    refusalOf(await linked.ask(other, { conversation_id: id }), 404);
  });

  it('is suggested what to ask next as often as they may ask, which takes away no question', async () => {
    const few = await aLinkedAssistant(world, { limits: { link_questions_per_hour: 2 }, follow_ups: true });
    const key = await few.visitor(await few.link());
    const { headers } = await few.ask(key, { conversation_id: 'new' });
    const path = `/lamb/v1/runs/${headers.get('x-run-id') ?? ''}/follow-ups`;
    const suggested = () => world.service.request(path, { method: 'POST', key });

    expect([(await suggested()).status, (await suggested()).status]).to.not.include(429);
    expect(refusalOf(await suggested(), 429).code).to.equal('question_limit');
    expect((await few.ask(key)).status).to.equal(200);
  });

  it('may ask thirty questions an hour unless the organisation says otherwise, and no more by visiting anew', async () => {
    const few = await aLinkedAssistant(world, { limits: { link_questions_per_hour: 1 } });
    const own = await few.link();
    const first = await few.visitor(own);
    expect((await few.ask(first)).status).to.equal(200);
    const refused = await few.ask(first);
    expect(refusalOf(refused, 429).code).to.equal('question_limit');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(3_000, 3_600);
    for (let n = 1; n < 20; n++) expect((await few.ask(await few.visitor(own))).status).to.equal(200);
    refusalOf(await few.ask(await few.visitor(own)), 429);

    const usual = await linked.visitor(link);
    for (let n = 0; n < 30; n++) expect((await linked.ask(usual)).status).to.equal(200);
    refusalOf(await linked.ask(usual), 429);
  });

  it('is forgotten with the visit, and a month later as the one who asked', async () => {
    const { service } = world;
    const key = await linked.visitor(link);
    const asked = await linked.ask(key, { conversation_id: 'new' });
    const left = () =>
      inDatabase(service, async (_stores, db) => {
        const runs = await db('runs').where('id', asked.headers.get('x-run-id')).select('user_id');
        const said = await db('conversations').where('id', asked.headers.get('x-conversation-id'));
        const cost = await db('usage_ledger').where('run_id', asked.headers.get('x-run-id'));
        return { runs: runs.length, said: said.length, cost: cost.length };
      });
    expect(await left()).to.deep.equal({ runs: 1, said: 1, cost: 1 });

    await service.request('/lamb/v1/links/visit', { method: 'DELETE', key });
    expect(await left()).to.deep.equal({ runs: 1, said: 0, cost: 1 });
    refusalOf(await linked.ask(key), 401);

    const sweep = (now: number) =>
      inDatabase(service, (stores) => createVisitorErasure(stores).sweep(now, new AbortController().signal));
    await sweep(Date.now() + 32 * 86_400_000);
    expect(await left()).to.deep.equal({ runs: 0, said: 0, cost: 1 });
  });

  it('is shown the page in frames of the sites that the organisation names, and of no other', async () => {
    const framed = await aLinkedAssistant(world, {
      features: { public_links: true, embed_origins: ['https://www.school.example'] },
    });
    const policyOf = async ({ url }: Link) =>
      (await world.service.request(`/l/${tokenIn(url)}`, { key: null })).headers.get(
        'content-security-policy',
      );

    expect(await policyOf(await framed.link())).to.contain('frame-ancestors https://www.school.example;');
    expect(await policyOf(link)).to.contain("frame-ancestors 'none'");
  });
});

describe('the setting that allows links', () => {
  for (const [title, features] of Object.entries({
    'a text for a switch': { public_links: 'yes' },
    'what is no site': { embed_origins: ["https://a.example; script-src 'unsafe-inline'"] },
    'a site with a path': { embed_origins: ['https://a.example/path'] },
    'no list': { embed_origins: '*' },
  })) {
    it(`is refused with ${title}`, async () => {
      const world = await sharedService();
      const { administrator } = await aLinkedAssistant(world);
      const path = `/lamb/v1/organizations/${String(administrator.organizationId)}/config`;
      const answer = await world.service.request(path, {
        ...{ method: 'PUT', key: administrator.key, body: { features } },
      });
      expect(refusalOf(answer, 422).param).to.equal('features');
    });
  }
});

describe('where an assistant is used', () => {
  it('is counted for its owner, and named where they have placed it themselves or look after it', async () => {
    const world = await sharedService();
    const { owner, assistant, platform } = await aClassroom(world, 'none');
    const colleague = await aColleagueOf(world.service, owner, 'org_admin');
    await anActivity(world.service, platform, {
      assistants: [{ assistantId: assistant.id, addedBy: colleague.id }],
    });
    const audience = async (key: string) => {
      const path = `/lamb/v1/assistants/${String(assistant.id)}/audience`;
      const { json } = await world.service.request<{
        activities: { count: number; named: object[] };
        platforms: { name: string }[];
      }>(path, { key });
      return [json.activities.count, json.activities.named.length, json.platforms.length];
    };

    expect(await audience(owner.key)).to.deep.equal([2, 1, 1]);
    expect(await audience(colleague.key)).to.deep.equal([2, 2, 1]);
  });
});
