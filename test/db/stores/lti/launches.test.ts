import { expect } from 'chai';
import type { LaunchFacts } from '../../../../src/core/lti/launch.js';
import type { LtiPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores } from '../../../../src/core/stores.js';
import { describeOnEachEngine } from '../../../support/databases.js';
import { aUser, storesOn } from '../../fixtures.js';

const NOW = '2026-11-15T12:00:00.000Z';
const LATER = '2026-11-15T20:00:00.000Z';
const MANY = Array.from({ length: 8 }, (_, at) => at);

describeOnEachEngine('what launches leave behind', (open) => {
  let stores: Stores;
  let platform: LtiPlatform;
  beforeEach(async () => {
    stores = storesOn(await open());
    const { organizationId } = await aUser(stores);
    platform = await stores.platforms.create(organizationId, {
      ...{ kind: '1.3', name: 'Moodle', enabled: true, issuer: 'https://moodle.example', clientId: 'client' },
      deploymentIds: ['1'],
      authLoginUrl: 'https://moodle.example/auth',
      authTokenUrl: 'https://moodle.example/token',
      keySetUrl: 'https://moodle.example/certs',
    });
  });

  const facts = (title = 'Tutor') =>
    ({
      ...{ kind: 'activity', platformId: platform.id, deploymentId: '1', subject: '4', role: 'learner' },
      ...{ name: 'Sam', custom: {}, services: { gradeScopes: [] }, link: { id: '7', title } },
    }) as LaunchFacts & { kind: 'activity' };

  const aVisit = async (id: string, subject = '4', browserHash = 'browser') => {
    const { userId } = await stores.ltiPeople.findOrCreate(platform, subject);
    await stores.launches.open({
      ...{ id, userId, platformId: platform.id, activityId: null, role: 'learner', courseId: '2' },
      ...{ browserHash, tokenHash: `token of ${id}`, facts: 'sealed', expiresAt: LATER },
    });
    return userId;
  };

  it('is one person however often they come at once', async () => {
    const met = await Promise.all(MANY.map(() => stores.ltiPeople.findOrCreate(platform, '4')));

    expect(new Set(met.map(({ userId }) => userId)).size).to.equal(1);
    const other = await stores.ltiPeople.findOrCreate(platform, '04');
    expect(other.userId).to.not.equal(met[0]!.userId);
  });

  it('is one activity for each link, by its present names', async () => {
    const met = await Promise.all(
      MANY.map(() => stores.activities.findOrCreate(platform.organizationId, facts())),
    );
    const renamed = await stores.activities.findOrCreate(platform.organizationId, facts('Coach'));

    expect(new Set(met.map(({ id }) => id))).to.deep.equal(new Set([renamed.id]));
    expect(renamed).to.include({ title: 'Coach', configuredAt: null, transcriptPolicy: 'none' });
  });

  it('is configured by whoever is first, once', async () => {
    const { id } = await stores.activities.findOrCreate(platform.organizationId, facts());

    const first = await Promise.all(MANY.map(() => stores.activities.configureFirst(id, { assistants: [] })));

    expect(first.filter(Boolean)).to.have.length(1);
  });

  it('is one number for each who takes part', async () => {
    const { id } = await stores.activities.findOrCreate(platform.organizationId, facts());
    const people = await Promise.all(MANY.map((at) => stores.ltiPeople.findOrCreate(platform, String(at))));

    const joined = await Promise.all(
      people.flatMap(({ userId }) => [0, 1].map(() => stores.participants.join(id, userId, 'learner'))),
    );

    expect(new Set(joined.map(({ number }) => number)).size).to.equal(people.length);
  });

  it('is a visit for hours, found by its token, and over with its browser', async () => {
    const userId = await aVisit('one');
    await aVisit('other', '5', 'another browser');
    const holder = () => stores.credentials.callerOf('token of one', NOW);

    expect(await stores.launches.get('one', NOW)).to.include({ userId, courseId: '2' });
    expect(await stores.launches.get('one', LATER)).to.equal(undefined);
    expect(await holder()).to.deep.include({
      ...{ userId, role: 'student', via: 'lti', credentialId: `lti:${String(userId)}`, name: '' },
      lms: { issuer: 'https://moodle.example', userId: '4', courseId: '2' },
    });
    expect(await stores.launches.usersOf('browser', NOW)).to.deep.equal([userId]);
    await stores.launches.endOfBrowser('browser');
    expect(await holder()).to.equal(undefined);
    expect(await stores.launches.get('other', NOW)).to.not.equal(undefined);
  });

  it('is worth nothing while its platform is switched off', async () => {
    await aVisit('one');
    await stores.platforms.update(platform.id, { enabled: false });

    expect(await stores.credentials.callerOf('token of one', NOW)).to.equal(undefined);
  });

  it('is a newest key that signs, and older ones until they are swept up', async () => {
    const { ltiKeys } = stores;
    const key = (kid: string) => ({ kid, publicJwk: '{}', privateKey: 'sealed' });

    await ltiKeys.add(key('a'));
    await ltiKeys.add(key('b'));

    const keys = await ltiKeys.list();
    expect(keys.filter(({ retiredAt }) => retiredAt === null).map(({ kid }) => kid)).to.deep.equal(['b']);
    expect(await ltiKeys.sweep('2020-01-01T00:00:00.000Z')).to.equal(0);
    expect(await ltiKeys.sweep('2999-01-01T00:00:00.000Z')).to.equal(1);
    expect((await ltiKeys.list()).map(({ kid }) => kid)).to.deep.equal(['b']);
  });

  it('is several keys that are all known when several processes make one at once', async () => {
    const { ltiKeys } = stores;
    await Promise.all(MANY.map((at) => ltiKeys.add({ kid: String(at), publicJwk: '{}', privateKey: 's' })));

    const keys = await ltiKeys.list();

    expect(keys).to.have.length(MANY.length);
    expect(keys.some(({ retiredAt }) => retiredAt === null)).to.equal(true);
  });
});
