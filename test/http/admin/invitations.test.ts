import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  disable,
  inDatabase,
  LONG_AGO,
  type Person,
} from '../support/users-fixture.js';

describe('an invitation', function () {
  this.timeout(60_000);
  let world: TestService;
  let admin: Person;
  before(async () => {
    world = await sharedService();
    admin = await aPerson(world.service, { role: 'org_admin' });
  });

  const anAddress = () => `${uniqueName('invited')}@example.test`;
  const invite = (body: object, { key }: Person = admin) =>
    world.service.request<{ url: string; expires_at: string }>('/lamb/v1/invitations', {
      ...{ method: 'POST', key, body },
    });
  const tokenOf = async (body: object, by: Person = admin) =>
    (await invite(body, by)).json.url.split('#')[1]!;
  const open = (token: string) =>
    world.service.request('/lamb/v1/auth/invitation', { method: 'POST', key: null, body: { token } });
  const accept = (token: string, more: object = {}) =>
    world.service.request<{ token: string; user: object }>('/lamb/v1/auth/invitation/accept', {
      ...{ method: 'POST', key: null },
      body: { token, name: 'Ada', password: 'a long password', ...more },
    });

  it('makes an account with the name and password that the invited choose, and signs them in', async () => {
    const email = anAddress();
    const { status, json } = await invite({ email: email.toUpperCase(), role: 'org_admin' });
    expect(status).to.equal(201);
    expect(json.url).to.match(/^http.*\/invitation#[\w-]{32}$/);
    expect(Date.parse(json.expires_at) - Date.now()).to.be.within(6.9 * 86_400_000, 7 * 86_400_000);
    const token = json.url.split('#')[1]!;

    expect((await open(token)).json).to.deep.equal({ email, name: '', organization_name: 'School' });
    const accepted = await accept(token);

    expect(accepted.status).to.equal(201);
    expect(accepted.json.user).to.include({
      ...{ email, name: 'Ada', role: 'org_admin', organization_id: admin.organizationId },
    });
    expect((await world.service.request('/lamb/v1/me', { key: accepted.json.token })).status).to.equal(200);
  });

  it('is good once, also when two come at the same moment', async () => {
    const token = await tokenOf({ email: anAddress() });
    const statuses = (await Promise.all([accept(token), accept(token)])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([201, 404]);
    refusalOf(await open(token), 404);
  });

  it('says the same whether it never was, has expired, was taken back, or its maker may invite no more', async () => {
    const gone = await aColleagueOf(world.service, admin, 'org_admin');
    const addresses = [anAddress(), anAddress(), anAddress()];
    const [expired, taken] = [await tokenOf({ email: addresses[0] }), await tokenOf({ email: addresses[1] })];
    const ofGone = await tokenOf({ email: addresses[2] }, gone);
    await inDatabase(world.service, async (stores, db) => {
      await db('invitations').where('email', addresses[0]).update({ expires_at: LONG_AGO });
      const [row] = await db('invitations').where('email', addresses[1]).select<{ id: number }[]>('id');
      await stores.invitations.delete(row!.id);
    });
    await disable(world.service, gone);

    const answers = await Promise.all([expired, taken, ofGone, 'x'.repeat(32)].map((token) => accept(token)));

    const told = new Set(answers.map((answer) => JSON.stringify(refusalOf(answer, 404))));
    expect([...told]).to.have.length(1);
    expect([...told][0]).to.contain('invitation_over');
  });

  it('takes the place of an earlier one to the same address', async () => {
    const email = anAddress();
    const [first, second] = [await tokenOf({ email }), await tokenOf({ email, name: 'Grace' })];
    refusalOf(await open(first), 404);
    expect((await open(second)).json).to.include({ name: 'Grace' });
  });

  it('tells an administrator nothing of accounts of another organisation, and the invited what stands in the way', async () => {
    const elsewhere = await aPerson(world.service);
    const colleague = await aColleagueOf(world.service, admin);

    refusalOf(await invite({ email: colleague.email }), 409);
    const token = await tokenOf({ email: elsewhere.email });
    refusalOf(await accept(token), 409);
    expect((await open(token)).status).to.equal(200);
  });

  it('gives nobody more than who invites has', async () => {
    refusalOf(await invite({ email: anAddress(), role: 'system_admin' }), 403);
    refusalOf(await invite({ email: anAddress(), role: 'student' }), 400);
    refusalOf(
      await invite({ email: anAddress(), organization_id: (await aPerson(world.service)).organizationId }),
      404,
    );
  });
});
