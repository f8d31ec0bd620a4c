import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

interface UserView {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly enabled: boolean;
  readonly organization_id: number;
}

const USERS = '/lamb/v1/users';
const PASSWORD = 'a long enough password 1';

let world: TestService;
let ruler: Person;
let admin: Person;
const request: TestService['service']['request'] = (path, options) => world.service.request(path, options);
const start = async () => {
  world = await sharedService();
  ruler = await aPerson(world.service, { role: 'system_admin' });
  admin = await aPerson(world.service, { role: 'org_admin' });
};
const somebody = (more: object = {}) => ({
  email: `${uniqueName('user')}@example.test`,
  name: 'Grace',
  password: PASSWORD,
  role: 'creator',
  ...more,
});
const create = (body: object, { key }: Person = ruler) => request<UserView>(USERS, { body, key });
const change = ({ id }: { readonly id: number }, body: object, { key }: Person = ruler) =>
  request<UserView>(`${USERS}/${String(id)}`, { method: 'PATCH', body, key });
const read = ({ id }: { readonly id: number }, { key }: Person = ruler) =>
  request<UserView>(`${USERS}/${String(id)}`, { key });
const list = ({ key }: Person, query = '') =>
  request<{ data: UserView[]; next_cursor: string | null }>(USERS + query, { key });
const signIn = (email: string, password: string) =>
  request<{ token: string }>('/lamb/v1/auth/login', { body: { email, password }, key: null });
const statusOf = async (key: string) => (await request('/lamb/v1/me', { key })).status;

describe('users', function () {
  this.timeout(60_000);
  before(start);

  it('are made by a system administrator in any organisation, and can sign in', async () => {
    const { organizationId } = admin;
    const body = somebody({ email: ` ${uniqueName('New')}@Example.test`, organization_id: organizationId });

    const { status, json, text } = await create(body);

    const email = body.email.trim().toLowerCase();
    expect(status, text).to.equal(201);
    expect(json).to.deep.equal({
      id: json.id,
      email,
      name: 'Grace',
      role: 'creator',
      enabled: true,
      organization_id: organizationId,
    });
    expect((await read(json)).json).to.deep.equal(json);
    expect((await signIn(email, PASSWORD)).status).to.equal(200);
  });

  it('are made by an organisation’s administrator in their own alone, and never above themselves', async () => {
    const other = await aPerson(world.service);

    const own = await create(somebody({ role: 'org_admin' }), admin);
    const foreign = await create(somebody({ organization_id: other.organizationId }), admin);
    const nowhere = await create(somebody({ organization_id: 2 ** 31 - 1 }), admin);
    const above = await create(somebody({ role: 'system_admin' }), admin);

    expect(own.json).to.include({ role: 'org_admin', organization_id: admin.organizationId });
    expect(refusalOf(foreign, 404)).to.deep.equal(refusalOf(nowhere, 404));
    refusalOf(above, 403);
  });

  it('are refused with every fault named: a bad address, a short password, an unknown role, an unknown key', async () => {
    const body = { email: 'nobody', name: ' ', password: 'short', role: 'student', enabled: true };

    const { message } = refusalOf(await create(body), 400);

    for (const word of ['email', 'name', 'password', 'role', 'enabled']) expect(message).to.contain(word);
    expect(message).not.to.contain('short;');
    const taken = somebody();
    await create(taken);
    refusalOf(await create({ ...taken, email: taken.email.toUpperCase() }), 409);
    refusalOf(await change(admin, { email: 'new@example.test' }), 400);
    refusalOf(await change(admin, { password: 'short' }), 400);
  });

  it('are listed for whoever looks after them: all for one, an organisation’s own for the other', async () => {
    const [mine, theirs] = await Promise.all([aColleagueOf(world.service, admin), aPerson(world.service)]);
    const ids = async (person: Person, query: string) =>
      (await list(person, query)).json.data.map(({ id }) => id);

    expect(await ids(admin, '?limit=200'))
      .to.include.members([mine.id, admin.id])
      .and.not.to.include(theirs.id);
    expect(await ids(admin, `?q=${theirs.email}`)).to.deep.equal([]);
    expect(await ids(admin, `?q=${mine.email.toUpperCase()}`)).to.deep.equal([mine.id]);
    expect(await ids(ruler, `?q=${theirs.email}`)).to.deep.equal([theirs.id]);
    expect(await ids(ruler, `?organization_id=${String(theirs.organizationId)}`)).to.deep.equal([theirs.id]);
    refusalOf(await list(admin, `?organization_id=${String(theirs.organizationId)}`), 404);
    const first = (await list(admin, '?limit=1')).json;
    const second = (await list(admin, `?limit=1&cursor=${String(first.next_cursor)}`)).json;
    expect([...first.data, ...second.data]).to.have.length(2);
    expect(second.data[0]?.id).to.be.lessThan(first.data[0]!.id);
    expect((await list(ruler)).text).not.to.match(/password|hash|scrypt/);
  });

  it('of another organisation are not there for its administrator; those above may be seen, not touched', async () => {
    const other = await aPerson(world.service);
    const above = await aColleagueOf(world.service, admin, 'system_admin');

    const foreign = [await read(other, admin), await change(other, { enabled: false }, admin)];
    const unknown = [await read({ id: 2 ** 31 - 1 }, admin), await change({ id: 2 ** 31 - 1 }, {}, admin)];
    const touched = await change(above, { password: PASSWORD }, admin);

    const errors = [...foreign, ...unknown].map((answer) => refusalOf(answer, 404));
    for (const error of errors) expect(error).to.deep.equal(errors[0]);
    refusalOf(touched, 403);
    expect((await read(above, admin)).json).to.include({ role: 'system_admin' });
    expect(await statusOf(other.key)).to.equal(200);
    const denied = (await auditOf(world.service, admin)).filter(({ outcome }) => outcome === 'denied');
    const about = denied.map(({ resource }) => resource);
    expect(about).to.include.members([`user ${String(other.id)}`, `user ${String(above.id)}`]);
  });

  for (const role of ['creator', 'student'] as const) {
    it(`are closed to a ${role}, their own account included`, async () => {
      const person = await aColleagueOf(world.service, admin, role);

      const answers = await Promise.all([
        list(person),
        read(person, person),
        change(person, { role: 'system_admin' }, person),
        change(admin, { enabled: false }, person),
        create(somebody(), person),
      ]);

      for (const answer of answers) refusalOf(answer, 403);
      const rows = await auditOf(world.service, person);
      expect(rows.map(({ outcome }) => outcome)).to.deep.equal(answers.map(() => 'denied'));
    });
  }

  it('are on the books with what was done to them, by name and with no value', async () => {
    const boss = await aColleagueOf(world.service, admin, 'org_admin');
    const body = somebody({ name: 'Canary' });

    const { json } = await create(body, boss);
    await change(json, { name: 'Canary 2', password: 'canary password', role: 'org_admin' }, boss);

    const rows = await auditOf(world.service, boss);
    expect(rows.map(({ action, resource, outcome }) => [action, resource, outcome])).to.deep.equal([
      ['create user', `user ${String(json.id)}`, 'done'],
      ['change user', `user ${String(json.id)}`, 'done'],
    ]);
    expect(rows[1]?.reason).to.equal('changed name, password, role');
    expect(JSON.stringify(rows))
      .not.to.match(/canary/i)
      .and.not.to.contain(body.email);
  });
});

