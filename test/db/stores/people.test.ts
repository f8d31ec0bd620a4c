import { expect } from 'chai';
import { AppError } from '../../../src/core/errors.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { anOrganization, aUser, storesOn } from '../fixtures.js';

const HOSTILE = `Robert'); DROP TABLE users;-- "?" \\ 😀`;

describeOnEachEngine('users and organisations', (open) => {
  let stores: Stores;

  beforeEach(async () => {
    stores = storesOn(await open());
  });

  it('keep e-mails trimmed and in lower case, and find them typed otherwise', async () => {
    const { id } = await aUser(stores, { email: '  Ada.Lovelace@Example.ORG ' });

    const found = await stores.users.byEmail('ADA.lovelace@example.org\t');

    expect(found).to.include({ id, email: 'ada.lovelace@example.org', enabled: true });
    expect(await stores.users.byId(id)).to.deep.equal(found);
  });

  it('renew the hash of a password only while it is that password', async () => {
    const { id } = await aUser(stores);
    await stores.users.setPassword(id, 'old');

    await stores.users.renewPassword(id, { from: 'old', to: 'renewed' });
    const renewed = await stores.users.byId(id);
    await stores.users.renewPassword(id, { from: 'old', to: 'late' });

    expect(renewed?.passwordHash).to.equal('renewed');
    expect((await stores.users.byId(id))?.passwordHash).to.equal('renewed');
  });

  it('refuse a second account under one e-mail as a conflict', async () => {
    await aUser(stores, { email: 'ada@example.org' });

    const outcome = await aUser(stores, { email: 'ADA@example.org' }).catch((error: unknown) => error);

    expect(outcome).to.be.instanceOf(AppError).with.property('status', 409);
  });

  it('refuse a second organisation under one slug as a conflict', async () => {
    const school = { slug: 'school', name: 'School', isSystem: false };
    await stores.organizations.create(school);

    const outcome = await stores.organizations.create(school).catch((error: unknown) => error);

    expect(outcome).to.be.instanceOf(AppError).with.property('status', 409);
  });

  it('find an organisation by its slug alone', async () => {
    const created = await stores.organizations.create({ slug: HOSTILE, name: HOSTILE, isSystem: true });

    expect(await stores.organizations.bySlug(HOSTILE)).to.deep.equal(created);
    expect(await stores.organizations.bySlug('other\0')).to.equal(undefined);
  });

  it('change a password', async () => {
    const { id } = await aUser(stores);

    await stores.users.setPassword(id, 'scrypt$new');

    expect(await stores.users.byId(id)).to.have.property('passwordHash', 'scrypt$new');
  });

  it('keep every character of a name', async () => {
    const organizationId = await anOrganization(stores);
    const person = {
      organizationId,
      email: 'bobby@example.org',
      name: HOSTILE,
      role: 'student',
      passwordHash: HOSTILE,
    } as const;

    const { id } = await stores.users.create(person);

    expect(await stores.users.byId(id)).to.include(person);
  });

  it('know nobody under an id that no row can have', async () => {
    for (const id of [0, -1, 0.5, 2 ** 40]) expect(await stores.users.byId(id)).to.equal(undefined);
    expect(await stores.users.byEmail('no\0body')).to.equal(undefined);
  });
});
