import { expect } from 'chai';
import type { Knex } from 'knex';
import type { LtiPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores, User } from '../../../../src/core/stores.js';
import { describeOnEachEngine } from '../../../support/databases.js';
import { aUser, content, storesOn } from '../../fixtures.js';
import { aLaunch, aPlatform } from './lti-fixture.js';

describeOnEachEngine('activities', (open) => {
  let db: Knex;
  let stores: Stores;
  let platform: LtiPlatform;
  let owner: User;
  let assistantId: number;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    platform = await aPlatform(stores);
    owner = await aUser(stores, { organizationId: platform.organizationId });
    assistantId = (await stores.assistants.create(owner, content())).id;
  });

  const meet = (changes: Parameters<typeof aLaunch>[1] = {}) =>
    stores.activities.findOrCreate(platform.organizationId, aLaunch(platform, changes));
  const placed = () => [{ assistantId, addedBy: owner.id }];

  it('are closed and held for half a year until somebody says otherwise', async () => {
    expect(await meet()).to.deep.include({
      ...{ configuredAt: null, assistants: [], pinnedVersion: null, transcriptPolicy: 'none' },
      ...{ retentionDays: 180, stepsVisible: true, evaluationAssistantId: null, platformEnabled: true },
      ...{ title: 'Tutor', course: { id: '2', title: 'Biology' }, platformName: 'Sakai' },
    });
  });

  it('are one for each link of each deployment, also when two people open it at once', async () => {
    const met = await Promise.all([meet(), meet(), meet({ deploymentId: '2' })]);
    const other = await meet({ link: { id: '2', title: 'Tutor' } });

    expect(new Set(met.map(({ id }) => id)).size).to.equal(2);
    expect(met[0].id).to.equal(met[1].id);
    expect(met.map(({ id }) => id)).not.to.include(other.id);
  });

  it('are called what the platform calls them now, odd letters and all, and keep a grade column that was made', async () => {
    const { id } = await meet();
    await stores.activities.setLineItem(id, 'https://moodle.example/lineitems/4');
    const services = { gradeScopes: ['score'], lineItemsUrl: 'https://moodle.example/lineitems' };
    const again = await meet({ link: { id: '1', title: `Túto'r\0"` }, course: undefined, services });

    expect(again).to.deep.include({ id, title: `Túto'r\uFFFD"`, course: { id: '', title: '' } });
    expect(again.services).to.deep.include({
      ...{ gradeScopes: ['score'], lineItemsUrl: 'https://moodle.example/lineitems' },
      lineItemUrl: 'https://moodle.example/lineitems/4',
    });
    expect(await stores.activities.titles([id, 2 ** 40])).to.deep.equal(new Map([[id, `Túto'r\uFFFD"`]]));
  });

  it('are configured for the first time by one of those who come at once', async () => {
    const { id } = await meet();
    const both = await Promise.all(
      [10, 20].map((retentionDays) =>
        stores.activities.configureFirst(id, { assistants: placed(), retentionDays }),
      ),
    );

    expect(both.filter(Boolean)).to.have.length(1);
    const held = (await stores.activities.get(id))!;
    expect(held.retentionDays).to.equal(both[0] ? 10 : 20);
    expect(held.assistants).to.deep.equal(placed());
    expect(await stores.activities.configureFirst(id, { retentionDays: 30 })).to.equal(false);
  });

  it('keep what a change leaves out, and hold whole sets when two change them at once', async () => {
    const { id } = await meet();
    const { id: second } = await stores.assistants.create(owner, content());
    const two = [...placed(), { assistantId: second, addedBy: owner.id }];
    await stores.activities.change(id, { assistants: two, stepsVisible: false, pinnedVersion: 1 });
    await Promise.all([
      stores.activities.change(id, { assistants: placed() }),
      stores.activities.change(id, { assistants: [two[1]!, two[0]!] }),
    ]);

    const held = (await stores.activities.get(id))!;
    expect(held).to.include({ stepsVisible: false, pinnedVersion: 1 });
    expect([placed(), [two[1], two[0]]]).to.deep.include(held.assistants);
    expect(await stores.activities.change(id, { pinnedVersion: null })).to.include({ pinnedVersion: null });
    expect(await stores.activities.change(2 ** 40, {})).to.equal(undefined);
  });

  it('are listed by organisation, platform, who placed something there, and words', async () => {
    const { id } = await meet();
    const { id: other } = await meet({ link: { id: '2', title: 'Química' } });
    await stores.activities.change(id, { assistants: placed() });
    const list = async (filter: Parameters<Stores['activities']['list']>[0]) =>
      (await stores.activities.list(filter, { limit: 5 })).data.map((each) => each.id);

    expect(await list({ organizationId: platform.organizationId })).to.deep.equal([other, id]);
    expect(await list({ organizationId: platform.organizationId + 1 })).to.deep.equal([]);
    expect(await list({ platformId: platform.id, q: 'quím' })).to.deep.equal([other]);
    expect(await list({ platformId: 2 ** 40 })).to.deep.equal([]);
    expect(await list({ q: 'biology', addedBy: [owner.id] })).to.deep.equal([id]);
    expect(await list({ addedBy: [] })).to.deep.equal([]);
  });

  it('keep a platform from being deleted', async () => {
    await meet();
    let fault: unknown;
    await stores.platforms.delete(platform.id).catch((error: unknown) => (fault = error));
    expect(fault).to.include({ status: 409 });
  });
});
