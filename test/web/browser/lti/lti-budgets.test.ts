import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCourse, type Course, type CourseVisit } from '../../support/lti-course-fixture.js';

const DAILY = { unit: 'requests', period: 'day', timezone: 'UTC' };
const MORE_THAN_A_DAY_MS = 25 * 3_600_000;

describeInBrowser('the budget of an activity', function () {
  this.timeout(120_000);
  let world: TestService;
  let course: Course;
  let visit: CourseVisit | undefined;
  before(async () => {
    world = await sharedService();
  });
  beforeEach(async () => {
    course = await aCourse(world, await world.assistant([say('Cells are small.')], { repeat: true }), {});
  });
  afterEach(async () => {
    await visit?.close();
    visit = undefined;
  });

  /** Of the course, as an administrator sets it. */
  async function limitCourse(amount: number): Promise<void> {
    const { service } = world;
    const { json } = await service.request<{ data: { id: number; platform_id: number }[] }>(
      '/lamb/v1/lti/courses',
    );
    const newest = json.data.reduce((last, each) => (each.platform_id > last.platform_id ? each : last));
    const body = { scope: { type: 'course', id: newest.id }, ...DAILY, amount };
    const { status, text } = await service.request('/lamb/v1/budgets', { body });
    if (status !== 201) throw new Error(text);
  }

  it('is set, changed and deleted by its teacher, within what stands above it', async () => {
    await limitCourse(10);
    visit = await course.visit('teacher1');
    const { page, complaints } = visit;
    await visit.to('Settings');
    const panel = page.getByTestId('budgets');
    const dialog = page.getByRole('dialog');
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();

    await panel.getByText('This course: 10 questions a day for all together').waitFor();
    await panel.getByRole('button', { name: 'Set a budget' }).click();
    await save();
    await dialog.getByText('A whole number above 0.').waitFor();
    const zone = await dialog.getByLabel('Time zone').inputValue();
    const units = await dialog.getByLabel('Counted in').locator('option').allTextContents();
    await dialog.getByLabel('How many?').fill('11');
    await save();
    await dialog.getByRole('alert').getByText('That is more than stands above it.').waitFor();
    await dialog.getByText('This course: 10 questions a day for all together.').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await dialog.getByLabel('How many?').fill('4');
    await save();
    await panel.getByRole('heading', { name: '4 questions a day for every participant' }).waitFor();
    await panel.getByText('told once five have asked').waitFor();

    await panel.getByRole('button', { name: 'Set a budget' }).click();
    await dialog.getByRole('radio', { name: 'All together' }).check();
    await dialog.getByLabel('How many?').fill('8');
    await save();
    await panel.getByRole('heading', { name: '8 questions a day for all together' }).waitFor();
    await course.ask(['student1', 'student2'], 'What is a cell?');
    await panel.getByRole('button', { name: 'Change: 8 questions a day' }).click();
    await dialog.getByLabel('How many?').fill('9');
    await save();
    await panel.getByRole('meter', { name: '9 questions a day' }).waitFor();
    await panel.getByText('2 of 9 used, 7 left.').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await panel.getByRole('button', { name: 'Delete: 9 questions a day' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await panel.getByRole('meter').waitFor({ state: 'detached' });

    expect(zone).to.equal(await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'));
    expect(units).to.deep.equal(['Questions', 'Tokens']);
    expect(complaints.filter((each) => !/422/.test(each))).to.deep.equal([]);
  });

  it('is told to a student before it is gone and when it is spent; the question waits, and is asked when it is back', async () => {
    const teacher = await course.join('teacher1');
    const scope = { type: 'activity', id: course.activityId, each: true };
    const made = await teacher.request<{ id: string }>('/lamb/v1/budgets', {
      ...{ method: 'POST', body: { scope, ...DAILY, amount: 4 } },
    });
    visit = await course.visit('student1');
    const { page } = visit;
    const field = page.getByRole('textbox', { name: 'Your question' });
    const ask = async (question: string) => {
      await field.fill(question);
      await page.keyboard.press('Enter');
    };
    const left = page.getByTestId('questions-left');
    const spent = page.getByTestId('spent');

    await left.getByText('4 questions left').waitFor();
    await ask('What is a cell?');
    await left.getByText('3 questions left').waitFor();
    const heard = await left.getAttribute('aria-live');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    // Somewhere else they ask what is left.
    await course.ask(['student1', 'student1', 'student1'], 'And a plant?');
    await ask('What is a leaf?');
    await spent.getByText('You have used up your questions for now.').waitFor();
    await spent.getByText(/You can ask again (today|tomorrow) at \d\d:\d\d\./).waitFor();
    await spent.getByText('Your question is still below.').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    const questions = await page.getByTestId('question').count();
    await field.press('Enter');
    const isSent = (await field.inputValue()) !== 'What is a leaf?';

    await page.clock.install();
    await page.reload();
    await spent.waitFor();
    await field.fill('What is a leaf?');
    await teacher.request(`/lamb/v1/budgets/${made.json.id}`, { method: 'PATCH', body: { amount: 9 } });
    const looked: string[] = [];
    page.on('request', (request) => looked.push(new URL(request.url()).pathname));
    await page.clock.fastForward(MORE_THAN_A_DAY_MS);
    await left.getByText('5 questions left').waitFor();
    await field.press('Enter');
    await left.getByText('4 questions left').waitFor();

    expect(heard).to.equal('polite');
    expect([questions, isSent]).to.deep.equal([1, false]);
    expect(looked.filter((path) => path.endsWith('/budgets/mine'))).to.have.length(2);
    expect(await page.getByTestId('answer').last().innerText()).to.include('Cells are small.');
  });
});
