import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aPerson, inDatabase, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aCollection, goTo, holdBack, signedIn, CELLS } from '../../support/page-fixture.js';

const inMenu = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });

describeInBrowser('going from page to page', function () {
  this.timeout(120_000);
  let world: TestService;
  let person: Person;
  let seat: Visit;
  let visitor: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
    person = await aPerson(world.service);
    await inDatabase(world.service, async (_stores, db) => {
      await db('users').where({ id: person.id }).update({ name: '👩🏽‍🔬 Ada' });
    });
    seat = await signedIn(world.service, '/welcome', { as: person });
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });
  after(() => seat.close());

  it('tells at an unknown address that there is nothing, with the menu for whoever is signed in', async () => {
    visitor = await visit(world.service.url);
    await visitor.page.goto('/no/such/page');
    await visitor.page.getByRole('heading', { name: 'Nothing here', level: 1 }).waitFor();
    expect(new URL(visitor.page.url()).pathname).to.equal('/no/such/page');
    await visitor.page.getByRole('link', { name: 'Go to the start page' }).click();
    await visitor.page.locator('input[name=email]').waitFor();
    await visitor.close();

    visitor = await signedIn(world.service, '/no/such/page');
    await visitor.page.getByRole('heading', { name: 'Nothing here', level: 1 }).waitFor();
    await inMenu(visitor.page, 'Rubrics').click();
    await visitor.page.getByRole('heading', { name: 'Rubrics', level: 1 }).waitFor();
  });

  it('shows the first sign of a name whole, also where it is no letter', async () => {
    const account = seat.page.getByRole('button', { name: /^Your account/ });
    expect((await account.innerText()).split(/\s+/)).to.deep.equal(['Your', 'account:', '👩🏽‍🔬', '👩🏽‍🔬', 'Ada']);
  });

  it('says at once on a slow network that a page is on its way, and where to', async () => {
    const { page } = (visitor = await signedIn(world.service, '/welcome'));
    await inMenu(page, 'Rubrics').waitFor();
    const letGo = await holdBack(page, '**/assets/Rubrics*', 'GET');

    await inMenu(page, 'Rubrics').click();

    await page.getByRole('progressbar', { name: 'Loading the page' }).waitFor();
    expect(await inMenu(page, 'Rubrics').getAttribute('aria-current')).to.equal('page');
    expect(await inMenu(page, 'Home').getAttribute('aria-current')).to.equal(null);
    letGo();
    await page.getByRole('heading', { name: 'Rubrics', level: 1 }).waitFor();
    await page.getByTestId('under-way').waitFor({ state: 'detached' });
  });

  it('keeps the menu when a page cannot be fetched, and fetches it once the network is back', async () => {
    const { page, context } = (visitor = await signedIn(world.service, '/welcome', { fresh: true }));
    await inMenu(page, 'Rubrics').waitFor();
    await context.setOffline(true);

    await inMenu(page, 'Rubrics').click();
    await page.getByText('This page could not be loaded.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This page could not be loaded.').waitFor();
    expect(await inMenu(page, 'Home').isVisible()).to.equal(true);
    await inMenu(page, 'Home').click();
    await page.getByText('This page could not be loaded.').waitFor({ state: 'detached' });
    await inMenu(page, 'Rubrics').click();
    await page.getByText('This page could not be loaded.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('heading', { name: 'Rubrics', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/rubrics');
  });

  it('begins anew with a list that is chosen again in the menu: what was looked for is gone', async () => {
    const { key } = person;
    const { page } = seat;
    const { name } = await aCollection(world.service, person, [CELLS]);
    await aRubric(world.service, {}, key);
    const body = new FormData();
    body.append('file', new Blob(['x']), 'notes.md');
    body.append('path', 'notes.md');
    await world.service.request('/lamb/v1/files', { key, body });

    for (const [list, entry] of [
      ['Knowledge', name],
      ['Rubrics', 'Essay rubric'],
      ['Files', 'notes.md'],
    ] as const) {
      await inMenu(page, list).click();
      await page.getByText(entry).first().waitFor();
      await page.getByRole('searchbox').fill('zzz');
      await page.waitForURL(/zzz/);
      await page.getByText(entry).first().waitFor({ state: 'detached' });
      await inMenu(page, list).click();
      await page.getByText(entry).first().waitFor();
      expect(await page.getByRole('searchbox').inputValue(), list).to.equal('');
      expect(new URL(page.url()).search).to.equal('');
    }
  });

  it('lists multi-tool assistants at the address that is theirs', async () => {
    const { page } = seat;
    const tools = [{ type: 'weather', config: { city: 'Bilbao' } }];
    const metadata = { _format_version: 2, tools };
    await world.service.createAssistant({ name: 'With many tools', metadata }, person);
    await world.service.createAssistant({ name: 'Classic one' }, person);
    await goTo(page, '/multi-tool-assistants');

    await page.getByText('With many tools').waitFor();
    expect(await page.getByTestId('assistant').count()).to.equal(1);
    await page.getByLabel('Type').selectOption('');
    await page.getByText('Classic one').waitFor();
  });
});
