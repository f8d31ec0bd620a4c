import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { upload } from '../../../http/support/file-client.js';
import { aColleagueOf, aPerson, shareWith, type Person } from '../../../http/support/users-fixture.js';
import { aCollection, CELLS, goTo, holdBack, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('the pages, when somebody has gone on meanwhile', function () {
  this.timeout(120_000);
  let world: TestService;
  let person: Person;
  let visitor: Visitor;
  let page: Page;
  before(async () => {
    world = await sharedQuietService();
    person = await aPerson(world.service);
    visitor = await signedIn(world.service, '/welcome', { as: person });
    ({ page } = visitor);
    await page.clock.install();
  });
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  after(() => visitor.close());

  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const aFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

  it('offer no way back once there is none: what was to be deleted is gone', async () => {
    await upload(world.service, 'rules.md', 'one', { key: person.key });
    await goTo(page, '/files');
    const undo = page.getByRole('button', { name: 'Undo' });

    await page.getByRole('button', { name: 'Delete rules.md' }).click();
    await undo.waitFor();
    await page.getByTestId('file-input').setInputFiles(aFile('rules.md', 'another'));
    await page.getByTestId('file').getByText('rules.md').waitFor();

    expect(await undo.count()).to.equal(0);
  });

  it('have nothing left on them of news that was said, once there was the time to hear it', async () => {
    await upload(world.service, 'said.md', 'one', { key: person.key });
    await goTo(page, '/files');
    const said = page.getByRole('status').filter({ hasText: 'said.md' });

    await page.getByRole('button', { name: 'Delete said.md' }).click();
    await said.waitFor({ state: 'attached' });
    await page.clock.runFor(5_000);
    const after5Seconds = await said.count();
    await page.clock.runFor(2_500);
    await said.waitFor({ state: 'detached' });

    expect(after5Seconds).to.equal(1);
  });

  it('show a file that arrives after its sender has been elsewhere and is back', async () => {
    await goTo(page, '/files');
    const send = await holdBack(page, '**/lamb/v1/files', 'POST');

    const listed = page.getByTestId('file').or(page.getByText('No files yet')).first();
    await listed.waitFor();
    await page.getByTestId('file-input').setInputFiles(aFile('notes.md', 'one'));
    await page.getByTestId('upload').waitFor();
    await page.getByRole('link', { name: 'Rubrics' }).click();
    await heading('Rubrics').waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    await listed.waitFor();
    send();
    await page.getByTestId('file').getByText('notes.md').waitFor();
  });

  it('keep what was looked for out of the address of another page, also while its code is on its way', async () => {
    await aRubric(world.service, {}, person.key);
    // With nothing loaded yet of the page that is gone to.
    await page.goto('/rubrics');
    await page.getByLabel('Search').waitFor();
    const letGo = await holdBack(page, '**/assets/*', 'GET');

    // In one go: faster than anybody waits for what is found.
    await page.evaluate(`(() => {
      const field = document.querySelector('input[type=search]');
      field.value = 'Essay';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector('nav a[href="/knowledge"]').click();
    })()`);
    await page.clock.runFor(1_000);
    letGo();
    await heading('Knowledge').waitFor();
    await page.unroute('**/assets/*');

    expect(new URL(page.url()).search).to.equal('');
  });

  it('close what is open about the account when it has led somewhere', async () => {
    await goTo(page, '/welcome');

    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await heading('API keys').waitFor();

    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).to.equal(false);
  });

  it('count what a collection would lose without what was deleted from it', async () => {
    const { id } = await aCollection(world.service, person, [
      CELLS,
      { name: 'other.md', text: 'Something else' },
    ]);
    await goTo(page, `/knowledge/${id}`);

    await page.getByRole('button', { name: 'Delete other.md' }).click();
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.clock.runFor(10_000);
    await deleted;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete collection' }).click();

    await page.getByRole('dialog').getByText('1 document').waitFor();
  });

  it('ask anew, without the refusal of the last time', async () => {
    const { id } = await aCollection(world.service, person);
    await goTo(page, `/knowledge/${id}/settings`);
    const dialog = page.getByRole('dialog');
    await page.route(`**/lamb/v1/collections/${id}`, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    );

    await page.getByRole('button', { name: 'Delete collection' }).click();
    await dialog.getByRole('button', { name: 'Delete collection' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete collection' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();

    expect(await dialog.getByRole('alert').count()).to.equal(0);
  });

  it('stay where somebody has gone when the page before could not be fetched', async () => {
    await goTo(page, '/welcome');
    let giveUp = (): void => undefined;
    const tried = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    await page.route('**/assets/UsagePage-*.js', async (route) => {
      await tried;
      await route.abort();
    });

    const asked = page.waitForRequest('**/assets/UsagePage-*.js');
    await page.getByRole('link', { name: 'Usage' }).click();
    await asked;
    await page.getByRole('link', { name: 'Rubrics' }).click();
    await heading('Rubrics').waitFor();
    const failed = page.waitForEvent('requestfailed');
    giveUp();
    await failed;
    await page.getByRole('link', { name: 'New rubric' }).first().click();

    await page.getByTestId('template-blank').waitFor();
  });

  it('bring the rest of a long list also when it is looked at again meanwhile', async () => {
    const { id } = await aCollection(world.service, person);
    const document = (n: number) => ({
      ...{ id: String(n), filename: `n${String(n)}.md`, faults: [], passages: 0, bytes: 1, progress: 0 },
      ...{ status: n === 0 ? 'processing' : 'ready', stage: 'reading', created_at: '2026-01-01T00:00:00Z' },
      ...{ tags: [], off: false },
    });
    const all = Array.from({ length: 51 }, (_, n) => document(n));
    let letGo = (): void => undefined;
    const hasLooked = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(`**/lamb/v1/collections/${id}/documents?**`, async (route) => {
      const { searchParams: query } = new URL(route.request().url());
      const [from, to] = query.has('cursor') ? [50, 51] : [0, Number(query.get('limit'))];
      if (query.has('cursor')) await hasLooked;
      const by_status = { queued: 0, processing: 1, ready: 50, failed: 0 };
      const next_cursor = to < 51 ? 'the rest' : null;
      await route.fulfill({ json: { data: all.slice(from, to), next_cursor, by_status } });
    });

    await goTo(page, `/knowledge/${id}`);
    const asked = page.waitForRequest(/cursor=/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await asked;
    // Time enough to look at the list again.
    await page.clock.runFor(3_000);
    letGo();
    await page.getByTestId('document').getByText('n50.md').waitFor();

    expect(await page.getByTestId('document').count()).to.equal(51);
  });

  it('leave the address that is typed while another is being shared with', async () => {
    const first = await aColleagueOf(world.service, person);
    const { id } = await world.service.createAssistant({ name: 'Guide' }, { key: person.key });
    await goTo(page, `/assistants/${String(id)}/sharing`);
    const email = page.getByLabel('E-mail of a colleague');
    const share = await holdBack(page, '**/shares', 'POST');

    await email.fill(first.email);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.keyboard.press('Enter');
    await sent;
    await email.fill('second@');
    share();
    await page.getByTestId('share').getByText(first.email).waitFor();
    await page
      .getByRole('button', { name: 'Share', exact: true })
      .and(page.locator(':not([aria-disabled])'))
      .waitFor();

    expect(await email.inputValue()).to.equal('second@');
  });

  it('say that somebody could not be given back what was taken from them', async () => {
    const colleague = await aColleagueOf(world.service, person);
    const { id } = await world.service.createAssistant({ name: 'Guide' }, { key: person.key });
    await shareWith(world.service, id, colleague);
    await goTo(page, `/assistants/${String(id)}/sharing`);
    await page.route('**/shares', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );

    await page.getByRole('button', { name: `Stop sharing with ${colleague.email}` }).click();
    await page.getByRole('button', { name: 'Undo' }).click();

    await page
      .getByTestId('toast')
      .getByText(/reached/)
      .waitFor();
  });
});
