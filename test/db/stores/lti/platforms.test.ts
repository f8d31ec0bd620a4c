import { expect } from 'chai';
import type { Knex } from 'knex';
import type { NewPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores, User } from '../../../../src/core/stores.js';
import { describeOnEachEngine } from '../../../support/databases.js';
import { aUser, storesOn } from '../../fixtures.js';

const modern: NewPlatform = {
  kind: '1.3',
  name: 'Moodle',
  enabled: true,
  issuer: 'https://moodle.example',
  clientId: 'client',
  deploymentIds: [`1'; --`, '2'],
  authLoginUrl: 'https://moodle.example/auth',
  authTokenUrl: 'https://moodle.example/token',
  keySetUrl: 'https://moodle.example/certs',
};
const old: NewPlatform = {
  ...{ kind: '1.1', name: 'Sakai', enabled: true },
  ...{ consumerKey: 'key', sharedSecret: 'sealed.v1.x' },
};

describeOnEachEngine('registered platforms and the audit', (open) => {
  let db: Knex;
  let stores: Stores;
  let user: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    user = await aUser(stores);
  });

  it('come back as they were registered, and keep what a change leaves out', async () => {
    const { platforms } = stores;
    const [one, two] = [
      await platforms.create(user.organizationId, modern),
      await platforms.create(user.organizationId, old),
    ];

    expect(await platforms.get(one.id)).to.deep.include(modern);
    const changed = await platforms.update(two.id, { enabled: false });
    expect(changed).to.deep.include({ ...old, enabled: false });
    const { data } = await platforms.list({ organizationId: user.organizationId }, { limit: 5 });
    expect(data.map(({ id }) => id)).to.deep.equal([two.id, one.id]);
    expect(await platforms.delete(one.id)).to.equal(true);
    expect([await platforms.get(one.id), await platforms.get(2 ** 40)]).to.deep.equal([undefined, undefined]);
  });

  it('are never two of the same issuer and client, or of the same key, in one organisation', async () => {
    const { platforms } = stores;
    await platforms.create(user.organizationId, modern);
    await platforms.create(user.organizationId, old);
    const elsewhere = (await aUser(stores)).organizationId;

    for (const platform of [modern, old]) {
      const outcome = await platforms.create(user.organizationId, platform).catch((fault: unknown) => fault);
      expect(outcome).to.include({ status: 409 });
      expect(await platforms.create(elsewhere, platform)).to.include({ organizationId: elsewhere });
    }
    expect(
      (await platforms.ofIssuer('https://moodle.example')).map(({ organizationId }) => organizationId),
    ).to.deep.equal([user.organizationId, elsewhere]);
    expect(await platforms.ofConsumerKey('key')).to.have.length(2);
  });

  it('is read newest first, whatever was written at the same moment, by who, where, when and what', async () => {
    const { audit } = stores;
    const entry = { userId: user.id, organizationId: user.organizationId, runId: null };
    const denied = {
      ...entry,
      action: 'list users',
      resource: 'Ärger',
      outcome: 'denied',
      reason: '',
    } as const;
    for (let n = 0; n < 5; n++) await audit.record(denied);
    await audit.record({ ...denied, outcome: 'done', userId: null, organizationId: null, reason: '100%' });
    await db('audit').update({ created_at: '2026-01-01T00:00:00.000Z' });

    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await audit.list({}, { limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const count = async (filter: Parameters<typeof audit.list>[0]) =>
      (await audit.list(filter, { limit: 50 })).data.length;

    expect(seen)
      .to.deep.equal([...new Set(seen)].sort((a, b) => b - a))
      .and.have.length(6);
    expect((await audit.list({ userId: user.id }, { limit: 1 })).data[0]).to.deep.include({
      ...denied,
      userEmail: user.email,
      at: '2026-01-01T00:00:00.000Z',
    });
    expect(await count({ organizationId: user.organizationId, outcome: 'denied' })).to.equal(5);
    expect(await count({ q: '100%' })).to.equal(1);
    expect(await count({ q: user.email.toUpperCase() })).to.equal(5);
    expect(await count({ since: '2026-01-01T00:00:00.001Z' })).to.equal(0);
    expect(await count({ userId: 2 ** 40 })).to.equal(0);
  });
});
