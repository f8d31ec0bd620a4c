import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Launch } from '../../../../src/core/lti/launch-stores.js';
import type { LtiPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores } from '../../../../src/core/stores.js';
import { describeOnEachEngine } from '../../../support/databases.js';
import { aUser, storesOn } from '../../fixtures.js';
import { aLaunch, aPlatform } from './lti-fixture.js';

const NOW = '2026-06-01T12:00:00.000Z';
const SOON = '2026-06-01T12:00:01.000Z';
const LATER = '2026-06-01T20:00:00.000Z';

describeOnEachEngine('people who come from platforms, and their visits', (open) => {
  let db: Knex;
  let stores: Stores;
  let platform: LtiPlatform;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    platform = await aPlatform(stores);
  });

  it('are somebody once, also when they come twice at once, and tell nothing of themselves', async () => {
    const both = await Promise.all([
      stores.ltiPeople.findOrCreate(platform, `O'Brien "4"`),
      stores.ltiPeople.findOrCreate(platform, `O'Brien "4"`),
    ]);
    const other = await stores.ltiPeople.findOrCreate(await aPlatform(stores), `O'Brien "4"`);

    expect(both[0]).to.deep.equal(both[1]);
    expect(other.userId).not.to.equal(both[0].userId);
    const user = (await stores.users.byId(both[0].userId))!;
    expect(user).to.include({ name: '', role: 'student', passwordHash: null });
    expect(user.email).to.match(/^[0-9a-f-]{36}@lti\.invalid$/);
    expect(await db('users').where('email', 'like', '%@lti.invalid')).to.have.length(2);
    const { data } = await stores.users.list({}, { limit: 50 });
    expect(data.map(({ id }) => id)).not.to.include(user.id);
  });

  it('are linked to an account of theirs, and no longer when it is gone or they say so', async () => {
    const { ltiPeople } = stores;
    const [one, two] = [
      await ltiPeople.findOrCreate(platform, '1'),
      await ltiPeople.findOrCreate(platform, '2'),
    ];
    const teacher = await aUser(stores, { organizationId: platform.organizationId });
    await ltiPeople.link(one.userId, teacher.id);
    await ltiPeople.link(two.userId, teacher.id);

    expect((await ltiPeople.linkedTo(teacher.id)).map(({ userId }) => userId)).to.deep.equal([
      one.userId,
      two.userId,
    ]);
    await ltiPeople.link(one.userId, null);
    expect(await ltiPeople.byUser(one.userId)).to.deep.equal(one);
    await db('users').where('id', teacher.id).del();
    expect((await ltiPeople.byUser(two.userId))!.linkedUserId).to.equal(null);
    expect(await ltiPeople.linkedTo(2 ** 40)).to.deep.equal([]);
  });

  async function aVisit(changes: Partial<Launch> = {}): Promise<Launch> {
    const { userId } = await stores.ltiPeople.findOrCreate(platform, '4');
    const launch: Launch = {
      ...{ id: randomUUID(), userId, platformId: platform.id, activityId: null, role: 'learner' },
      ...{ courseId: '2', browserHash: 'browser', tokenHash: randomUUID(), facts: 'sealed.v1.x' },
      expiresAt: LATER,
      ...changes,
    };
    await stores.launches.open(launch);
    return launch;
  }

  it('visit until the time is over, by a token that stands for whom the platform named', async () => {
    const { id: activityId } = await stores.activities.findOrCreate(
      platform.organizationId,
      aLaunch(platform),
    );
    const visit = await aVisit({ activityId, role: 'instructor' });

    expect(await stores.launches.get(visit.id, NOW)).to.deep.equal(visit);
    expect(await stores.launches.get(visit.id, LATER)).to.equal(undefined);
    expect(await stores.launches.get(`${visit.id}\0`, NOW)).to.equal(undefined);
    const holder = (await stores.credentials.callerOf(visit.tokenHash, NOW))!;
    expect(holder).to.deep.include({
      ...{ userId: visit.userId, role: 'student', via: 'lti', credentialId: `lti:${String(visit.userId)}` },
      launch: { sessionId: visit.id, platformId: platform.id, activityId, role: 'instructor' },
    });
    expect([holder.verifiedEmail, holder.lms]).to.deep.equal([undefined, undefined]);
    await stores.platforms.update(platform.id, { siteUrl: 'https://sakai.example' });
    expect((await stores.credentials.callerOf(visit.tokenHash, NOW))!.lms).to.deep.equal({
      ...{ issuer: 'https://sakai.example', userId: '4', courseId: '2' },
    });
    expect(await stores.credentials.callerOf(visit.tokenHash, LATER)).to.equal(undefined);
    await stores.platforms.update(platform.id, { enabled: false });
    expect(await stores.credentials.callerOf(visit.tokenHash, NOW)).to.equal(undefined);
  });

  it('end one by one, with their browser, and with time', async () => {
    const { launches } = stores;
    const [one, two] = [await aVisit(), await aVisit({ browserHash: 'other' })];
    const past = await aVisit({ browserHash: 'other', expiresAt: NOW });
    expect(await launches.usersOf('other', NOW)).to.deep.equal([two.userId]);

    expect(await launches.sweep(NOW)).to.equal(1);
    await launches.endOfBrowser('browser');
    expect(await launches.get(one.id, NOW)).to.equal(undefined);
    expect(await launches.get(two.id, NOW)).to.deep.equal(two);
    await launches.end(two.id);
    expect([await launches.get(two.id, NOW), await launches.get(past.id, '')]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('come by tickets that one of many gets, for one purpose, in time', async () => {
    const { tickets } = stores;
    const ticket = { purpose: 'lti login', hash: 'h', payload: `{"odd":"'"}`, expiresAt: SOON } as const;
    expect(await Promise.all([tickets.leave(ticket), tickets.leave(ticket)])).to.have.members([true, false]);
    expect(await tickets.take('lti launch', 'h', NOW)).to.equal(undefined);

    const taken = await Promise.all(Array.from({ length: 8 }, () => tickets.take('lti login', 'h', NOW)));
    expect(taken.filter((payload) => payload !== undefined)).to.deep.equal([ticket.payload]);

    await tickets.leave(ticket);
    expect(await tickets.take('lti login', 'h', SOON)).to.equal(undefined);
    await tickets.leave({ ...ticket, hash: 'other' });
    expect(await tickets.sweep(SOON)).to.equal(1);
  });

  it('are signed for with the newest key; the ones before are shown until they are swept', async () => {
    const { ltiKeys } = stores;
    for (const kid of ['one', 'two']) await ltiKeys.add({ kid, publicJwk: '{}', privateKey: 'sealed.v1.x' });

    const [two, one] = await ltiKeys.list();
    expect(two).to.deep.include({ kid: 'two', publicJwk: '{}', privateKey: 'sealed.v1.x', retiredAt: null });
    expect(one).to.include({ kid: 'one' }).and.property('retiredAt').to.be.a('string');
    expect(await ltiKeys.sweep('2020-01-01T00:00:00.000Z')).to.equal(0);
    expect(await ltiKeys.sweep('2999-01-01T00:00:00.000Z')).to.equal(1);
    expect((await ltiKeys.list()).map(({ kid }) => kid)).to.deep.equal(['two']);
  });
});
