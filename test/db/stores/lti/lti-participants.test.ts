import { expect } from 'chai';
import type { Knex } from 'knex';
import type { LtiPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores } from '../../../../src/core/stores.js';
import { describeOnEachEngine } from '../../../support/databases.js';
import { storesOn } from '../../fixtures.js';
import { aLaunch, aPlatform } from './lti-fixture.js';

describeOnEachEngine('those who take part in an activity', (open) => {
  let db: Knex;
  let stores: Stores;
  let platform: LtiPlatform;
  let activityId: number;
  let userId: number;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    platform = await aPlatform(stores);
    activityId = (await stores.activities.findOrCreate(platform.organizationId, aLaunch(platform))).id;
    userId = (await stores.ltiPeople.findOrCreate(platform, '4')).userId;
  });

  const named = () => stores.activities.change(activityId, { transcriptPolicy: 'named' });

  it('have a number each, the same however often and in however many windows they come', async () => {
    const { participants, ltiPeople } = stores;
    const others = [];
    for (let each = 0; each < 20; each++)
      others.push((await ltiPeople.findOrCreate(platform, `s${String(each)}`)).userId);
    const all = [userId, userId, userId, ...others];
    const joined = await Promise.all(all.map((each) => participants.join(activityId, each, 'learner')));

    expect(new Set(joined.slice(0, 3).map(({ number }) => number)).size).to.equal(1);
    expect(new Set(joined.map(({ number }) => number)).size).to.equal(21);
    const again = await participants.join(activityId, userId, 'instructor');
    expect(again).to.include({ number: joined[0]!.number, role: 'instructor', name: null });
    expect(again.firstSeenAt).to.equal(joined[0]!.firstSeenAt);
  });

  it('are told by their platform’s names: who came to teach by the roster they share, who came to learn latest first', async () => {
    const { activities, participants, ltiPeople } = stores;
    const services = {
      gradeScopes: [],
      membershipsUrl: 'https://m.example/2',
      lineItemUrl: 'https://m.example/4',
    };
    const link = { id: '2', title: 'Essay' };
    const other = await activities.findOrCreate(
      platform.organizationId,
      aLaunch(platform, { link, services }),
    );
    const elsewhere = await aPlatform(stores);
    const [tutor, learner] = [
      await ltiPeople.findOrCreate(platform, '5'),
      await ltiPeople.findOrCreate(platform, '6'),
    ];
    await participants.join(other.id, tutor.userId, 'instructor');
    await participants.join(activityId, userId, 'learner');
    await db('lti_participants').update({ last_seen_at: '2026-01-01T00:00:00.000Z' });
    await participants.join(other.id, learner.userId, 'learner');

    const teaching = (url: string, from = platform) => participants.instructorsOn(from.id, url);
    expect([...(await teaching('https://m.example/2'))]).to.deep.equal(['5']);
    expect([...(await teaching('https://m.example/3'))]).to.deep.equal([]);
    expect([...(await teaching('https://m.example/2', elsewhere))]).to.deep.equal([]);
    expect(await participants.learnersFrom([platform.id])).to.deep.equal([
      { subject: '6', courseId: '2', hasColumn: true },
      { subject: '4', courseId: '2', hasColumn: false },
    ]);
    expect(await participants.learnersFrom([platform.id], '4')).to.have.length(1);
    expect(await participants.learnersFrom([elsewhere.id])).to.deep.equal([]);
    expect(await participants.learnersFrom([])).to.deep.equal([]);
  });

  it('agree to be named where people are named, and are called so until they take it back', async () => {
    const { participants } = stores;
    await participants.join(activityId, userId, 'learner');
    expect(await participants.giveConsent(activityId, userId, 'sealed.v1.x')).to.equal(undefined);
    expect(await participants.consentOf(activityId, userId)).to.equal(undefined);

    await named();
    const at = await participants.giveConsent(activityId, userId, 'sealed.v1.x');
    expect(at).to.be.a('string');
    expect(await participants.giveConsent(activityId, userId)).to.equal(at);
    expect((await participants.get(activityId, userId))!.name).to.equal('sealed.v1.x');

    await participants.withdrawConsent(activityId, userId);
    expect(await participants.consentOf(activityId, userId)).to.equal(undefined);
    expect((await participants.get(activityId, userId))!.name).to.equal(null);
  });

  it('are named no longer at the moment the activity names nobody, and are asked again if it does', async () => {
    const { activities, participants } = stores;
    await participants.join(activityId, userId, 'learner');
    await named();
    await participants.giveConsent(activityId, userId, 'sealed.v1.x');
    await activities.change(activityId, { retentionDays: 5 });
    expect((await participants.get(activityId, userId))!.name).to.equal('sealed.v1.x');

    await activities.change(activityId, { transcriptPolicy: 'pseudonymous' });
    expect((await participants.get(activityId, userId))!.name).to.equal(null);
    await named();
    expect(await participants.consentOf(activityId, userId)).to.equal(undefined);
  });

  it('leave no name behind when they agree while the policy changes', async () => {
    const { activities, participants } = stores;
    await participants.join(activityId, userId, 'learner');
    for (let round = 0; round < 10; round++) {
      await named();
      await Promise.all([
        participants.giveConsent(activityId, userId, 'sealed.v1.x'),
        activities.change(activityId, { transcriptPolicy: 'none' }),
      ]);

      expect((await participants.get(activityId, userId))!.name).to.equal(null);
      expect(await participants.consentOf(activityId, userId)).to.equal(undefined);
    }
  });
});
