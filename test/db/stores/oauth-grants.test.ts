import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const NOW = '2026-06-01T12:00:00.000Z';
const LATER = '2026-06-01T13:00:00.000Z';
const MUCH_LATER = '2026-07-01T12:00:00.000Z';

describeOnEachEngine('grants of programs', (open) => {
  let db: Knex;
  let stores: Stores;
  let user: User;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    user = await aUser(stores);
  });

  const agree = (codeHash: string, userId = user.id) =>
    stores.oauthGrants.agree({
      ...{ userId, codeHash, clientHash: 'client', clientName: 'Desk', redirectUri: 'http://127.0.0.1/' },
      ...{ resource: 'http://x/mcp', codeChallenge: 'challenge', expiresAt: LATER },
    });
  const tokens = (accessHash: string) => ({
    ...{ accessHash, accessExpiresAt: LATER, expiresAt: MUCH_LATER },
  });
  const begun = async (name: string, userId = user.id) => {
    const id = await agree(`code of ${name}`, userId);
    await stores.oauthGrants.trade(`code of ${name}`, `family of ${name}`, NOW);
    await stores.oauthGrants.begin(id, tokens(`access of ${name}`));
    return id;
  };

  it('are traded once for a code, also by many at once, and lead whoever trades it again to what came of it', async () => {
    const id = await agree('code');

    const traded = await Promise.all(
      Array.from({ length: 5 }, (_, n) => stores.oauthGrants.trade('code', `family ${String(n)}`, NOW)),
    );

    expect(traded.filter((grant) => grant && 'codeHash' in grant)).to.have.length(1);
    for (const grant of traded.filter((one) => one && 'usedBefore' in one))
      expect(grant).to.deep.equal({ usedBefore: { id, userId: user.id } });
    expect(await stores.oauthGrants.trade('no code', 'family', NOW)).to.equal(undefined);
  });

  it('are worth nothing from the moment their code has expired', async () => {
    await agree('code');

    expect(await stores.oauthGrants.trade('code', 'family', LATER)).to.equal(undefined);
    expect(await stores.oauthGrants.sweep(NOW)).to.equal(0);
    expect(await stores.oauthGrants.sweep(LATER)).to.equal(1);
  });

  it('lead from an access token to its person, until it expires, is renewed or ended, or the account is off', async () => {
    const id = await begun('one');
    const callerOf = (hash: string, at = NOW) => stores.credentials.callerOf(hash, at);

    expect(await callerOf('access of one')).to.include({
      ...{ userId: user.id, via: 'oauth', credentialId: `oauth:${String(id)}`, verifiedEmail: user.email },
      ...{ trustedProxy: false, expiresAt: LATER },
    });
    expect(await callerOf('access of one', LATER)).to.equal(undefined);
    expect(await callerOf('family of one')).to.equal(undefined);
    await stores.oauthGrants.refresh(id, 0, tokens('next access'));
    expect(await callerOf('access of one')).to.equal(undefined);
    await db('users').where('id', user.id).update({ enabled: false });
    expect(await callerOf('next access')).to.equal(undefined);
    await db('users').where('id', user.id).update({ enabled: true });
    expect(await callerOf('next access')).to.include({ userId: user.id });
    expect(await stores.oauthGrants.end(user.id, id)).to.equal(true);
    expect(await callerOf('next access')).to.equal(undefined);
  });

  it('are refreshed by one of many who come with the same round', async () => {
    const id = await begun('one');

    const made = await Promise.all(
      Array.from({ length: 5 }, () => stores.oauthGrants.refresh(id, 0, tokens('next'))),
    );

    expect(made.filter(Boolean)).to.have.length(1);
    expect(await stores.oauthGrants.family('family of one')).to.include({
      id,
      round: 1,
      expiresAt: MUCH_LATER,
    });
  });

  it('are listed and ended for their person alone, those without tokens not at all', async () => {
    const other = await aUser(stores);
    const [first, second] = [await begun('one'), await begun('two')];
    await begun('foreign', other.id);
    await agree('nobody came for it');

    const { data } = await stores.oauthGrants.list(user.id, { limit: 10 });

    expect(data.map(({ id }) => id)).to.deep.equal([second, first]);
    expect(data[0]).to.include({
      clientName: 'Desk',
      redirectUri: 'http://127.0.0.1/',
      expiresAt: MUCH_LATER,
    });
    expect(await stores.oauthGrants.end(other.id, first)).to.equal(false);
    expect(await stores.oauthGrants.end(user.id, 2 ** 40)).to.equal(false);
  });

  it('go with the person who is erased, and with a new password or an account switched off', async () => {
    const others = await Promise.all([aUser(stores), aUser(stores), aUser(stores)]);
    const [erased, renewed, off] = others;
    for (const { id } of others) await begun(`of ${String(id)}`, id);

    await db('users').where('id', erased.id).del();
    await stores.users.update(renewed.id, { passwordHash: 'another' });
    await stores.users.update(off.id, { enabled: false });

    expect(await db('oauth_grants')).to.deep.equal([]);
  });
});
