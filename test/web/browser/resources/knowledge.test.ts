import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { aPictureOf } from '../../../support/scans.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aCollection, CELLS, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';
import { collectionsOf, until } from '../../../http/support/collection-client.js';
import { aColleagueOf, aPerson, inDatabase } from '../../../http/support/users-fixture.js';

describeInBrowser('the Knowledge pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
    visitor = await signedIn(world.service, '/knowledge');
  });
  after(() => visitor.close());

  it('lead from nothing to a passage: make a collection, upload, wait, ask, open, delete', async () => {
    const { page, complaints, person } = visitor;

    await page.getByText('No collections yet').waitFor();
    await page.getByRole('button', { name: 'New collection' }).first().click();
    await page.getByLabel('Name').fill('Biology 101');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Biology 101', level: 1 }).waitFor();
    await page.getByTestId('file-input').setInputFiles({
      ...{ name: CELLS.name, mimeType: 'text/markdown', buffer: Buffer.from(CELLS.text) },
    });
    await page.locator('[data-status=ready]').waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Question').fill('Where do plants make sugar from light?');
    await page.keyboard.press('Enter');
    const best = page.getByTestId('finding').first();
    await best.waitFor();
    const marked = await best.locator('mark').allTextContents();
    const why = await best.locator('footer').textContent();
    await best.getByTestId('open-passage').click();
    const opened = page.locator('[data-testid=passage][aria-current]');
    await opened.waitFor();
    const passage = await opened.textContent();
    await page.getByRole('link', { name: 'Back to Biology 101' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete collection' }).click();
    const question = page.getByRole('dialog');
    const loses = await question.textContent();
    await question.getByRole('button', { name: 'Delete collection' }).click();
    await page.getByText('No collections yet').waitFor();

    expect(marked).to.include.members(['Plants', 'light', 'sugar']);
    expect(why).to.match(/By words: place 1, worth \d\.\d\d/);
    expect(passage).to.include('chloroplasts');
    expect(loses).to.match(/1 document and [1-9]\d* passage/);
    const { json } = await world.service.request<{ data: unknown[] }>('/lamb/v1/collections', person);
    expect(json.data).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('let an administrator, and nobody else, register a collection of the server', async () => {
    const person = await aPerson(world.service, { role: 'org_admin' });
    const administrator = await signedIn(world.service, '/knowledge', { as: person });
    const { page, complaints } = administrator;

    await page.getByRole('button', { name: 'Register from your server' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Biology 101');
    await dialog.getByLabel('Id on the server').fill('07');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await dialog.getByText('Enter a number such as 7').waitFor();
    await dialog.getByLabel('Id on the server').fill('7');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Biology 101', level: 1 }).waitFor();
    await page.getByText('On another server').waitFor();

    const { json } = await world.service.request<{ data: object[] }>('/lamb/v1/collections', person);
    expect(json.data[0]).to.include({ external_id: '7', place: 'server' });
    expect(complaints).to.deep.equal([]);
    await administrator.close();
    await goTo(visitor.page, '/knowledge');
    await visitor.page.getByRole('button', { name: 'New collection' }).first().waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Register from your server' }).count()).to.equal(0);
  });

  it('delete a document only when nobody thinks better of it', async () => {
    const person = await aPerson(world.service);
    const { id, documentIds } = await aCollection(world.service, person, [
      CELLS,
      { name: 'other.md', text: 'Something else' },
    ]);
    const leaving = await signedIn(world.service, `/knowledge/${id}`, { as: person });
    const { page } = leaving;
    const rows = page.getByTestId('document');

    await page.getByRole('button', { name: 'Delete cells.md' }).click();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'cells.md' }).waitFor();
    await page.getByRole('button', { name: 'Delete other.md' }).click();
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    const shown = await rows.count();
    // Leaving is as good as waiting.
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const { status, url } = await deleted.then((response) => ({
      status: response.status(),
      url: response.url(),
    }));

    expect(shown).to.equal(1);
    expect(status).to.equal(204);
    expect(url).to.include(documentIds[1]);
    const left = await world.service.request<{ data: { filename: string }[] }>(
      `/lamb/v1/collections/${id}/documents`,
      person,
    );
    expect(left.json.data.map(({ filename }) => filename)).to.deep.equal(['cells.md']);
    await leaving.close();
  });

  it('say that a document is ready, also when it was before its list was first read', async () => {
    const { page, person } = visitor;
    const { id } = await aCollection(world.service, person);
    const { send } = collectionsOf(world.service, person.key);
    let open: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (open = resolve));
    const addresses = /\/documents\?/;
    await page.route(addresses, async (route) => {
      await read;
      await route.continue();
    });
    await goTo(page, `/knowledge/${id}`);

    await page.getByTestId('file-input').setInputFiles({
      ...{ name: CELLS.name, mimeType: 'text/markdown', buffer: Buffer.from(CELLS.text) },
    });
    await until(
      async () => (await send<{ data: { status: string }[] }>(`/${id}/documents`)).json.data,
      ([document]) => document?.status === 'ready',
    );
    open();

    await page.getByRole('status').getByText('“cells.md” is ready.').waitFor({ state: 'attached' });
    await page.unroute(addresses);
  });

  it('say why a file was not taken, beside it', async () => {
    const { page, person } = visitor;
    const { id } = await aCollection(world.service, person);
    await goTo(page, `/knowledge/${id}`);

    await page
      .getByTestId('file-input')
      .setInputFiles([
        { name: 'program.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
      ]);
    const told = page.locator('[data-testid=upload] .why, [data-status=failed] .error');
    await told.getByText(/\w/).first().waitFor();

    expect(await told.first().textContent()).to.match(/exe|format|PDF/i);
  });

  it('say where text recognition is switched on for a picture, switch it on, and say what text came about by it', async () => {
    const { page, person } = visitor;
    const before = visitor.complaints.length;
    const { id: refusing } = await aCollection(world.service, person);
    await goTo(page, `/knowledge/${refusing}`);
    await page.getByTestId('file-input').setInputFiles({
      ...{ name: 'notes.png', mimeType: 'image/png', buffer: aPictureOf(['Stomata let gases pass.']) },
    });
    const why = await page.locator('[data-status=failed] .error').textContent();

    // In another one: that pictures are read from then on costs time, and is proved over HTTP.
    const text = `Stomata let gases pass, ${uniqueName('says')} tells.`;
    const { id } = await aCollection(world.service, person, [{ name: 'notes.md', text }]);
    await inDatabase(world.service, async (_stores, db) => {
      await db('passages').where('text', 'like', `%${text}%`).update({ origin: 'recognised' });
    });
    await goTo(page, `/knowledge/${id}/settings`);
    await page.getByRole('switch', { name: 'Recognise text in pictures and scans' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('link', { name: 'notes.md' }).click();
    const passage = await page.getByTestId('passage').textContent();
    const { json } = await world.service.request(`/lamb/v1/collections/${id}`, person);

    expect(why).to.include('switch on text recognition');
    expect(json).to.include({ ocr: true });
    expect(passage).to.include('text recognised from a picture').and.to.include('Stomata');
    expect(visitor.complaints.slice(before)).to.deep.equal([]);
  });

  it('show a colleague what is shared, without a way to change it', async () => {
    const owner = await aPerson(world.service);
    const { id, name } = await aCollection(world.service, owner, [CELLS]);
    await world.service.request(`/lamb/v1/collections/${id}`, {
      key: owner.key,
      method: 'PUT',
      body: { is_shared: true },
    });
    const colleague = await aColleagueOf(world.service, owner);
    const theirs = await signedIn(world.service, '/knowledge', { as: colleague });
    const { page } = theirs;

    await page.getByRole('link', { name }).click();
    await page.getByRole('link', { name: 'cells.md' }).waitFor();
    const buttons = await page.locator('main').getByRole('button').count();
    const tabs = await page
      .getByRole('navigation', { name: 'This collection' })
      .getByRole('link')
      .allTextContents();

    expect(buttons).to.equal(0);
    expect(tabs).to.deep.equal(['Documents', 'Ask']);
    await theirs.close();
  });

  it('find their way to a passage far down, and keep a question when coming back', async () => {
    const { page, person } = visitor;
    const lines = Array.from(
      { length: 450 },
      (_, i) => `## Part ${String(i)}\n\n${'Plain words. '.repeat(40)}number${String(i)}`,
    );
    const { id } = await aCollection(world.service, person, [{ name: 'long.md', text: lines.join('\n\n') }]);
    await goTo(page, `/knowledge/${id}/ask?question=number431`);

    await page.getByTestId('open-passage').first().click();
    const opened = page.locator('[data-testid=passage][aria-current]');
    await opened.waitFor();
    const text = await opened.textContent();
    await page.goBack();
    await page.getByTestId('finding').first().waitFor();

    expect(text).to.include('number431');
    expect(await page.getByLabel('Question').inputValue()).to.equal('number431');
  });
});
