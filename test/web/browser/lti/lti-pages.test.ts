import { expect } from 'chai';
import type { FrameLocator, Request } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { axeFaults } from '../../support/axe.js';
import { anAssistant, type ChatAssistant } from '../../support/chat-fixture.js';
import {
  aLink,
  aSeat,
  ask,
  type Course,
  type Seat,
  setUpIn,
  theCourse,
} from '../../support/lti-frame-fixture.js';

const HOSTILE = '<img src=x onerror="top.hacked=window.hacked=1">';
const SIGHTS = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 640 },
] as const;
const WAIT_MS = 20_000;

/** One activity from before it is set up, in front of its teacher and of a student. */
describeInBrowser('the pages inside a course', function () {
  this.timeout(180_000);
  // Each goes on where the one before it has left the pages.
  this.bail(true);
  let course: Course;
  let plain: ChatAssistant;
  let other: ChatAssistant;
  let hostile: ChatAssistant;
  let teachers: Seat;
  let teacher: FrameLocator;
  let students: Seat;
  let student: FrameLocator;
  before(async () => {
    const { world, platform, teacher: person } = await theCourse();
    // One at which nobody has connected an account yet.
    const register = { name: 'Another campus', organization_id: person.organizationId };
    const tool = await platform.addTool(world.service, { register });
    course = { world, platform, teacher: person, tool };
    const answer = `${HOSTILE}\n\n<script>window.hacked=1</script> [x](javascript:top.hacked=1)`;
    plain = await anAssistant(world, person, [say('I am plain.')], { repeat: true });
    other = await anAssistant(world, person, [say('No, `x = 1`.')], { repeat: true });
    const name = `${uniqueName('assistant')} ${HOSTILE}`;
    const traits = { name, description: HOSTILE, repeat: true };
    hostile = { ...(await anAssistant(world, person, [say(answer)], traits)), name };
    const activity = await aLink(course, { title: `${uniqueName('activity')} ${HOSTILE}` });
    teachers = await aSeat(course);
    students = await aSeat(course, { locale: 'eu-ES' });
    await students.page.clock.install();
    teacher = await teachers.open('teacher1', activity);
    student = await students.open('student1', activity);
  });
  after(() => Promise.all([teachers.close(), students.close()]));

  /** What axe finds in the tool's own document, and whether it has to be scrolled sideways. */
  async function faultsAt({ page, framed }: Seat): Promise<string[]> {
    const found: string[] = [];
    for (const { colorScheme, width } of SIGHTS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const frame = framed();
      const isWide = await frame.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      const faults = [...(await axeFaults(frame)), ...(isWide ? ['wider than its frame'] : [])];
      found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
    }
    return found;
  }
  const canBeUsed = async (seat: Seat, state: string) => {
    expect(await faultsAt(seat), `${state}, for everybody`).to.deep.equal([]);
  };
  const tab = (title: string) => teacher.getByRole('tab', { name: title });
  const save = async () => {
    const saved = teachers.page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await teacher.getByRole('button', { name: 'Save', exact: true }).click();
    await saved;
    await tab('Try it').click();
  };

  it('speak the language of the course, and another where somebody chooses it', async () => {
    const language = student.getByRole('combobox');
    await student.getByText('Your teacher has not set this activity up yet.').waitFor();
    const first = await students.framed().evaluate('document.documentElement.lang');
    await canBeUsed(students, 'waiting');
    await language.selectOption('ca');
    await student.getByText('El teu docent encara no ha preparat aquesta activitat.').waitFor();
    const second = await students.framed().evaluate('document.documentElement.lang');
    await language.selectOption('en');
    await student.getByText('Your teacher has not').waitFor();

    expect([first, second]).to.deep.equal(['en', 'ca']);
  });

  it('keep no password of an account that was not connected after all', async () => {
    const dialog = teacher.getByRole('dialog');
    const password = dialog.getByLabel('Password');
    await teacher.getByTestId('account').waitFor();
    await canBeUsed(teachers, 'setting up');

    await teacher.getByRole('button', { name: 'Connect your account' }).click();
    await password.fill('not to be seen');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.locator('[aria-invalid]').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await teacher.getByRole('button', { name: 'Connect your account' }).click();

    expect(await password.inputValue()).to.equal('');
    expect(await dialog.locator('[aria-invalid]').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('let a teacher set an activity up by an account of theirs, who has had no conversation then', async () => {
    await setUpIn(teacher, {
      ...{ as: course.teacher, choose: [plain.name, other.name], policy: 'You, with names' },
    });

    expect(await teacher.getByRole('tab').allTextContents()).to.deep.equal([
      ...['Try it', 'Dashboard', 'Conversations', 'Grades', 'Settings'],
    ]);
    await teacher.getByRole('button', { name: 'Your conversations' }).click();
    await teacher.getByRole('dialog').getByText('You have had no conversation').waitFor();
    await teacher.getByRole('dialog').press('Escape');
  });

  it('take a student in who has waited for that, and can be used by everybody', async () => {
    await students.page.clock.runFor(WAIT_MS + 1_000);
    await student.getByRole('button', { name: 'I agree' }).waitFor();
    await canBeUsed(students, 'consent');
    await student.getByRole('button', { name: 'I agree' }).click();
    await student.getByRole('radio', { name: other.name }).check();
    expect(await student.locator('[type=radio]:focus').count(), 'keys go on from there').to.equal(1);
    await canBeUsed(students, 'choosing whom to ask');
    await ask(student, 'Is it so?');
    await student.getByTestId('answer').getByText('x = 1').waitFor();
    await canBeUsed(students, 'chat');
    await student.getByRole('button', { name: 'Your conversations' }).click();
    await student.getByTestId('conversation').waitFor();
    await canBeUsed(students, 'history');

    expect(await student.getByRole('tab').count()).to.equal(0);
  });

  it('can be used by every teacher', async () => {
    for (const title of ['Dashboard', 'Conversations', 'Grades', 'Settings']) {
      await tab(title).click();
      await teacher.getByRole('tabpanel', { name: title }).waitFor();
      await teachers.page.waitForLoadState('networkidle');
      await canBeUsed(teachers, title);
    }
  });

  it('begin new conversations with whom they hold now, once another assistant stands in them', async () => {
    const hold = async ({ name }: ChatAssistant, ...others: readonly ChatAssistant[]) => {
      await tab('Settings').click();
      for (const each of others) await teacher.getByRole('checkbox', { name: each.name }).uncheck();
      await teacher.getByRole('checkbox', { name }).check();
      await save();
    };
    const answers = teacher.getByTestId('answer');
    await hold(hostile, plain, other);
    await ask(teacher, 'Who is here?');
    await answers.getByText('window.hacked=1').first().waitFor();
    await hold(plain, hostile);
    await teacher.getByText('This assistant is no longer part of the activity.').waitFor();
    await teacher.getByRole('button', { name: 'New conversation' }).click();
    await ask(teacher, 'And now?');
    await answers.getByText('I am plain.').waitFor();
    await teacher.getByRole('button', { name: 'New conversation' }).click();
    await hold(hostile, plain);

    await teacher.getByRole('textbox', { name: 'Your question' }).waitFor();
    expect(teachers.complaints).to.deep.equal([]);
  });

  it('keep settings that are not saved while another part is looked at, and promise what they then show', async () => {
    const days = teacher.getByLabel('Erase after (days)');
    await teacher.getByText('You will see what is looked up, and where the answer comes from.').waitFor();
    await tab('Settings').click();
    await days.fill('30');
    await teacher.getByRole('switch', { name: 'Show the steps' }).uncheck();
    await tab('Try it').click();
    await tab('Settings').click();
    const kept = await days.inputValue();
    await save();
    await teacher.getByText('You will see where the answer comes from.').waitFor();
    await tab('Settings').click();

    expect(kept).to.equal('30');
    expect(await days.inputValue()).to.equal('30');
  });

  it('show names and answers of others as text', async () => {
    await students.reloadFrame();
    await student.getByRole('button', { name: 'New conversation' }).click();
    await ask(student, HOSTILE);
    await student.getByRole('button', { name: 'Copy the answer' }).waitFor();
    await student.getByRole('button', { name: 'Your conversations' }).click();
    await student.getByTestId('conversation').nth(1).waitFor();

    expect(await student.getByTestId('answer').textContent()).to.include(HOSTILE);
    for (const [seat, frame] of [
      [students, student],
      [teachers, teacher],
    ] as const) {
      expect(await seat.framed().evaluate('window.hacked')).to.equal(undefined);
      expect(await seat.page.evaluate('window.hacked')).to.equal(undefined);
      expect(await frame.locator('img, .block script, a[href^="javascript"]').count()).to.equal(0);
      expect(await frame.getByRole('heading', { level: 1 }).textContent()).to.include(HOSTILE);
      expect(seat.complaints).to.deep.equal([]);
    }
  });

  it('say what to do, so that everybody can use it, once a visit is over', async () => {
    await teachers.framed().goto(`${course.world.service.url}/lti/activity/none`);
    await teacher.getByText('Open the activity again').waitFor();
    await canBeUsed(teachers, 'over');
  });

  it('are offered in a window of their own where the frame gets no cookie back', async () => {
    const { world } = course;
    const activity = await aLink(course);
    const seat = await aSeat(course);
    await seat.context.route(`${world.service.url}/lti/login**`, async (route) => {
      // Asked by us: what the browser's own tools ask for would bring it the cookie.
      const { status, headers } = await asked(route.request());
      const { 'set-cookie': _, ...kept } = Object.fromEntries(headers);
      await route.fulfill({ status, headers: kept });
    });
    const frame = await seat.open('student1', activity);
    const onward = frame.getByRole('button', { name: /Sam Student/ });
    await onward.waitFor();

    const [opened] = await Promise.all([seat.context.waitForEvent('page'), onward.click()]);
    await opened.getByText('Your teacher has not set this activity up yet.').waitFor();

    expect(new URL(opened.url()).pathname).to.match(/^\/lti\/activity\/[\w-]+$/);
    await seat.close();
  });
});

const asked = (request: Request): Promise<Response> =>
  fetch(request.url(), {
    method: request.method(),
    headers: { 'content-type': request.headers()['content-type'] ?? '' },
    body: request.postData(),
    redirect: 'manual',
  });
