import { expect } from 'chai';
import { aLearningPlatform, anActivity, aVisitor } from '../../support/launched.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aCourse, configuring, judging, type Shown } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, disable, inDatabase, publish } from '../support/users-fixture.js';

describe('setting up an activity', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  it('is for whoever teaches there: by what they may use, on the books, and they lend it', async () => {
    const { service } = world;
    const { platform, assistant } = await aCourse(world);
    const activity = await anActivity(service, platform);
    const teacher = await aVisitor(service, platform, { activity, role: 'instructor' });

    const settings = { retention_days: 30, steps_visible: false };
    const body = { assistant_ids: [assistant.id], ...settings };
    const { status, json } = await configuring(world, activity, teacher, body);

    expect(status).to.equal(200);
    expect(json).to.deep.include({
      ...{ id: activity.id, configured: true, transcript_policy: 'none', ...settings, pinned_version: null },
      ...{ evaluation: null, platform_name: 'Moodle', course_title: 'Biology 101' },
      assistants: [
        {
          id: assistant.id,
          name: assistant.name,
          description: '',
          vision: false,
          attachments: false,
          ...{ greeting: '', starters: [], avatar: null },
          may_use: true,
          evaluates: false,
        },
      ],
    });
    const kept = await inDatabase(service, ({ activities }) => activities.get(activity.id));
    expect(kept!.assistants).to.deep.equal([{ assistantId: assistant.id, addedBy: teacher.id }]);
    expect((await auditOf(service, teacher)).at(-1)).to.include({
      ...{ action: 'change activity', resource: `activity ${String(activity.id)}`, outcome: 'done' },
      reason: 'changed assistant_ids, retention_days, steps_visible',
    });
  });

  it('is not for students, not for those who teach elsewhere, and not for other organisations', async () => {
    const { service } = world;
    const { activity, platform, visitor } = await aCourse(world);
    const other = await anActivity(service, platform);
    const [student, elsewhere] = [
      await visitor(),
      await aVisitor(service, platform, { activity: other, role: 'instructor' }),
    ];
    const stranger = await aPerson(service, { role: 'org_admin' });

    const body = { retention_days: 1 };
    refusalOf(await configuring(world, activity, student, body), 403);
    refusalOf(await configuring(world, activity, student), 403);
    for (const each of [elsewhere, stranger]) {
      refusalOf(await configuring(world, activity, each, body), 404);
      expect((await auditOf(service, each)).at(-1)).to.include({ outcome: 'denied' });
    }
    const choosing = await aVisitor(service, platform, { role: 'instructor' });
    refusalOf(await configuring(world, activity, choosing, body), 404);
    refusalOf(await configuring(world, { id: 2 ** 31 }, stranger), 404);
  });

  it('says field by field what cannot be', async () => {
    const { service } = world;
    const { activity, assistant, owner, visitor } = await aCourse(world);
    const teacher = await visitor({ role: 'instructor' });
    const hidden = await service.createAssistant({}, { key: owner.key });
    const second = await service.createAssistant({}, { key: owner.key });
    await publish(service, second.id, 'organization', owner);
    const faultsOf = async (body: object) => {
      const { errors = [], code } = refusalOf(await configuring(world, activity, teacher, body), 422);
      expect(code).to.equal('invalid_configuration');
      return errors.map(({ path }) => path);
    };

    expect(await faultsOf({ assistant_ids: [assistant.id, hidden.id] })).to.deep.equal(['assistant_ids.1']);
    expect(await faultsOf({ assistant_ids: [] })).to.deep.equal(['assistant_ids']);
    const both = { assistant_ids: [assistant.id, second.id] };
    expect(await faultsOf({ ...both, pinned_version: 1 })).to.deep.equal(['pinned_version']);
    expect(await faultsOf({ pinned_version: 99 })).to.deep.equal(['pinned_version']);
    expect(await faultsOf({ evaluation: { assistant_id: assistant.id } })).to.deep.equal([
      'evaluation.assistant_id',
    ]);
    expect(await faultsOf({ evaluation: { assistant_id: second.id } })).to.deep.equal([
      'evaluation.assistant_id',
    ]);
    for (const body of [{ retention_days: 0 }, { transcript_policy: 'all' }, { other: 1 }]) {
      refusalOf(await configuring(world, activity, teacher, body), 400);
    }
  });

  it('pins what is there now; what was before is for those who may edit the assistant', async () => {
    const { service } = world;
    const { activity, assistant, owner, visitor } = await aCourse(world);
    const teacher = await visitor({ role: 'instructor' });
    const body = { name: assistant.name, version: assistant.version, system_prompt: 'Two.' };
    const path = `/lamb/v1/assistants/${String(assistant.id)}`;
    const { json } = await service.request<{ version: number }>(path, {
      method: 'PUT',
      key: owner.key,
      body,
    });
    const pin = async (who: { readonly key: string }, version: number | null) =>
      (await configuring(world, activity, who, { pinned_version: version })).status;

    expect(await pin(teacher, 1)).to.equal(422);
    expect(await pin(teacher, json.version)).to.equal(200);
    expect(await pin(owner, 1)).to.equal(200);
    expect(await pin(teacher, 1)).to.equal(200);
    expect(await pin(teacher, null)).to.equal(200);
    expect(await pin(teacher, 1)).to.equal(422);
  });

  it('lets go of a pin and of an evaluation with the assistant they hung on', async () => {
    const { service } = world;
    const { activity, assistant, owner } = await aCourse(world);
    const tools = await judging(service, owner);
    const metadata = { _format_version: 2, connector: 'openai', llm: 'm', tools };
    const { id } = await service.createAssistant({ metadata }, { key: owner.key });
    const evaluation = { assistant_id: id };
    const wanted = { assistant_ids: [id], pinned_version: 1, evaluation };
    const set = await configuring(world, activity, owner, wanted);
    expect(set.json).to.deep.include({ pinned_version: 1, evaluation });
    expect(set.json.assistants[0]).to.include({ id, evaluates: true });

    const { json } = await configuring(world, activity, owner, { assistant_ids: [assistant.id] });
    expect([json.pinned_version, json.evaluation]).to.deep.equal([null, null]);
  });

  it('keeps by whose right something stands until that right is gone, and then takes it over', async () => {
    const { service } = world;
    const { activity, assistant, owner, visitor } = await aCourse(world);
    const fellow = await aColleagueOf(service, owner);
    const placer = await aColleagueOf(service, owner);
    await inDatabase(service, ({ activities }) =>
      activities.change(activity.id, { assistants: [{ assistantId: assistant.id, addedBy: placer.id }] }),
    );
    const teacher = await visitor({ role: 'instructor' });
    const placedBy = async () =>
      (await inDatabase(service, ({ activities }) => activities.get(activity.id)))!.assistants[0]!.addedBy;
    const again = { assistant_ids: [assistant.id] };

    await configuring(world, activity, teacher, again);
    expect(await placedBy()).to.equal(placer.id);
    await disable(service, placer);
    expect((await configuring(world, activity, teacher)).json.assistants[0]).to.include({ may_use: false });
    const { json } = await configuring(world, activity, teacher, again);
    expect(json.assistants[0]).to.include({ may_use: true });
    expect(await placedBy()).to.equal(teacher.id);
    refusalOf(await configuring(world, activity, fellow), 404);
  });

  it('is listed for administrators by organisation, and for makers where they have placed something', async () => {
    const { service } = world;
    const { activity, owner, platform } = await aCourse(world);
    const unconfigured = await anActivity(service, platform);
    const administrator = await aColleagueOf(service, owner, 'org_admin');
    const listFor = async ({ key }: { readonly key: string }, query = '') => {
      const path = `/lamb/v1/lti/activities${query}`;
      const { json } = await service.request<{ data: readonly Shown[] }>(path, { key });
      return json.data.map(({ id }) => id);
    };

    expect(await listFor(administrator)).to.deep.equal([unconfigured.id, activity.id]);
    expect(await listFor(owner)).to.deep.equal([activity.id]);
    expect(await listFor(await aColleagueOf(service, owner))).to.deep.equal([]);
    expect(await listFor(await aPerson(service, { role: 'org_admin' }))).to.deep.equal([]);
    expect(
      await listFor({ key: service.adminKey }, `?platform_id=${String(platform.id)}&q=tutor`),
    ).to.deep.equal([unconfigured.id, activity.id]);
    const elsewhere = await aLearningPlatform(service, owner);
    expect(await listFor(administrator, `?platform_id=${String(elsewhere.id)}`)).to.deep.equal([]);
  });
});
