import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric, essayRubric, fourLevels, type RubricRecord } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { goTo, holdBack, signedIn, type Visitor } from '../../support/page-fixture.js';
import type { Person } from '../../../http/support/users-fixture.js';

describeInBrowser('a rubric that is being written', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  let owner: Person;
  before(async () => {
    world = await sharedQuietService();
    visitor = await signedIn(world.service, '/rubrics');
    owner = visitor.person;
  });
  after(() => visitor.close());

  const read = async (id: string) =>
    (await world.service.request<RubricRecord>(`/lamb/v1/rubrics/${id}`, owner)).json;
  const changeBeside = async (id: string) => {
    const body = { title: 'Theirs', rubric_data: essayRubric() };
    await world.service.request(`/lamb/v1/rubrics/${id}`, { method: 'PUT', key: owner.key, body });
  };

  it('goes on with what was typed while it was being created', async () => {
    const { page } = visitor;
    await goTo(page, '/rubrics/create?template=essay');
    const create = await holdBack(page, '**/lamb/v1/rubrics', 'POST');

    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByTestId('save').click();
    await sent;
    await page.getByLabel('Subject (optional)').fill('History');
    create();
    await page.getByRole('button', { name: 'What to do with Essay' }).waitFor();
    const subject = await page.getByLabel('Subject (optional)').inputValue();
    await page.goto('/rubrics/create');
    await page.getByTestId('template-essay').waitFor();

    expect(subject).to.equal('History');
  });

  it('has levels of its own for each criterion again once it is discarded that they are the same', async () => {
    const [first, second] = essayRubric().criteria;
    const criteria = [first, { ...second, levels: fourLevels().slice(0, 2) }];
    const { id } = await aRubric(world.service, { rubric_data: essayRubric({ criteria }) }, owner.key);
    const { page } = visitor;
    await goTo(page, `/rubrics/${id}`);
    const isSame = page.getByLabel('Same levels for every criterion');

    await isSame.check();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Everything is saved.').waitFor();

    expect(await isSame.isChecked()).to.equal(false);
  });

  it('does not overwrite what somebody else has changed meanwhile, unless it is told to', async () => {
    const { id } = await aRubric(world.service, {}, owner.key);
    const { page } = visitor;
    await goTo(page, `/rubrics/${id}`);

    await page.getByLabel('Title').fill('Mine');
    await changeBeside(id);
    await page.getByTestId('save').click();
    await page.getByText('Somebody else has changed this rubric').waitFor();
    const kept = (await read(id)).title;
    await page.getByRole('button', { name: 'Save mine instead' }).click();
    await page.getByText('Everything is saved.').waitFor();

    expect(kept).to.equal('Theirs');
    expect((await read(id)).title).to.equal('Mine');
  });

  it('is not put back to what was read first while somebody else’s change is unread', async () => {
    const { id } = await aRubric(world.service, {}, owner.key);
    const { page } = visitor;
    await goTo(page, `/rubrics/${id}`);
    const title = page.getByLabel('Title');
    const takeTheirs = page.getByRole('button', { name: 'Discard mine, show theirs' });

    await title.fill('Mine');
    await changeBeside(id);
    await page.getByTestId('save').click();
    await takeTheirs.waitFor();
    const otherWays = await page.getByRole('button', { name: 'Discard changes' }).count();
    await page.route(`**/lamb/v1/rubrics/${id}`, (route) => route.abort());
    await takeTheirs.click();
    await page
      .getByRole('alert')
      .getByText(/reached/)
      .waitFor();
    await page.unroute(`**/lamb/v1/rubrics/${id}`);
    await takeTheirs.click();
    await page.getByText('Everything is saved.').waitFor();

    expect(otherWays).to.equal(0);
    expect(await title.inputValue()).to.equal('Theirs');
    expect((await read(id)).title).to.equal('Theirs');
  });
});
