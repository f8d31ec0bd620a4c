import { expect } from 'chai';
import type { FrameLocator } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { judging } from '../../../http/support/lti-course-fixture.js';
import { aPerson, inDatabase, publish } from '../../../http/support/users-fixture.js';
import type { Activity } from '../../../support/lti-platform/school.js';
import { axeFaults } from '../../support/axe.js';
import { anAssistant, type ChatAssistant } from '../../support/chat-fixture.js';
import { aSeat, ask, type Course, type Seat, theCourse } from '../../support/lti-frame-fixture.js';

describeInBrowser('choosing assistants for a course', function () {
  this.timeout(120_000);
  let course: Course;
  let seat: Seat;
  before(async () => {
    course = await theCourse();
    seat = await aSeat(course);
  });
  after(() => seat.close());

  const published = async (answer: string, tools: readonly object[] = []): Promise<ChatAssistant> => {
    const { world, teacher } = course;
    const made = await anAssistant(world, teacher, [say(answer)], { repeat: true, tools });
    await publish(world.service, made.id, 'organization', teacher);
    return made;
  };
  const choosing = async ({ platform, tool }: Course = course): Promise<FrameLocator> => {
    const { page } = seat;
    await page.goto(platform.pageFor('teacher1'));
    // Suites share the platform: its page offers the tools of all.
    await page.locator(`[data-choose$="id=${String(tool.id)}"]`).click();
    return page.frameLocator('#choiceframe');
  };
  /** What came of the choice, once the page of the course shows it. */
  const chosen = async (count: number, tool = course.tool): Promise<readonly Activity[]> => {
    const entries = await course.platform.waitForJournal('deep_link', count, { tool });
    await seat.page.locator('#choice').waitFor({ state: 'hidden' });
    return entries.at(-1)?.['activities'] as readonly Activity[];
  };
  const choose = async (frame: FrameLocator, ...names: readonly string[]) => {
    for (const name of names) await frame.getByRole('checkbox', { name }).check();
  };

  it('places one activity with all of them, which is ready for students at once', async () => {
    const [one, other] = [await published('From the one.'), await published('From the other.')];
    await inDatabase(course.world.service, ({ suiteVerdicts }) =>
      suiteVerdicts.put({ assistantId: one.id, version: 99, contentHash: '', passed: true }),
    );

    const frame = await choosing();
    await frame.getByTestId('assistant-choice').getByText('Tests passed: version 99').waitFor();
    await frame.getByRole('button', { name: 'Add to the course' }).click();
    await frame.getByText('Choose at least one assistant.').waitFor();
    await choose(frame, one.name, other.name);
    await frame.getByRole('radio', { name: 'One activity with all of them' }).check();
    await frame.getByRole('button', { name: 'Add to the course' }).click();
    const placed = await chosen(1);
    const { page } = seat;
    await page.goto(
      `${course.platform.issuer}/login?user=student1&then=${encodeURIComponent(`/mod/lti/view.php?id=${String(placed[0]!.cmid)}`)}`,
    );
    const student = page.frameLocator('#contentframe');
    await student.getByRole('radio', { name: other.name }).check();
    await ask(student, 'Who are you?');
    await student.getByTestId('answer').getByText('From the other.').waitFor();

    expect(placed).to.have.length(1);
    expect(seat.complaints).to.deep.equal([]);
  });

  it('asks why of an administrator who places what has not passed its tests, and refuses everybody else', async () => {
    const { world, teacher, platform } = course;
    const password = 'a password for the administrator';
    const { organizationId } = teacher;
    // Nobody has connected an account to it yet.
    const register = { name: 'Another campus', organization_id: organizationId };
    const tool = await platform.addTool(world.service, { register });
    const administrator = await aPerson(world.service, { organizationId, role: 'org_admin', password });
    const gated = await anAssistant(world, teacher, [say('Untried.')], {
      metadata: { publish_gate: 'suite' },
    });
    await publish(world.service, gated.id, 'organization', teacher);
    const before = await platform.journal('deep_link', tool);

    const frame = await choosing({ ...course, tool });
    const refusal = frame.getByTestId('gate-refusal');
    await choose(frame, gated.name);
    await frame.getByRole('button', { name: 'Add to the course' }).click();
    await refusal.getByText('has not passed its scenarios').waitFor();
    expect(await refusal.getByText('Let it through all the same').count()).to.equal(0);
    await frame.getByRole('button', { name: 'Connect your account' }).click();
    await frame.getByLabel('E-mail').fill(administrator.email);
    await frame.getByLabel('Password').fill(password);
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await frame.getByTestId('account').getByText(administrator.email).waitFor();
    await frame.getByRole('button', { name: 'Add to the course' }).click();
    await refusal.getByText('Let it through all the same').click();
    const faults = await axeFaults(seat.framed());
    await refusal.getByLabel('Reason').fill('The course begins.');
    await refusal.getByRole('button', { name: 'Let it through' }).click();

    expect(await chosen(before.length + 1, tool)).to.have.length(1);
    expect(faults).to.deep.equal([]);
  });

  it('places one for each where that is wished, with a maximum grade for who proposes grades alone; there students can hand in at once', async () => {
    const { world, teacher, platform, tool } = course;
    const plain = await published('1');
    const judge = await published('2', await judging(world.service, teacher));
    const before = await platform.journal('deep_link', tool);

    const frame = await choosing();
    await choose(frame, plain.name);
    const withoutGrades = await frame.getByLabel('Maximum grade').count();
    await choose(frame, judge.name);
    const maximum = await frame.getByLabel('Maximum grade').inputValue();
    await frame.getByRole('radio', { name: 'One activity for each' }).check();
    await frame.getByRole('button', { name: 'Add to the course' }).click();
    const made = await chosen(before.length + 1);
    await seat.page.goto(platform.pageFor('student2', made[1]));
    await seat.page.frameLocator('#contentframe').getByRole('tab', { name: 'Hand in' }).waitFor();

    expect([withoutGrades, maximum]).to.deep.equal([0, '100']);
    expect(made.map(({ grade }) => grade)).to.deep.equal([null, 100]);
  });
});
