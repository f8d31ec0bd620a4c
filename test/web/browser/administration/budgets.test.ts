import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aCourse } from '../../../http/support/lti-course-fixture.js';
import { aColleagueOf, aPerson, inDatabase, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';
import { aTeacher } from '../../support/run-fixture.js';

interface Budget {
  readonly id: string;
  readonly period_started_at: string;
}

/** What a browser says itself of a request that was refused. */
const isRefusal = (complaint: string) => /status of 4\d\d/.test(complaint);

describeInBrowser('the pages of budgets', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const made = (administrator: Person, body: object) =>
    world.service.request<Budget>('/lamb/v1/budgets', { key: administrator.key, body });
  /** What is looked for every few seconds otherwise. */
  async function noticeAlerts({ key }: Person): Promise<void> {
    const { json } = await world.service.request<{ data: Budget[] }>('/lamb/v1/budgets', { key });
    const periods = json.data.map(({ id, period_started_at }) => ({
      ...{ budgetId: id, periodStart: period_started_at },
    }));
    await inDatabase(world.service, ({ budgets }) => budgets.alerts.noticeReached(periods));
  }
  const create = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create' });

  it('make one, refuse a second one, show what is spent and reached, change it and delete it', async () => {
    const { person, ask, tutor } = await aTeacher(world, { role: 'org_admin' });
    visitor = await signedIn(world.service, '/admin/budgets', { as: person });
    const { page, complaints } = visitor;
    const dialog = page.getByRole('dialog');
    const bar = page.getByRole('meter', { name: 'Budget of the organisation School' });

    await page.getByText('No budgets yet').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    await dialog.getByLabel('Time zone').fill('Europe/Nowhere');
    await create(page).click();
    const wrong = await dialog.locator('[aria-invalid]').count();
    await dialog.getByLabel('Time zone').fill('Europe/Madrid');
    await dialog.getByLabel('How much (Questions)').fill('2');
    await create(page).click();
    await page.getByText('2 of 2 questions left').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    await dialog.getByLabel('How much (Questions)').fill('3');
    await create(page).click();
    await dialog.getByRole('alert').getByText('counts the same in the same period').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await ask();
    await noticeAlerts(person);
    await page.reload();
    await page.getByText('1 of 2 questions left').waitFor();
    const read = await bar.getAttribute('aria-valuetext');
    const alert = await page.getByTestId('budget-alert').innerText();
    await page.getByRole('link', { name: 'School', exact: true }).click();
    const spending = page.getByTestId('spending');
    await spending.getByText(person.email).waitFor();
    const models = await spending.innerText();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('How much (Questions)').fill('20');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('19 of 20 questions left').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No budgets yet').waitFor();

    expect(wrong).to.equal(2);
    expect(read).to.equal('1 of 2 questions used, 0 set aside, 1 left');
    expect(alert).to.match(/^50% of the budget of the organisation School was reached on .*\d\./);
    expect(alert).to.include('1 of 2 questions at that time');
    expect(models).to.include(tutor.model).and.to.include('Tutor’s helper');
    expect(complaints.filter((each) => !isRefusal(each))).to.deep.equal([]);
  });

  it('give every participant of a course one, tell how many have used it up, and fit a phone', async () => {
    const course = await aCourse(world, [{ say: 'Hello.' }, { say: 'Hello.' }]);
    const administrator = await aColleagueOf(world.service, course.owner, 'org_admin');
    const [first, second] = [await course.visitor(), await course.visitor()];
    visitor = await signedIn(world.service, '/admin/budgets', { as: administrator, width: 360 });
    const { page, complaints } = visitor;
    const dialog = page.getByRole('dialog');
    const sideways = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

    await page.getByRole('button', { name: 'New budget' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('For', { exact: true }).selectOption('Course');
    await dialog.getByLabel('Which one').selectOption('Biology 101');
    await dialog.getByLabel('One for every participant').press('Space');
    await dialog.getByLabel('How much (Questions)').fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody has used any of theirs').waitFor();
    await world.service.chat(course.assistant.id, 'Hi', { key: first.key });
    const refused = await world.service.chat(course.assistant.id, 'Hi', { key: first.key });
    await noticeAlerts(administrator);
    await page.reload();
    await page.getByText('1 of 1 who have asked something have used theirs up.').waitFor();
    const list = await sideways();
    await world.service.chat(course.assistant.id, 'Hi', { key: second.key });
    await page.getByRole('link', { name: 'Biology 101', exact: true }).click();
    await page.getByText('2 of 2 who have asked something').waitFor();
    const people = page.getByTestId('spending').getByText(/^Somebody from a course/);
    await people.nth(1).waitFor();
    const alert = await page.getByTestId('budget-alert').first().innerText();

    expect(refused.status).to.equal(429);
    expect(alert).to.match(/^100% of the budget of the course Biology 101.*\n.*for one participant/);
    expect([list, await sideways()]).to.deep.equal([0, 0]);
    expect(complaints).to.deep.equal([]);
  });

  it('say where prices are missing and who is not there, and let nobody in who does not administer', async () => {
    const administrator = await aPerson(world.service, { role: 'org_admin' });
    const stranger = await aPerson(world.service);
    visitor = await signedIn(world.service, '/admin/budgets', { as: administrator });
    const { page, complaints } = visitor;
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'New budget' }).click();
    await dialog.getByLabel('For', { exact: true }).selectOption('Person');
    await dialog.getByLabel('E-mail of the person').fill(stranger.email);
    await dialog.getByLabel('Counts').selectOption('Money');
    const prices = await dialog.getByRole('link', { name: 'Set prices' }).getAttribute('href');
    await dialog.getByLabel('How much, in USD').fill('0.5');
    await create(page).click();
    await dialog.getByText('This was not found').waitFor();
    const invalid = await dialog.getByLabel('E-mail of the person').getAttribute('aria-invalid');
    await dialog.getByLabel('E-mail of the person').fill(administrator.email);
    await create(page).click();
    await page.getByText('$0.50 of $0.50 left').waitFor();
    const sections = await page.locator('main section h2').allTextContents();

    expect(prices).to.equal(`/admin/organizations/${String(administrator.organizationId)}/prices`);
    expect(invalid).to.equal('true');
    expect(sections).to.deep.equal(['People', 'Alerts']);
    expect(complaints.filter((each) => !isRefusal(each))).to.deep.equal([]);
    await visitor.close();
    visitor = await signedIn(world.service, '/admin/budgets', { as: stranger });
    await visitor.page.getByText('Nothing here').waitFor();
  });

  it('of usage draw in what the organisation may spend a day, and tell everybody what is left of theirs', async () => {
    const { person, ask } = await aTeacher(world, { role: 'org_admin' });
    const colleague = await aColleagueOf(world.service, person, 'creator');
    const scope = { type: 'organization', id: person.organizationId };
    await made(person, { scope, unit: 'tokens', amount: 9_000_000, period: 'day' });
    const theirs = { type: 'user', id: colleague.email };
    await made(person, { scope: theirs, unit: 'requests', amount: 20, period: 'day' });
    await ask();
    visitor = await signedIn(world.service, '/usage', { as: person });
    const { page, complaints } = visitor;

    await page.getByTestId('day-limit').waitFor({ state: 'attached' });
    const summary = await page.getByTestId('day-chart').getAttribute('aria-label');
    const panel = await page.getByTestId('budget-panel').innerText();
    await page.getByLabel('Show', { exact: true }).selectOption('Runs');
    await page.getByTestId('day-limit').waitFor({ state: 'detached' });
    await goTo(page, '/admin/budgets');
    await page.getByTestId('budget').first().waitFor();
    await visitor.close();
    const own = (visitor = await signedIn(world.service, '/usage', { as: colleague }));
    const left = await own.page.getByTestId('budget-panel').innerText();

    expect(summary).to.include('Budget: 9,000,000 tokens each day.');
    expect(panel).to.include('4,500,000 of 9,000,000 tokens left');
    expect(left).to.include('20 of 20 questions left today').and.not.to.include('tokens');
    expect([...complaints, ...own.complaints]).to.deep.equal([]);
  });
});
