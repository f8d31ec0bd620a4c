import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { call, held, say } from '../../../support/fakes/model-script.js';
import type { Activity } from '../../../support/lti-platform/school.js';
import { anAssistant, knowledgeOf } from '../../support/chat-fixture.js';
import {
  aReadyActivity,
  aSeat,
  ask,
  type Course,
  type Seat,
  theCourse,
} from '../../support/lti-frame-fixture.js';
import { aCollection, CELLS } from '../../support/page-fixture.js';

const ANSWER = 'Plants make **sugar** in their chloroplasts [1].\n\nThe rest is $E = mc^2$.';

describeInBrowser('an activity in the frame of another site', function () {
  this.timeout(120_000);
  // Each goes on where the one before it has left the frame.
  this.bail(true);
  let course: Course;
  let seat: Seat;
  let activity: Activity;
  const gate = uniqueName('gate');
  before(async () => {
    course = await theCourse();
    const { world, teacher } = course;
    const { id: collection } = await aCollection(world.service, teacher, [CELLS]);
    const steps = [
      call('query_knowledge_base', { query: 'plants sugar' }),
      held(gate, say(ANSWER, { chunks: 9 })),
      say('A word for one.'),
    ];
    const assistant = await anAssistant(world, teacher, steps, {
      tools: [knowledgeOf('function', collection)],
    });
    activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
  });
  after(() => seat.close());

  /** How much the tool keeps in the browser, as far as it is let. */
  const stored = (at: Seat) =>
    at.framed().evaluate<number>(`(() => {
      try {
        return localStorage.length + sessionStorage.length + document.cookie.length;
      } catch {
        return document.cookie.length;
      }
    })()`);

  it('answers a student with steps and numbered sources, and goes on after a reload', async () => {
    const frame = await seat.open('student1', activity);
    const notice = await frame.getByTestId('policy').textContent();
    await ask(frame, 'How do plants make sugar?');
    await frame.locator('[data-testid=step][data-state=completed]').waitFor();
    const status = await frame.getByRole('status').textContent();
    await course.world.model.release(gate);
    await frame.getByTestId('answer').getByRole('button', { name: 'Copy the answer' }).waitFor();
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

  it('stays in its conversation when that could not be read at once after a reload', async () => {
    const frame = seat.page.frameLocator('#contentframe');
    await seat.page.route('**/lamb/v1/conversations/*', (route) => route.abort(), { times: 1 });
    await seat.reloadFrame();
    await frame.getByRole('button', { name: 'Try again' }).click();

    await frame.getByTestId('answer').getByText('in their chloroplasts').waitFor();
  });

  it('shows a second student in the same browser nothing of the first', async () => {
    const address = seat.framed().url();
    const frame = await seat.open('student2', activity);
    await frame.getByTestId('policy').waitFor();
    await frame.getByRole('button', { name: 'Your conversations' }).click();
    const history = await frame.getByRole('dialog').textContent();
    const shown = await frame.locator('body').textContent();
    await seat.framed().goto(address);
    await frame.getByText('Open the activity again from your course').waitFor();

    expect(history).to.include('You have had no conversation');
    expect(shown).to.not.include('in their chloroplasts');
    expect(shown).to.not.include('How do plants make sugar?');
    expect(await frame.locator('body').textContent()).to.not.include('How do plants make sugar?');
  });

  it('leaves nothing of a student on the screen when somebody else has come in beside it', async () => {
    const first = await seat.open('student1', activity);
    await ask(first, 'Who reads this?');
    await first.getByTestId('answer').getByText('A word for one.').waitFor();
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
