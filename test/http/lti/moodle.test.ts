import { expect } from 'chai';
import { calls, say } from '../../support/fakes/model-script.js';
import { LTI } from '../../support/lti-platform/claims.js';
import {
  launch,
  launch11,
  type Launched,
  openSession,
  pressOn,
} from '../../support/lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import {
  aPupil,
  assistantFor,
  type Pupil,
  type PupilFacts,
  seenBy,
  toolMessages,
} from '../support/students-fixture.js';
import { inDatabase } from '../support/users-fixture.js';

const FUNCTIONS = ['get_moodle_courses', 'get_moodle_grades', 'get_moodle_deadlines'];
const asking = [calls(FUNCTIONS.map((name) => ({ name, arguments: {} }))), say('Done.')];

describe('Moodle’s data for whom a launch brought', function () {
  this.timeout(60_000);

  let world: TestService;
  let moodle: FakeMoodle;
  let platform: LtiPlatform;
  before(async () => {
    [world, moodle, platform] = await Promise.all([sharedService(), startFakeMoodle(), startLtiPlatform()]);
  });
  after(() => Promise.all([moodle.stop(), platform.stop()]));

  /** A platform of the pupil's organisation that says it is this site. */
  const aTool = ({ organizationId }: Pupil, issuer: string) =>
    platform.addTool(world.service, { issuer, register: { organization_id: organizationId } });

  const launchedAs = (tool: OurTool, { moodleId }: Pupil) =>
    launch(platform, {
      ...{ tool, as: 'student1' },
      change: (claims) => ({ ...claims, sub: String(moodleId) }),
    });

  /** Puts an assistant into the activity they have come to, and asks it. */
  async function ask(launched: Launched, assistantId: number, addedBy: Pupil) {
    const api = await openSession(launched);
    await inDatabase(world.service, async ({ activities, launches }) => {
      const visit = await launches.get(api.session, new Date().toISOString());
      const assistants = [{ assistantId, addedBy: addedBy.id }];
      await activities.change(visit!.activityId!, { assistants });
    });
    const answer = await api.chat(assistantId, 'What do I have to do?');
    expect(answer.status, answer.text).to.equal(200);
  }

  const peopleAskedAbout = async ({ token }: Pupil) => [
    ...new Set((await moodle.ledger(token)).map(({ body }) => body.fields['userid'])),
  ];

  async function expectNothingRead(pupil: Pupil, model: string) {
    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
    const messages = await toolMessages(world, model);
    expect(messages).to.have.length(FUNCTIONS.length);
    for (const told of messages) expect(told).to.match(/^Error: It is not known who/);
  }

  it('is that of the person the platform signed for, when it is the organisation’s own site (M1)', async () => {
    const pupil = await aPupil({ world, moodle }, { matchByEmail: false });
    const { id, model } = await assistantFor({ world }, pupil, asking);

    await ask(await launchedAs(await aTool(pupil, moodle.url), pupil), id, pupil);

    expect(await peopleAskedAbout(pupil)).to.deep.equal([String(pupil.moodleId)]);
    expect((await toolMessages(world, model)).join('\n')).to.contain(pupil.course.fullname);
  });

  describe('when Moodle keeps the course back that they came from', () => {
    const COURSE = { id: 4711, title: 'Botany <b>II</b>' };
    const everything = ['get_moodle_courses', 'get_moodle_assignments', 'get_moodle_grades'];
    const askedOf = (args: object) => [
      calls(everything.map((name) => ({ name, arguments: name.endsWith('courses') ? {} : args }))),
      say('Done.'),
    ];
    /** Their launch names a course; what Moodle shows of it depends on the token. */
    const told = async (facts: PupilFacts, { args = {}, courseId = COURSE.id } = {}) => {
      const pupil = await aPupil({ world, moodle }, { matchByEmail: false, ...facts });
      const { id, model } = await assistantFor({ world }, pupil, askedOf(args));
      const launched = await launch(platform, {
        ...{ tool: await aTool(pupil, moodle.url), as: 'student1' },
        change: (claims) => ({
          ...claims,
          sub: String(pupil.moodleId),
          [`${LTI}context`]: { id: String(courseId), title: COURSE.title, type: ['CourseSection'] },
        }),
      });
      await ask(launched, id, pupil);
      return { texts: await toolMessages(world, model), pupil };
    };
    const NOTHING = /no courses|no assignments|no grades|\bnone\b|not one of your courses/i;

    it('says that Moodle did not show it, by its name, and never that there are no courses', async () => {
      const { texts } = await told({ lacks: ['moodle/user:viewdetails'] });

      expect(texts).to.have.length(3);
      for (const text of texts) {
        expect(text).to.contain('Moodle did not show').and.contain('Botany II').and.contain('course_id 4711');
        expect(text)
          .to.match(/teacher/)
          .and.not.match(NOTHING);
      }
      const line = await world.service.waitForLog(
        ({ msg }) => msg === 'Moodle keeps back the course of a launch',
      );
      expect(line['capability']).to.contain('moodle/user:viewdetails');
    });

    it('says so beside the courses that are shown', async () => {
      const { texts, pupil } = await told({});

      for (const text of texts)
        expect(text)
          .to.contain(pupil.course.fullname)
          .and.contain('Moodle did not show')
          .and.contain('Botany II');
    });

    it('says so when asked for that very course', async () => {
      const { texts } = await told({}, { args: { course_id: COURSE.id } });

      for (const text of texts.slice(1))
        expect(text).to.contain('Moodle did not show').and.contain('Botany II').and.not.match(NOTHING);
    });

    it('says nothing of it when it is there', async () => {
      const pupil = await aPupil({ world, moodle }, { matchByEmail: false });
      const { id, model } = await assistantFor({ world }, pupil, askedOf({}));
      const launched = await launch(platform, {
        ...{ tool: await aTool(pupil, moodle.url), as: 'student1' },
        change: (claims) => ({
          ...claims,
          sub: String(pupil.moodleId),
          [`${LTI}context`]: { id: String(pupil.course.id), title: 'Biology', type: ['CourseSection'] },
        }),
      });

      await ask(launched, id, pupil);

      expect((await toolMessages(world, model)).join('\n')).not.to.contain('did not show');
    });
  });

  it('is named in a template by {moodle_user}', async () => {
    const pupil = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, pupil, [say('Hello.')], {
      tools: [],
      metadata: { prompt_processor: 'moodle_augment' },
      prompt_template: 'I am number {moodle_user}. {user_input}',
    });

    await ask(await launchedAs(await aTool(pupil, moodle.url), pupil), id, pupil);
    expect(await seenBy(world, model)).to.contain(`I am number ${String(pupil.moodleId)}.`);
  });

  it('is nobody’s when the launch is from another site, whatever e-mail comes with it (M3)', async () => {
    const pupil = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, pupil, asking);
    const tool = await aTool(pupil, 'https://another-moodle.example');
    const launched = await launch(platform, {
      ...{ tool, as: 'student1' },
      change: (claims) => ({ ...claims, sub: String(pupil.moodleId), email: pupil.email }),
    });

    await ask(launched, id, pupil);

    await expectNothingRead(pupil, model);
  });

  it('is nobody’s when what the platform calls them is no number of Moodle’s (M3)', async () => {
    const pupil = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, pupil, asking);
    const tool = await aTool(pupil, moodle.url);
    const launched = await launch(platform, {
      ...{ tool, as: 'student1' },
      change: (claims) => ({ ...claims, sub: `${String(pupil.moodleId)} or 1` }),
    });

    await ask(launched, id, pupil);

    await expectNothingRead(pupil, model);
  });

  it('is nobody’s for an assistant of another organisation, with a Moodle of the same address', async () => {
    const [pupil, stranger] = [await aPupil({ world, moodle }), await aPupil({ world, moodle })];
    const { id, model } = await assistantFor({ world }, stranger, asking);
    const published = await world.service.request(`/lamb/v1/assistants/${String(id)}/publish`, {
      ...{ key: stranger.key, body: { published: true, publish_scope: 'everyone' } },
    });
    expect(published.status).to.equal(200);

    await ask(await launchedAs(await aTool(pupil, moodle.url), pupil), id, pupil);

    await expectNothingRead(stranger, model);
    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
  });

  for (const [what, isKnown] of [
    ['which site it is was said by an administrator', true],
    ['nobody has said which site it is', false],
  ] as const)
    it(`is ${isKnown ? 'theirs' : 'nobody’s'} after a launch of LTI 1.1 when ${what}`, async () => {
      const pupil = await aPupil({ world, moodle });
      const { id, model } = await assistantFor({ world }, pupil, asking);
      const tool = await platform.addTool(world.service, {
        version: '1.1',
        register: {
          organization_id: pupil.organizationId,
          ...(isKnown ? { site_url: moodle.url } : {}),
        },
      });
      const begun = await launch11(platform, {
        ...{ tool, as: 'student1' },
        change: (params) =>
          params.map(([name, value]) => [name, name === 'user_id' ? String(pupil.moodleId) : value]),
      });

      await ask(await pressOn(begun), id, pupil);

      if (isKnown) expect(await peopleAskedAbout(pupil)).to.deep.equal([String(pupil.moodleId)]);
      else await expectNothingRead(pupil, model);
    });
});
