import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, aSessionOf, auditOf } from '../support/users-fixture.js';

const [OLD, NEW] = ['the old password', 'the new password'];

describe('one’s own password', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const change = (key: string, current: string, wanted: string) =>
    world.service.request('/lamb/v1/me/password', {
      ...{ method: 'POST', key, body: { current_password: current, new_password: wanted } },
    });
  const signIn = (email: string, password: string) =>
    world.service.request('/lamb/v1/auth/login', { method: 'POST', key: null, body: { email, password } });
  const me = async (key: string) => (await world.service.request('/lamb/v1/me', { key })).status;

  it('is changed by whoever knows the old one, and ends every session but theirs', async () => {
    const person = await aPerson(world.service, { password: OLD });
    const [here, elsewhere] = [
      await aSessionOf(world.service, person),
      await aSessionOf(world.service, person),
    ];

    const { status } = await change(here, OLD, NEW);

    expect(status).to.equal(204);
    expect([await me(here), await me(elsewhere)]).to.deep.equal([200, 401]);
    expect((await signIn(person.email, OLD)).status).to.equal(401);
    expect((await signIn(person.email, NEW)).status).to.equal(200);
    expect((await auditOf(world.service, person)).at(0)).to.include({
      ...{ action: 'change password', outcome: 'done', reason: 'their own' },
    });
  });

  it('is left as it is without the old one, with a key, and for one that is too short', async () => {
    const person = await aPerson(world.service, { password: OLD });
    const key = await aSessionOf(world.service, person);

    refusalOf(await change(key, 'a guess', NEW), 403);
    refusalOf(await change(person.key, OLD, NEW), 403);
    expect(refusalOf(await change(key, OLD, 'short'), 400).param).to.equal('new_password');
    expect((await signIn(person.email, OLD)).status).to.equal(200);
    expect((await auditOf(world.service, person)).at(0)).to.include({
      ...{ action: 'change password', outcome: 'denied' },
    });
  });

  it('can be guessed no more often than at signing in', async () => {
    const key = await aSessionOf(world.service, await aPerson(world.service, { password: OLD }));
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await change(key, 'a guess', NEW)).status);
    expect(statuses.slice(0, 10)).to.deep.equal(Array<number>(10).fill(403));
    expect(statuses.slice(10)).to.deep.equal([429, 429]);
  });
});
