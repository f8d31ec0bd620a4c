import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { anOrganization, aUser, storesOn } from '../fixtures.js';

const page = { limit: 50 };
const LATER = '2999-01-01T00:00:00.000Z';
const NOW = '2026-01-01T00:00:00.000Z';

describeOnEachEngine('administering users', (open) => {
  let db: Knex;
  let stores: Stores;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
  });

  it('changes what is named and nothing else', async () => {
    const user = await aUser(stores);

    const changed = await stores.users.update(user.id, { name: "O'Hara; --", role: 'org_admin' });

    expect(changed).to.deep.equal({ ...user, name: "O'Hara; --", role: 'org_admin' });
    expect(await stores.users.byId(user.id)).to.deep.equal(changed);
    expect(await stores.users.update(user.id, {})).to.deep.equal(changed);
    expect(await stores.users.update(2 ** 31, { name: 'x' })).to.equal(undefined);
    expect(await stores.users.update(2 ** 31 - 1, { enabled: false })).to.equal(undefined);
  });

  it('ends sessions with a new password and with the account, and no others', async () => {
    const [one, two] = [await aUser(stores), await aUser(stores)];
    for (const { id } of [one, two])
      await stores.credentials.addSession({ userId: id, hash: `s${String(id)}`, expiresAt: LATER });
    const isIn = async ({ id }: { readonly id: number }) =>
      (await stores.credentials.callerOf(`s${String(id)}`, NOW)) !== undefined;

    await stores.users.update(one.id, { name: 'Somebody', role: 'org_admin', enabled: true });
    expect([await isIn(one), await isIn(two)]).to.deep.equal([true, true]);
    await stores.users.update(one.id, { passwordHash: 'scrypt$new' });
    await stores.users.update(two.id, { enabled: false });
    await stores.users.update(two.id, { enabled: true });

    expect([await isIn(one), await isIn(two)]).to.deep.equal([false, false]);
  });

  it('leaves one who administers the whole, also when two depose each other at once', async () => {
    const rulers = [
      await aUser(stores, { role: 'system_admin' }),
      await aUser(stores, { role: 'system_admin' }),
    ];

    const outcomes = await Promise.all([
      stores.users.update(rulers[0]!.id, { role: 'creator' }),
      stores.users.update(rulers[1]!.id, { enabled: false }),
    ]);

    expect(outcomes.filter((outcome) => outcome === 'last administrator')).to.have.length(1);
    const left = (await stores.users.list({}, page)).data.filter(
      ({ role, enabled }) => role === 'system_admin' && enabled,
    );
    expect(left).to.have.length(1);
    expect(await stores.users.update(left[0]!.id, { role: 'org_admin' })).to.equal('last administrator');
    expect(await stores.users.update(left[0]!.id, { name: 'Still here', role: 'system_admin' })).to.include({
      name: 'Still here',
    });
  });

  it('lists the people of one organisation, page by page, newest first', async () => {
    const organizationId = await anOrganization(stores);
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await aUser(stores, { organizationId })).id);
    await aUser(stores);

    const first = await stores.users.list({ organizationId }, { limit: 3 });
    const second = await stores.users.list({ organizationId }, { limit: 3, cursor: first.nextCursor! });

    expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal(ids);
    expect(second.nextCursor).to.equal(null);
    expect((await stores.users.list({}, page)).data).to.have.length(6);
  });

  it('finds people by a part of name or e-mail, whatever the case, and takes no pattern', async () => {
    const ada = await aUser(stores, { email: 'ada_l@example.org' });
    await stores.users.update(ada.id, { name: 'Álvaro 100% McDuck' });
    await aUser(stores, { email: 'adaxl@example.org' });
    const found = async (q: string) => (await stores.users.list({ q }, page)).data.map(({ email }) => email);

    for (const q of ['álvaro', 'Álvaro', 'mcduck', 'MCDUCK', 'a_l', '100%', 'ADA_L@']) {
      expect(await found(q), q).to.deep.equal(['ada_l@example.org']);
    }
    for (const q of ['%McD', "'; --", '\0', 'nobody']) expect(await found(q), q).to.deep.equal([]);
  });
});

describeOnEachEngine('administering organisations', (open) => {
  let db: Knex;
  let stores: Stores;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
  });
  const config = {
    setups: { default: { name: 'D\u0000', providers: {} } },
    'odd "key"': [1, null, '\ud800'],
  };

  it('reads them by id, renames them and lists them page by page', async () => {
    const { organizations } = stores;
    const one = await organizations.create({ slug: 'one', name: 'One', isSystem: false });
    const two = await organizations.create({ slug: 'two', name: 'Two', isSystem: false });

    expect(await organizations.update(one.id, { name: 'Uno' })).to.deep.equal({ ...one, name: 'Uno' });
    expect(await organizations.byId(one.id)).to.deep.equal({ ...one, name: 'Uno' });
    expect(await organizations.update(two.id, {})).to.deep.equal(two);
    expect(await organizations.update(2 ** 31 - 1, { name: 'x' })).to.equal(undefined);
    expect(await organizations.byId(2 ** 40)).to.equal(undefined);
    const first = await organizations.list({}, { limit: 1 });
    expect(first.data).to.deep.equal([two]);
    expect((await organizations.list({}, { limit: 1, cursor: first.nextCursor! })).data).to.have.length(1);
    expect((await organizations.list({ q: 'UN' }, page)).data.map(({ slug }) => slug)).to.deep.equal(['one']);
  });

  it('keeps a configuration to the last key', async () => {
    const { organizations } = stores;
    const made = await organizations.create({ slug: 'one', name: 'One', isSystem: false, config });

    expect(await organizations.withConfig(made.id)).to.deep.equal({ ...made, config });
    expect((await organizations.withConfig(await anOrganization(stores)))?.config).to.deep.equal({});
    expect(await organizations.withConfig(0)).to.equal(undefined);
  });

  it('changes a configuration as it is at that moment, however many write at once', async () => {
    const { organizations } = stores;
    const id = await anOrganization(stores);

    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        organizations.changeConfig(id, (stored) => ({ ...stored, [`key${String(i)}`]: i })),
      ),
    );

    expect(Object.keys((await organizations.withConfig(id))?.config ?? {})).to.have.length(12);
    expect(await organizations.changeConfig(2 ** 31 - 1, () => ({}))).to.equal(undefined);
  });

  it('changes nothing when the change fails', async () => {
    const { organizations } = stores;
    const { id } = await organizations.create({ slug: 'one', name: 'One', isSystem: false, config });

    const outcome = await organizations
      .changeConfig(id, () => {
        throw new Error('no');
      })
      .catch((error: unknown) => error);

    expect(outcome).to.be.instanceOf(Error);
    expect((await organizations.withConfig(id))?.config).to.deep.equal(config);
  });

  it('takes a configuration that is no JSON object for an empty one', async () => {
    const id = await anOrganization(stores);
    for (const text of ['', 'nonsense', '[1]', 'null', '"x"']) {
      await db('organizations').where({ id }).update({ config: text });
      expect((await stores.organizations.withConfig(id))?.config).to.deep.equal({});
    }
  });
});
