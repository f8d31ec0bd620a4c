import { expect } from 'chai';
import { aLearningPlatform, anActivity, aVisitor, type Visitor } from '../../support/launched.js';
import { guardedRoutes } from '../../support/routes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson } from '../support/users-fixture.js';

/** What the pages of an activity ask for. */
const WITHIN =
  /^(POST \/v1\/chat\/completions|GET \/lamb\/v1\/assistants\/:id\/avatar|POST \/lamb\/v1\/attachments|GET \/lamb\/v1\/attachments\/:id|\w+ \/lamb\/v1\/conversations(\/.*)?|\w+ \/lamb\/v1\/runs\/:id\/(approvals|feedback|events|cancel|follow-ups)|\w+ \/lamb\/v1\/budgets(\/.*)?|\w+ \/lamb\/v1\/lti\/session(\/.*)?|\w+ \/lamb\/v1\/lti\/activities\/:id(\/.*)?)$/;

describe('whom a platform’s launch brought', function () {
  this.timeout(60_000);
  let world: TestService;
  let visitors: readonly Visitor[];
  before(async () => {
    world = await sharedService();
    const { service } = world;
    const platform = await aLearningPlatform(service, await aPerson(service));
    const activity = await anActivity(service, platform);
    visitors = [
      await aVisitor(service, platform, { activity }),
      await aVisitor(service, platform, { activity, role: 'instructor' }),
      await aVisitor(service, platform, { role: 'instructor' }),
    ];
  });

  it('gets 403 at every route that is not of the activity’s pages, whichever role they have', async () => {
    const routes = (await guardedRoutes()).filter(({ path }) => /^\/(v1|lamb\/v1)\//.test(path));
    const outside = routes.filter(({ method, path }) => !WITHIN.test(`${method} ${path}`));
    expect(outside.length).to.be.greaterThan(60);
    for (const { key } of visitors) {
      for (const { method, path } of outside) {
        const address = path.replaceAll(/:\w+/g, '1').replace('*path', 'x');
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
        const answer = await world.service.request(address, { method, key, ...body });
        const { code } = refusalOf(answer, 403);
        expect(code, `${method} ${path}`).to.equal('forbidden');
      }
    }
  });

  it('is nobody once the visit is over, ended, or the platform is switched off', async () => {
    const { service } = world;
    const person = await aPerson(service, { role: 'org_admin' });
    const platform = await aLearningPlatform(service, person);
    const activity = await anActivity(service, platform);
    const ask = async ({ key }: Visitor) => (await service.request('/lamb/v1/lti/session', { key })).status;
    const past = await aVisitor(service, platform, { activity, expiresAt: '2020-01-01T00:00:00.000Z' });
    const [leaving, staying] = [
      await aVisitor(service, platform, { activity }),
      await aVisitor(service, platform, { activity }),
    ];
    expect([await ask(past), await ask(leaving), await ask(staying)]).to.deep.equal([401, 200, 200]);

    const ended = await service.request('/lamb/v1/lti/session/end', { method: 'POST', key: leaving.key });
    expect([ended.status, await ask(leaving), await ask(staying)]).to.deep.equal([204, 401, 200]);
    const off = { method: 'PATCH', key: person.key, body: { enabled: false } };
    await service.request(`/lamb/v1/lti/platforms/${String(platform.id)}`, off);
    expect(await ask(staying)).to.equal(401);
  });
});
