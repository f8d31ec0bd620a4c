import { expect } from 'chai';
import type { Request } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { axeFaults } from '../../support/axe.js';
import { anAssistant } from '../../support/chat-fixture.js';
import {
  aLink,
  aReadyActivity,
  aSeat,
  ask,
  type Course,
  type Seat,
  setUp,
  theCourse,
} from '../../support/lti-frame-fixture.js';

const HOSTILE = '<img src=x onerror="top.hacked=window.hacked=1">';
const SIGHTS = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 640 },
] as const;

describeInBrowser('the pages inside a course', function () {
  this.timeout(180_000);
  let course: Course;
  let seat: Seat;
  before(async () => {
    course = await theCourse();
  });
  afterEach(() => seat.close());

  /** What axe finds in the tool's own document, and whether it has to be scrolled sideways. */
  async function faultsAs({ colorScheme, width }: (typeof SIGHTS)[number]): Promise<string[]> {
    await seat.page.emulateMedia({ colorScheme });
    await seat.page.setViewportSize({ width, height: 900 });
    const frame = seat.framed();
    const found = await axeFaults(frame);
    const isWide = await frame.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    return isWide ? [...found, 'wider than its frame'] : found;
  }

  it('can be used by everybody: dark, 390 pixels wide, and light, 640 pixels wide', async () => {
    const { world, teacher } = course;
    const { name } = await anAssistant(world, teacher, [say('Yes, `x = 1`.')], { repeat: true });
    const other = await anAssistant(world, teacher, [say('No.')], { repeat: true });
    const activity = await aLink(course);
    seat = await aSeat(course);
    const faults: Record<string, string[]> = {};
    const look = async (state: string) => {
      for (const sight of SIGHTS) faults[`${state}, ${sight.colorScheme}`] = await faultsAs(sight);
    };

    const waiting = await seat.open('student1', activity);
    await waiting.getByText('Your teacher has not').waitFor();
    await look('waiting');
    const setup = await seat.open('teacher1', activity);
    await setup.getByTestId('account').waitFor();
    await look('setup');
    const tried = await setUp(seat, activity, {
      ...{ as: teacher, choose: [name, other.name], policy: 'You, with names' },
    });
    for (const tab of ['Dashboard', 'Conversations', 'Grades', 'Settings']) {
      await tried.getByRole('tab', { name: tab }).click();
      await tried.getByRole('tabpanel', { name: tab }).waitFor();
      await seat.page.waitForLoadState('networkidle');
      await look(tab);
    }
    const frame = await seat.open('student1', activity);
    await frame.getByRole('button', { name: 'I agree' }).waitFor();
    await look('consent');
    await frame.getByRole('button', { name: 'I agree' }).click();
    await frame.getByRole('radio', { name: other.name }).check();
    expect(await frame.locator('[type=radio]:focus').count(), 'keys go on from there').to.equal(1);
    await look('choosing whom to ask');
    await ask(frame, 'Is it so?');
    await frame.getByTestId('answer').getByText('No.').waitFor();
    await look('chat');
    await frame.getByRole('button', { name: 'Your conversations' }).click();
    await frame.getByTestId('conversation').waitFor();
    await look('history');
    await seat.framed().goto(`${world.service.url}/lti/activity/none`);
    await frame.getByText('Open the activity again').waitFor();
    await look('over');

    for (const [state, found] of Object.entries(faults)) expect(found, state).to.deep.equal([]);
    expect(Object.keys(faults)).to.have.length(22);
  });

  it('show names and answers of others as text', async () => {
    const { world, teacher } = course;
    const answer = `${HOSTILE}\n\n<script>window.hacked=1</script> [x](javascript:top.hacked=1)`;
    const name = `${uniqueName('assistant')} ${HOSTILE}`;
    await anAssistant(world, teacher, [say(answer)], { repeat: true, name, description: HOSTILE });
    const activity = await aLink(course, { title: `${uniqueName('activity')} ${HOSTILE}` });
    seat = await aSeat(course);

    await setUp(seat, activity, { as: teacher, choose: [name] });
    const frame = await seat.open('student1', activity);
    await ask(frame, HOSTILE);
    await frame.getByRole('button', { name: 'Copy the answer' }).waitFor();
    await frame.getByRole('button', { name: 'Your conversations' }).click();
    await frame.getByTestId('conversation').waitFor();

    expect(await seat.framed().evaluate('window.hacked')).to.equal(undefined);
    expect(await seat.page.evaluate('window.hacked')).to.equal(undefined);
    expect(await frame.locator('img, .block script, a[href^="javascript"]').count()).to.equal(0);
    expect(await frame.getByRole('heading', { level: 1 }).textContent()).to.include(HOSTILE);
    expect(seat.complaints).to.deep.equal([]);
  });

  it('speak the language of the course, and another where somebody chooses it', async () => {
    seat = await aSeat(course, { locale: 'eu-ES' });
    const activity = await aLink(course);
    const frame = await seat.open('student1', activity);
    const language = frame.getByRole('combobox');
    await language.waitFor();
    const first = await seat.framed().evaluate('document.documentElement.lang');

    await language.selectOption('ca');
    await frame.getByText('El teu docent encara no ha preparat aquesta activitat.').waitFor();

    expect(first).to.equal('en');
    expect(await seat.framed().evaluate('document.documentElement.lang')).to.equal('ca');
  });

  it('keep settings that are not saved while another part is looked at, and promise what they then show', async () => {
    const { world, teacher } = course;
    const assistant = await anAssistant(world, teacher, [say('Yes.')]);
    seat = await aSeat(course);
    const frame = await seat.open('teacher1', await aReadyActivity(course, [assistant]));
    const tab = (title: string) => frame.getByRole('tab', { name: title });
    const days = frame.getByLabel('Erase after (days)');

    await frame.getByText('You will see what is looked up, and where the answer comes from.').waitFor();
    await tab('Settings').click();
    await days.fill('30');
    await frame.getByRole('switch', { name: 'Show the steps' }).uncheck();
    await tab('Try it').click();
    await tab('Settings').click();
    const kept = await days.inputValue();
    const saved = seat.page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await saved;
    await tab('Try it').click();
    await frame.getByText('You will see where the answer comes from.').waitFor();
    await tab('Settings').click();

    expect(kept).to.equal('30');
    expect(await days.inputValue()).to.equal('30');
  });

  it('are offered in a window of their own where the frame gets no cookie back', async () => {
    const { world } = course;
    const activity = await aLink(course);
    seat = await aSeat(course);
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
  });
});

const asked = (request: Request): Promise<Response> =>
  fetch(request.url(), {
    method: request.method(),
    headers: { 'content-type': request.headers()['content-type'] ?? '' },
    body: request.postData(),
    redirect: 'manual',
  });
