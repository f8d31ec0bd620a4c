import { expect } from 'chai';
import { readSecretKey } from '../../../src/security/secret-box.js';
import { createPlacements } from '../../../src/security/signed-links.js';
import { launch } from '../../support/lti-platform/launching.js';
import { judging } from '../support/lti-course-fixture.js';
import { auditOf, type Door, theDoor } from '../support/lti-launch-client.js';
import { aPerson, inDatabase, type Person } from '../support/users-fixture.js';

describe('a link that was chosen here', function () {
  this.timeout(60_000);

  let door: Door;
  let teacher: Person;
  let assistantId: number;
  before(async () => {
    door = await theDoor();
    teacher = await aPerson(door.service);
    assistantId = (await door.service.createAssistant({}, { key: teacher.key })).id;
  });

  const placements = async () =>
    createPlacements(await readSecretKey({ secretKey: undefined, dataDir: door.service.dataDir }));

  /** The activity as it is after somebody has come to a link with this parameter. */
  async function opened(token: string, as = 'student1', link = undefined as Link | undefined) {
    const { platform, tool, service } = door;
    const activity = link ?? (await platform.addActivity(tool, { custom: { bellwether_placement: token } }));
    const { session, status } = await launch(platform, { tool, as, activity });
    expect(status).to.equal(303);
    const met = await inDatabase(service, async ({ activities, launches }) => {
      const visit = await launches.get(session!, new Date().toISOString());
      return activities.get(visit!.activityId!);
    });
    return { link: activity, activity: met! };
  }
  type Link = Awaited<ReturnType<Door['platform']['addActivity']>>;

  const tokenFor = async (change: object = {}) =>
    (await placements()).write({
      ...{ platformId: door.tool.platformId, assistantIds: [assistantId], addedBy: teacher.id },
      ...change,
    });

  it('holds what was chosen from its first launch on, by the right of who chose it', async () => {
    const { activity } = await opened(await tokenFor());

    expect(activity.assistants).to.deep.equal([{ assistantId, addedBy: teacher.id }]);
    expect(activity.configuredAt).to.be.a('string');
    expect(activity).to.include({ transcriptPolicy: 'none', retentionDays: 180, stepsVisible: true });
  });

  it('has its grades proposed from the first launch on, as it was placed, by whoever still can', async () => {
    const metadata = {
      ...{ _format_version: 2, connector: 'openai', llm: 'm' },
      tools: await judging(door.service, teacher),
    };
    const judge = await door.service.createAssistant({ metadata }, { key: teacher.key });
    const both = [assistantId, judge.id];

    const graded = await opened(await tokenFor({ assistantIds: both, evaluatorId: judge.id }));
    const incapable = await opened(await tokenFor({ assistantIds: both, evaluatorId: assistantId }));
    const foreign = await opened(await tokenFor({ evaluatorId: judge.id }));

    expect(graded.activity.evaluationAssistantId).to.equal(judge.id);
    expect(incapable.activity.evaluationAssistantId).to.equal(null);
    expect(foreign.activity.evaluationAssistantId).to.equal(null);
  });

  it('is its instructor’s from then on', async () => {
    const { link, activity } = await opened(await tokenFor());
    await inDatabase(door.service, ({ activities }) => activities.change(activity.id, { assistants: [] }));

    const again = await opened('', 'student2', link);

    expect(again.activity.assistants).to.deep.equal([]);
  });

  for (const [what, tokenOf, reason] of [
    ['made for another platform', () => tokenFor({ platformId: 9_999 }), 'another platform'],
    ['forged', async () => `${await tokenFor()}x`, 'not made here'],
    ['made up', () => Promise.resolve('{"assistant_ids":[1]}'), 'not made here'],
    ['of assistants that are gone', () => tokenFor({ assistantIds: [99_999] }), 'nothing of it is left'],
    ['by somebody who is gone', () => tokenFor({ addedBy: 99_999 }), 'nothing of it is left'],
  ] as const)
    it(`waits for its instructor when what it brings is ${what}, which is on record`, async () => {
      const before = (await auditOf(door)).length;

      const { activity } = await opened(await tokenOf());

      expect(activity.configuredAt).to.equal(null);
      expect(activity.assistants).to.deep.equal([]);
      const added = (await auditOf(door)).slice(before);
      expect(added).to.have.length(1);
      expect(added[0]).to.include({ action: 'LTI placement', outcome: 'denied', user_id: null });
      expect(added[0]!.reason).to.contain(reason);
    });
});
