import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const NOW = '2026-06-01T12:00:00.000Z';
const EARLIER = '2026-06-01T11:59:59.999Z';
const LATER = '2026-06-01T12:00:00.001Z';

describeOnEachEngine('credentials', (open) => {
  let db: Knex;
  let stores: Stores;
  let user: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    user = await aUser(stores, { role: 'org_admin' });
  });

  const addKey = (hash: string, expiresAt: string | null = null, userId = user.id) =>
    stores.credentials.addKey({
      userId,
      name: 'Laptop',
      prefix: 'bw_12345',
      hash,
      trustedProxy: false,
      expiresAt,
    });

  it('lead from a key to the person behind it', async () => {
    const { id } = await addKey('key-hash');

    const caller = await stores.credentials.callerOf('key-hash', NOW);

    expect(caller).to.deep.equal({
      userId: user.id,
      email: user.email,
      name: 'Ada',
      organizationId: user.organizationId,
      role: 'org_admin',
      via: 'api-key',
      credentialId: `key:${String(id)}`,
      verifiedEmail: user.email,
      trustedProxy: false,
      expiresAt: null,
    });
  });

  it('lead from a session to the person behind it, until it is ended', async () => {
    await stores.credentials.addSession({ userId: user.id, hash: 'session-hash', expiresAt: LATER });

    const caller = await stores.credentials.callerOf('session-hash', NOW);
    await stores.credentials.deleteSession('session-hash');

    expect(caller).to.include({ userId: user.id, via: 'session' });
    expect(caller?.credentialId).to.match(/^session:\d+$/);
    expect(await stores.credentials.callerOf('session-hash', NOW)).to.equal(undefined);
  });

  it('are worth nothing from the moment they expire', async () => {
    await addKey('old key', EARLIER);
    await addKey('ending key', NOW);
    await addKey('good key', LATER);
    await stores.credentials.addSession({ userId: user.id, hash: 'old session', expiresAt: NOW });

    expect(await stores.credentials.callerOf('old key', NOW)).to.equal(undefined);
    expect(await stores.credentials.callerOf('ending key', NOW)).to.equal(undefined);
    expect(await stores.credentials.callerOf('good key', NOW)).to.include({ userId: user.id });
    expect(await stores.credentials.callerOf('old session', NOW)).to.equal(undefined);
  });

  it('are worth nothing while the account is disabled', async () => {
    await addKey('key');
    await stores.credentials.addSession({ userId: user.id, hash: 'session', expiresAt: LATER });
    await db('users').where('id', user.id).update({ enabled: false });

    expect(await stores.credentials.callerOf('key', NOW)).to.equal(undefined);
    expect(await stores.credentials.callerOf('session', NOW)).to.equal(undefined);
  });

  it('lead nowhere when nobody has them', async () => {
    expect(await stores.credentials.callerOf(`' OR '1'='1`, NOW)).to.equal(undefined);
  });

  it('are deleted by their owner alone', async () => {
    const { id } = await addKey('key');
    const other = await aUser(stores);

    expect(await stores.credentials.deleteKey(other.id, id)).to.equal(false);
    expect(await stores.credentials.deleteKey(user.id, 2 ** 40)).to.equal(false);
    expect(await stores.credentials.deleteKey(user.id, id)).to.equal(true);
    expect(await stores.credentials.callerOf('key', NOW)).to.equal(undefined);
  });

  it('are listed page by page, newest first, for their owner alone', async () => {
    const other = await aUser(stores);
    await addKey('foreign', null, other.id);
    const made = [await addKey('one'), await addKey('two', LATER), await addKey('three')];

    const first = await stores.credentials.listKeys(user.id, { limit: 2 });
    const second = await stores.credentials.listKeys(user.id, {
      limit: 2,
      cursor: first.nextCursor ?? undefined,
    });

    expect([...first.data, ...second.data]).to.deep.equal(made.toReversed());
    expect(second.nextCursor).to.equal(null);
  });

  it('forget sessions that have run out when their owner signs in again', async () => {
    await stores.credentials.addSession({
      userId: user.id,
      hash: 'stale',
      expiresAt: '2001-01-01T00:00:00.000Z',
    });

    await stores.credentials.addSession({
      userId: user.id,
      hash: 'fresh',
      expiresAt: '2999-01-01T00:00:00.000Z',
    });

    expect(await db('sessions').pluck('hash')).to.deep.equal(['fresh']);
  });
});
