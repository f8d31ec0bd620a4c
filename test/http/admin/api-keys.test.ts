import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { databaseBytes, type KeyList, KEYS, me, newKey } from '../support/credentials.js';
import { refusalOf } from '../support/refusal.js';
import { anExpiredKeyOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

let world: TestService;

describe('an API key', function () {
  this.timeout(60_000);
  let owner: Person;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
  });

  it('is shown once, works, and is never listed', async () => {
    const made = await newKey(world.service, owner.key, { name: 'laptop' });
    const list = await world.service.request<KeyList>(KEYS, { key: owner.key });

    expect(made.status).to.equal(201);
    expect(made.json).to.include({ name: 'laptop' }).and.to.include.keys('id', 'key', 'prefix', 'created_at');
    expect(made.json.key.startsWith(made.json.prefix)).to.equal(true);
    expect(made.json.prefix.length).to.be.lessThan(12);
    expect((await me(world.service, made.json.key)).json).to.include({ id: owner.id, via: 'api-key' });
    expect(list.json.data.find(({ id }) => id === made.json.id)).to.include({
      name: 'laptop',
      prefix: made.json.prefix,
    });
    expect(list.text)
      .not.to.contain(made.json.key)
      .and.not.to.match(/"(key|hash)"/);
  });

  it('is stored as a hash alone', async () => {
    const { key } = (await newKey(world.service, owner.key, { name: 'hashed' })).json;

    const bytes = await databaseBytes(world.service);

    expect(bytes).to.contain('hashed');
    expect(bytes).not.to.contain(key);
  });

  it('is in nobody else’s list', async () => {
    const other = await aPerson(world.service);
    const { id } = (await newKey(world.service, other.key, { name: 'theirs' })).json;

    const list = await world.service.request<KeyList>(KEYS, { key: owner.key });

    expect(list.json.data.map((row) => row.id)).not.to.include(id);
  });

  it('is listed page by page', async () => {
    const person = await aPerson(world.service);
    await newKey(world.service, person.key, { name: 'second' });
    await newKey(world.service, person.key, { name: 'third' });

    const first = await world.service.request<KeyList>(`${KEYS}?limit=2`, { key: person.key });
    const rest = await world.service.request<KeyList>(`${KEYS}?limit=2&cursor=${first.json.next_cursor!}`, {
      key: person.key,
    });

    const names = [...first.json.data, ...rest.json.data].map(({ name }) => name);
    expect(names).to.have.members(['second', 'third', 'test']);
    expect(rest.json.next_cursor).to.equal(null);
  });

  it('is refused once it has expired', async () => {
    const expired = await anExpiredKeyOf(world.service, owner);

    refusalOf(await me(world.service, expired), 401);
  });

  it('works until the moment it expires, and cannot be made to expire in the past', async () => {
    const future = new Date(Date.now() + 3_600_000).toISOString();

    const lasting = await newKey(world.service, owner.key, { name: 'an hour', expires_at: future });
    const past = await newKey(world.service, owner.key, { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
    const odd = await newKey(world.service, owner.key, { name: 'odd', expires_at: 'tomorrow' });

    expect((await me(world.service, lasting.json.key)).status).to.equal(200);
    expect(refusalOf(past, 400).param).to.equal('expires_at');
    expect(refusalOf(odd, 400).param).to.equal('expires_at');
  });

  it('is refused once it was deleted', async () => {
    const { id, key } = (await newKey(world.service, owner.key, { name: 'short-lived' })).json;

    const deleted = await world.service.request(`${KEYS}/${String(id)}`, {
      method: 'DELETE',
      key: owner.key,
    });

    expect(deleted.status).to.equal(204);
    refusalOf(await me(world.service, key), 401);
    refusalOf(
      await world.service.request(`${KEYS}/${String(id)}`, { method: 'DELETE', key: owner.key }),
      404,
    );
  });

  it('of somebody else cannot be deleted, and is as unknown as one that never was', async () => {
    const other = await aPerson(world.service);
    const { id, key } = (await newKey(world.service, other.key, { name: 'theirs' })).json;

    const theirs = await world.service.request(`${KEYS}/${String(id)}`, { method: 'DELETE', key: owner.key });
    const nobodys = await world.service.request(`${KEYS}/999999999`, { method: 'DELETE', key: owner.key });

    expect(refusalOf(theirs, 404)).to.deep.equal(refusalOf(nobodys, 404));
    expect((await me(world.service, key)).status).to.equal(200);
  });

  it('takes no unknown keys in its body', async () => {
    const answer = await newKey(world.service, owner.key, { name: 'x', role: 'system_admin', user_id: 1 });

    expect(refusalOf(answer, 400).message).to.contain('role').and.to.contain('user_id');
  });

  it('may be a trusted proxy only when an administrator makes it', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });

    const refused = await newKey(world.service, owner.key, { name: 'proxy', trusted_proxy: true });
    const made = await newKey(world.service, admin.key, { name: 'proxy', trusted_proxy: true });

    refusalOf(refused, 403);
    expect(made.status).to.equal(201);
    expect(made.json).to.include({ trusted_proxy: true });
  });

  it('may be made for somebody else only by an administrator of theirs', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });
    const [member, root] = await Promise.all([
      aPerson(world.service, { organizationId: admin.organizationId }),
      aPerson(world.service, { organizationId: admin.organizationId, role: 'system_admin' }),
    ]);

    const byCreator = await newKey(world.service, owner.key, { name: 'x', user_email: member.email });
    const foreign = await newKey(world.service, admin.key, { name: 'x', user_email: owner.email });
    const upwards = await newKey(world.service, admin.key, { name: 'x', user_email: root.email });
    const unknown = await newKey(world.service, admin.key, {
      name: 'x',
      user_email: `${uniqueName('nobody')}@example.test`,
    });
    const own = await newKey(world.service, admin.key, { name: 'x', user_email: member.email });

    refusalOf(byCreator, 403);
    expect(refusalOf(foreign, 404)).to.deep.equal(refusalOf(unknown, 404));
    expect(refusalOf(upwards, 404)).to.deep.equal(refusalOf(unknown, 404));
    expect((await me(world.service, own.json.key)).json.id).to.equal(member.id);
  });

  it('is listed and deleted by an administrator of its keeper, by name alone, and by nobody else', async () => {
    const { service } = world;
    const admin = await aPerson(service, { role: 'org_admin' });
    const facts = { organizationId: admin.organizationId };
    const [member, root] = [
      await aPerson(service, facts),
      await aPerson(service, { ...facts, role: 'system_admin' }),
    ];
    const { id, key } = (await newKey(service, member.key, { name: 'lost' })).json;
    const ask = (method: 'GET' | 'DELETE', by: Person, of: Person | undefined) => {
      const path = method === 'GET' ? KEYS : `${KEYS}/${String(id)}`;
      const query = of ? `?user_email=${encodeURIComponent(of.email)}` : '';
      return service.request<KeyList>(`${path}${query}`, { method, key: by.key });
    };

    for (const method of ['GET', 'DELETE'] as const) {
      refusalOf(await ask(method, owner, member), 403);
      refusalOf(await ask(method, admin, owner), 404);
      refusalOf(await ask(method, admin, root), 404);
    }
    refusalOf(await ask('DELETE', admin, undefined), 404);
    expect((await me(service, key)).status).to.equal(200);
    const listed = await ask('GET', admin, member);
    const deleted = await ask('DELETE', admin, member);

    expect(listed.json.data.map(({ name }) => name)).to.have.members(['test', 'lost']);
    expect(listed.text).not.to.contain(key);
    expect(deleted.status).to.equal(204);
    refusalOf(await me(service, key), 401);
    const books = await auditOf(service, admin);
    expect(books.filter(({ outcome }) => outcome === 'denied')).to.have.length(4);
    expect(books.at(-1)).to.include({
      ...{ action: 'delete key', resource: `key ${String(id)}`, outcome: 'done' },
      reason: `of user ${String(member.id)}`,
    });
  });

  it('that was refused leaves a line in the audit', async () => {
    const person = await aPerson(world.service);

    await newKey(world.service, person.key, { name: 'proxy', trusted_proxy: true });
    await newKey(world.service, person.key, { name: 'theirs', user_email: owner.email });

    const denials = (await auditOf(world.service, person)).filter(({ outcome }) => outcome === 'denied');
    expect(denials).to.have.length(2);
  });
});
