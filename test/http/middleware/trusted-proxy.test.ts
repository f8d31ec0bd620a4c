import { expect } from 'chai';
import { call, say } from '../../support/fakes/model-script.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aPupil, assistantFor, enrol, type Pupil, toolMessages, trust } from '../support/students-fixture.js';
import { aPerson } from '../support/users-fixture.js';

/** What Open WebUI sends along with every request, its name encoded. */
const openWebUi = (email: string) => ({
  'x-openwebui-user-name': 'Sam%20Student',
  'x-openwebui-user-id': '9b1f',
  'x-openwebui-user-email': email,
  'x-openwebui-user-role': 'admin',
});

describe('the headers of Open WebUI', () => {
  let world: TestService;
  let moodle: FakeMoodle;
  before(async () => {
    [world, moodle] = await Promise.all([sharedService(), startFakeMoodle()]);
  });
  after(() => moodle.stop());

  /** What the model is told when this request asks for the person's courses. */
  const toldTo = async (pupil: Pupil, headers: Record<string, string>, key = pupil.key) => {
    const steps = [call('get_moodle_courses'), say('There.')];
    const { id, model } = await assistantFor({ world }, pupil, steps);
    await world.service.chat(id, 'Courses?', { key, headers });
    return (await toolMessages(world, model))[0]!;
  };
  const aProxy = async () => {
    const proxy = await aPupil({ world, moodle });
    await trust(world, proxy);
    return proxy;
  };
  const somebody = async (name: string) => {
    const email = `${name}-${String(Date.now())}@example.test`;
    return { email, ...(await enrol(moodle, email)) };
  };
  const lookedUp = async ({ token }: Pupil) =>
    (await moodle.ledger(token)).flatMap(({ body }) => body.fields['values[0]'] ?? []);

  it('say whom a trusted proxy serves, each request anew', async () => {
    const proxy = await aProxy();
    const [ann, ben] = [await somebody('ann'), await somebody('ben')];

    const told = [
      await toldTo(proxy, openWebUi(ann.email)),
      await toldTo(proxy, openWebUi(` ${ben.email.toUpperCase()} `)),
    ];

    expect(told[0]).to.contain(ann.course.fullname).and.not.to.contain(ben.course.fullname);
    expect(told[1]).to.contain(ben.course.fullname).and.not.to.contain(ann.course.fullname);
    expect(await lookedUp(proxy)).to.deep.equal([ann.email, ben.email]);
  });

  it('name two people who ask through one proxy at the same time, and mix neither', async () => {
    const proxy = await aProxy();
    const people = await Promise.all(['cat', 'dan', 'eve'].map(somebody));

    const told = await Promise.all(people.map(({ email }) => toldTo(proxy, openWebUi(email))));

    people.forEach(({ course }, i) => {
      expect(told[i]).to.contain(course.fullname);
      for (const other of people.filter((each) => each.course !== course))
        expect(told[i]).not.to.contain(other.course.fullname);
    });
  });

  for (const [what, headers] of [
    ['none', {}],
    ['an empty one', openWebUi('')],
    ['one that is no e-mail', openWebUi('admin')],
    ['two e-mails in one', openWebUi('a@example.test, b@example.test')],
    ['a name without an e-mail', { 'x-openwebui-user-name': 'Sam' }],
  ] as const) {
    it(`leave a trusted proxy that sends ${what} serving nobody, least of all itself`, async () => {
      const proxy = await aProxy();

      const told = await toldTo(proxy, headers);

      expect(told).to.match(/^Error: It is not known who you are in Moodle/);
      expect(await moodle.ledger(proxy.token)).to.deep.equal([]);
    });
  }

  it('mean nothing from an ordinary key or a session', async () => {
    const password = 'a password of their own';
    const ordinary = await aPupil({ world, moodle });
    const victim = await somebody('victim');
    const colleague = await aPerson(world.service, { organizationId: ordinary.organizationId, password });
    const own = await enrol(moodle, colleague.email);
    const login = { email: colleague.email, password };
    const { json } = await world.service.request<{ token: string }>('/lamb/v1/auth/login', { body: login });
    const colleagues = { ...ordinary, ...colleague };

    const byKey = await toldTo(ordinary, openWebUi(victim.email));
    const bySession = await toldTo(colleagues, openWebUi(victim.email), json.token);

    expect(byKey).to.contain(ordinary.course.fullname).and.not.to.contain(victim.course.fullname);
    expect(bySession).to.contain(own.course.fullname).and.not.to.contain(victim.course.fullname);
    expect(await lookedUp(ordinary)).to.deep.equal([ordinary.email, colleague.email]);
  });

  it('give a trusted proxy no rights but its own', async () => {
    const proxy = await aProxy();
    const admin = await aPerson(world.service, { organizationId: proxy.organizationId, role: 'org_admin' });
    const [mine, theirs] = await Promise.all([
      world.service.request<{ email: string; role: string }>('/lamb/v1/me', {
        key: proxy.key,
        headers: openWebUi(admin.email),
      }),
      world.service.request('/lamb/v1/users', { key: proxy.key, headers: openWebUi(admin.email) }),
    ]);

    expect(mine.json).to.include({ email: proxy.email, role: 'creator' });
    expect(theirs.status).to.equal(403);
  });

  it('of a proxy in another organisation name nobody here', async () => {
    const here = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, here, [call('get_moodle_courses'), say('There.')]);
    await world.service.request(`/lamb/v1/assistants/${String(id)}/publish`, {
      key: here.key,
      body: { published: true, publish_scope: 'everyone' },
    });
    const proxy = await aProxy();

    await world.service.chat(id, 'Courses?', { key: proxy.key, headers: openWebUi(here.email) });

    expect((await toolMessages(world, model))[0]).to.match(/^Error: It is not known who you are in Moodle/);
    expect(await moodle.ledger(here.token)).to.deep.equal([]);
  });

  it('count from a key that an administrator made for a proxy over the API, and from no other', async () => {
    const pupil = await aPupil({ world, moodle });
    const ann = await somebody('fay');
    const make = (key?: string) =>
      world.service.request<{ key: string }>('/lamb/v1/api-keys', {
        ...(key === undefined ? {} : { key }),
        body: {
          name: 'Open WebUI',
          trusted_proxy: true,
          ...(key === undefined ? { user_email: pupil.email } : {}),
        },
      });

    const [refused, made] = [await make(pupil.key), await make()];
    const told = await toldTo(pupil, openWebUi(ann.email), made.json.key);

    expect(refused.status).to.equal(403);
    expect(made.status).to.equal(201);
    expect(told).to.contain(ann.course.fullname);
  });
});
