import { expect } from 'chai';
import type { FrameLocator } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { call, held, say } from '../../../support/fakes/model-script.js';
import { anAssistant, knowledgeOf } from '../../support/chat-fixture.js';
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
import { aCollection, CELLS } from '../../support/page-fixture.js';

const ANSWER = 'Plants make **sugar** in their chloroplasts [1].\n\nThe rest is $E = mc^2$.';
const WAIT_MS = 20_000;

describeInBrowser('an activity in the frame of another site', function () {
  this.timeout(120_000);
  let course: Course;
  let seat: Seat;
  before(async () => {
    course = await theCourse();
  });
  afterEach(() => seat.close());

  const answered = (frame: FrameLocator) =>
    frame.getByTestId('answer').last().getByRole('button', { name: 'Copy the answer' }).waitFor();
  /** How much the tool keeps in the browser, as far as it is let. */
  const stored = (at: Seat) =>
    at.framed().evaluate<number>(`(() => {
      try {
        return localStorage.length + sessionStorage.length + document.cookie.length;
      } catch {
        return document.cookie.length;
      }
    })()`);

  it('waits with the student for the teacher, who sets it up by an account of theirs', async () => {
    const { world, teacher } = course;
    const { name } = await anAssistant(world, teacher, [say('Hello, Sam.')]);
    const activity = await aLink(course);
    seat = await aSeat(course);
    const students = await aSeat(course);
    await students.page.clock.install();
    const waiting = await students.open('student1', activity);
    await waiting.getByText('Your teacher has not set this activity up yet.').waitFor();

    const frame = await setUp(seat, activity, { as: teacher, choose: [name] });
    await students.page.clock.runFor(WAIT_MS + 1_000);
    await ask(waiting, 'Who am I?');
    await answered(waiting);

    expect(await frame.getByRole('tab').allTextContents()).to.deep.equal([
      ...['Try it', 'Dashboard', 'Conversations', 'Grades', 'Settings'],
    ]);
    expect(await waiting.getByTestId('answer').textContent()).to.include('Hello, Sam.');
    expect(await waiting.getByRole('tab').count()).to.equal(0);
    expect([...seat.complaints, ...students.complaints]).to.deep.equal([]);
    await students.close();
  });

  it('keeps no password of an account that was not connected after all', async () => {
    seat = await aSeat(course);
    const frame = await seat.open('teacher2', await aLink(course));
    const dialog = frame.getByRole('dialog');
    const password = dialog.getByLabel('Password');

    await frame.getByRole('button', { name: 'Connect your account' }).click();
    await password.fill('not to be seen');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.locator('[aria-invalid]').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await frame.getByRole('button', { name: 'Connect your account' }).click();

    expect(await password.inputValue()).to.equal('');
    expect(await dialog.locator('[aria-invalid]').count()).to.equal(0);
  });

  it('tells its teacher right after it was set up that they have had no conversation', async () => {
    const { world, teacher } = course;
    const { name } = await anAssistant(world, teacher, [say('Hello.')]);
    seat = await aSeat(course);
    const frame = await setUp(seat, await aLink(course), { as: teacher, choose: [name] });
    await frame.getByRole('button', { name: 'Your conversations' }).click();
    await frame.getByRole('dialog').getByText('You have had no conversation').waitFor();
  });

  it('answers a student with steps and numbered sources, and goes on after a reload', async () => {
    const { world, teacher } = course;
    const { id: collection } = await aCollection(world.service, teacher, [CELLS]);
    const gate = uniqueName('gate');
    const assistant = await anAssistant(
      world,
      teacher,
      [call('query_knowledge_base', { query: 'plants sugar' }), held(gate, say(ANSWER, { chunks: 9 }))],
      { tools: [knowledgeOf('function', collection)] },
    );
    seat = await aSeat(course);

    const frame = await seat.open('student1', await aReadyActivity(course, [assistant]));
    const notice = await frame.getByTestId('policy').textContent();
    await ask(frame, 'How do plants make sugar?');
    await frame.locator('[data-testid=step][data-state=completed]').waitFor();
    const status = await frame.getByRole('status').textContent();
    await world.model.release(gate);
    await answered(frame);
    await frame.locator('.markdown math').waitFor();
    await frame.getByRole('link', { name: /^Source 1/ }).click();
    const source = await frame.locator('[data-testid=source]:focus').textContent();
    const hasWaysIntoTheHouse = await frame.locator('a[href^="/"]').count();
    await seat.reloadFrame();
    await frame.getByTestId('source').first().waitFor();

    expect(notice).to.include('Only you can read your conversations');
    expect(status).to.not.equal('');
    expect(source).to.include('cells.md');
    expect(hasWaysIntoTheHouse).to.equal(0);
    expect(await frame.getByTestId('question').count()).to.equal(1);
    expect(await stored(seat)).to.equal(0);
    expect(seat.framed().url()).to.not.include('bwl_');
    expect(seat.complaints).to.deep.equal([]);
  });

  it('begins new conversations with whom it holds now, once another assistant stands in it', async () => {
    const { world, teacher } = course;
    const [first, second] = await Promise.all([
      anAssistant(world, teacher, [say('I was here.')]),
      anAssistant(world, teacher, [say('I am here now.')]),
    ]);
    seat = await aSeat(course);
    const frame = await seat.open('teacher1', await aReadyActivity(course, [first]));
    const hold = async (name: string, notName: string) => {
      await frame.getByRole('tab', { name: 'Settings' }).click();
      await frame.getByRole('checkbox', { name: notName }).uncheck();
      await frame.getByRole('checkbox', { name }).check();
      const isSaved = seat.page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await frame.getByRole('button', { name: 'Save' }).click();
      await isSaved;
      await frame.getByRole('tab', { name: 'Try it' }).click();
    };
    await ask(frame, 'Who is here?');
    await answered(frame);
    await hold(second.name, first.name);
    await frame.getByText('This assistant is no longer part of the activity.').waitFor();
    await frame.getByRole('button', { name: 'New conversation' }).click();
    await ask(frame, 'And now?');
    await frame.getByTestId('answer').getByText('I am here now.').waitFor();
    await frame.getByRole('button', { name: 'New conversation' }).click();
    await hold(first.name, second.name);

    await frame.getByRole('textbox', { name: 'Your question' }).waitFor();
    expect(seat.complaints).to.deep.equal([]);
  });

  it('shows a second student in the same browser nothing of the first', async () => {
    const { world, teacher } = course;
    const assistant = await anAssistant(world, teacher, [say('Said to the first.')]);
    const activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
    const first = await seat.open('student1', activity);
    await ask(first, 'Mine alone?');
    await answered(first);
    const address = seat.framed().url();

    const second = await seat.open('student2', activity);
    await second.getByTestId('policy').waitFor();
    await second.getByRole('button', { name: 'Your conversations' }).click();
    const history = await second.getByRole('dialog').textContent();
    const shown = await second.locator('body').textContent();
    await seat.framed().goto(address);
    await second.getByText('Open the activity again from your course').waitFor();

    expect(history).to.include('You have had no conversation');
    expect(shown).to.not.include('Said to the first');
    expect(shown).to.not.include('Mine alone?');
    expect(await second.locator('body').textContent()).to.not.include('Mine alone?');
  });

  it('stays in its conversation when that could not be read at once after a reload', async () => {
    const { world, teacher } = course;
    const assistant = await anAssistant(world, teacher, [say('Still here.')]);
    const activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
    const frame = await seat.open('student1', activity);
    await ask(frame, 'Are you there?');
    await answered(frame);
    await seat.page.route('**/lamb/v1/conversations/*', (route) => route.abort(), { times: 1 });
    await seat.reloadFrame();
    await frame.getByRole('button', { name: 'Try again' }).click();

    await frame.getByTestId('answer').getByText('Still here.').waitFor();
  });

  it('leaves nothing of a student on the screen when somebody else has come in beside it', async () => {
    const { world, teacher } = course;
    const assistant = await anAssistant(world, teacher, [say('A word for one.')]);
    const activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
    const first = await seat.open('student1', activity);
    await ask(first, 'Who reads this?');
    await answered(first);
    const beside = await seat.context.newPage();
    await beside.goto(course.platform.pageFor('student2', activity));
    await beside.frameLocator('#contentframe').getByTestId('policy').waitFor();

    await ask(first, 'And now?');
    await first.getByText('Open the activity again from your course').waitFor();

    const left = await first.locator('body').textContent();
    expect(left).to.not.include('A word for one');
    expect(left).to.not.include('Who reads this?');
    expect(left).to.not.include('And now?');
  });
});