describe('an account', function () {
  this.timeout(60_000);
  before(start);
  const signedIn = async () => {
    const person = await aPerson(world.service, { password: PASSWORD });
    return { ...person, token: (await signIn(person.email, PASSWORD)).json.token };
  };

  it('that is switched off is out at once: sessions end, keys are useless, and it comes back without its sessions', async () => {
    const person = await signedIn();

    const { json } = await change(person, { enabled: false });
    const [session, key, again] = [
      await statusOf(person.token),
      await statusOf(person.key),
      (await signIn(person.email, PASSWORD)).status,
    ];
    await change(person, { enabled: true });

    expect(json).to.include({ id: person.id, enabled: false });
    expect([session, key, again]).to.deep.equal([401, 401, 401]);
    expect([await statusOf(person.token), await statusOf(person.key)]).to.deep.equal([401, 200]);
  });

  it('with a new password ends its sessions and takes the new one alone', async () => {
    const person = await signedIn();

    await change(person, { password: 'another long password' });

    expect([await statusOf(person.token), await statusOf(person.key)]).to.deep.equal([401, 200]);
    expect((await signIn(person.email, PASSWORD)).status).to.equal(401);
    expect((await signIn(person.email, 'another long password')).status).to.equal(200);
  });

  it('is never switched off or given another role by itself', async () => {
    for (const person of [ruler, admin]) {
      refusalOf(await change(person, { enabled: false }, person), 403);
      refusalOf(await change(person, { role: 'creator' }, person), 403);
      expect(await statusOf(person.key)).to.equal(200);
    }
    refusalOf(await change(admin, { role: 'system_admin' }, admin), 403);
    const own = await change(ruler, { name: 'Myself', role: 'system_admin', enabled: true }, ruler);
    expect(own.json).to.include({ name: 'Myself', role: 'system_admin' });
  });

  it('is raised to the top by those at the top alone', async () => {
    const person = await aColleagueOf(world.service, admin);

    refusalOf(await change(person, { role: 'system_admin' }, admin), 403);
    expect((await change(person, { role: 'org_admin' }, admin)).json.role).to.equal('org_admin');
    expect((await change(person, { role: 'system_admin' })).json.role).to.equal('system_admin');
    expect((await change(person, { role: 'creator' })).json.role).to.equal('creator');
  });
});
