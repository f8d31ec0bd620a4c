import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  aColleagueOf,
  aPerson,
  type Person,
  publish,
  shareWith,
} from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, weatherFunction, type TestService } from '../../../support/test-service.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, holdBack, signedIn, type Visitor } from '../../support/page-fixture.js';

const HOSTILE = `<img src=x onerror="window.hacked=1"> {@html 1} javascript:window.hacked=1`;

describeInBrowser('the list of assistants', function () {
  this.timeout(120_000);
  let world: TestService;
  let alone: Visitor | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  /** Of somebody with more assistants than are listed at once, and two of a colleague before them. */
  const kept = keptVisit(async () => {
    const as = await aPerson(world.service);
    const colleague = await aColleagueOf(world.service, as);
    const make = (name: string, { key }: Person) => world.service.createAssistant({ name }, { key });
    const lent = await make('Lent', colleague);
    await shareWith(world.service, lent.id, as);
    const open = await make('Open', colleague);
    await publish(world.service, open.id, 'organization', colleague);
    await make('Mine 0', as);
    await Promise.all(Array.from({ length: 49 }, (_, i) => make(`Mine ${String(i + 1)}`, as)));
    await make('Mine 50', as);
    return signedIn(world.service, '/assistants', { as });
  });
  afterEach(async () => {
    await alone?.close();
    alone = undefined;
  });

  const names = (page: Page) => page.getByTestId('assistant').getByRole('heading').allTextContents();
  const fromMenu = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  it('finds, duplicates, deletes, takes back, exports and imports, whatever they are called', async () => {
    const person = await aPerson(world.service);
    const { key } = person;
    await world.service.createAssistant({ name: 'Plain tutor' }, { key });
    const hostile = await world.service.createAssistant(
      {
        ...{ name: HOSTILE, description: HOSTILE, system_prompt: 'Be kind.' },
        metadata: { _format_version: 2, tools: [{ ...weatherFunction, name: HOSTILE }] },
      },
      { key },
    );
    alone = await signedIn(world.service, '/assistants', { as: person });
    const { page, complaints } = alone;
    const rows = page.getByTestId('assistant');
    const copy = `${HOSTILE} (copy)`;

    await rows.nth(1).waitFor();
    await page.getByTestId('type-badge-classic').waitFor();
    const uses = await rows
      .filter({ has: page.getByTestId('type-badge-orchestrator') })
      .getByTestId('uses')
      .textContent();
    await page.getByLabel('Type').selectOption('orchestrator');
    await page.getByText('Plain tutor').waitFor({ state: 'detached' });
    await page.getByLabel('Search assistants').fill('onerror');
    await page.waitForURL(/q=onerror/);
    await fromMenu(page, HOSTILE, 'Duplicate');
    await page.getByRole('heading', { name: copy }).waitFor();
    const afterCopy = await names(page);
    await fromMenu(page, HOSTILE, 'Delete');
    await page.getByRole('heading', { name: HOSTILE, exact: true }).waitFor({ state: 'detached' });
    const focused = await page.locator(':focus').textContent();
    const undo = page.getByTestId('toast').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const gone = await world.service.request(`/lamb/v1/assistants/${String(hostile.id)}`, { key });
    await undo.click();
    await page.getByRole('heading', { name: HOSTILE, exact: true }).waitFor();
    const back = await world.service.request(`/lamb/v1/assistants/${String(hostile.id)}`, { key });
    const [download] = await Promise.all([page.waitForEvent('download'), fromMenu(page, HOSTILE, 'Export')]);
    const bundle = await readFile(await download.path(), 'utf8');
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog');
    await page
      .getByTestId('bundle-input')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('no') });
    await dialog.getByText('This is not an exported assistant.').waitFor();
    await page.getByTestId('bundle-input').setInputFiles({
      ...{ name: 'a.json', mimeType: 'application/json' },
      buffer: Buffer.from(bundle.replaceAll('"weather"', '"wether"')),
    });
    await dialog.getByLabel('Name').fill('Brought along');
    await dialog.getByRole('button', { name: 'Import' }).click();
    const missing = await dialog.getByTestId('missing').textContent();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('heading', { name: 'Brought along' }).waitFor();

    expect(uses).to.include(HOSTILE);
    expect(afterCopy).to.deep.equal([copy, HOSTILE]);
    expect(focused).to.equal('Assistants');
    expect([gone.status, back.status]).to.deep.equal([404, 200]);
    expect(download.suggestedFilename()).to.match(/^img-src-x-onerror[\w-]+\.json$/);
    expect(missing).to.include('wether');
    expect(await names(page)).to.deep.equal(['Brought along', copy, HOSTILE, 'Plain tutor']);
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('copies what its author wrote to the letter, also what older forms keep elsewhere, but no runs every night', async () => {
    const { page, person } = kept();
    const { key } = person;
    const content = {
      ...{ name: 'Old one', description: 'd', system_prompt: 's', prompt_template: '{context} {user_input}' },
      ...{
        metadata: { rag_processor: 'no_rag', odd: { api_key: 'kept' } },
        RAG_collections: 'a,b',
        RAG_Top_k: 4,
      },
    };
    const metadata = { ...content.metadata, nightly_suite: true };
    await world.service.createAssistant({ ...content, metadata }, { key });
    await goTo(page, '/assistants?q=Old');

    await fromMenu(page, 'Old one', 'Duplicate');
    await page.getByRole('heading', { name: 'Old one (copy)' }).waitFor();

    const { json } = await world.service.request<{ data: object[] }>('/lamb/v1/assistants', { key });
    expect(json.data[0]).to.deep.include({ ...content, name: 'Old one (copy)' });
  });

  it('shows what was looked for last, also when more of the rest is asked for meanwhile', async () => {
    const { page } = kept();
    await goTo(page, '/assistants');
    const rows = page.getByTestId('assistant');

    await rows.nth(49).waitFor();
    const found = await holdBack(page, '**/lamb/v1/assistants?*q=Mine+0*', 'GET');
    const asked = page.waitForRequest(/q=Mine\+0/);
    await page.getByLabel('Search assistants').fill('Mine 0');
    await asked;
    await page.getByRole('button', { name: 'Show more' }).click();
    found();
    await page.getByRole('heading', { name: 'Mine 0', exact: true }).waitFor();

    expect(await rows.count()).to.equal(1);
  });

  it('shows what is mine, shared with me, published or deleted, a page at a time', async () => {
    const { page, complaints } = kept();
    await goTo(page, '/assistants');
    const rows = page.getByTestId('assistant');
    const show = async (scope: string, then: string) => {
      await page.getByLabel('Show').selectOption(scope);
      await page.getByRole('heading', { name: then, exact: true }).waitFor();
      return names(page);
    };

    await rows.nth(49).waitFor();
    const first = await rows.count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(52).waitFor();
    const search = page.getByLabel('Search assistants');
    await search.fill('Mine 4 ');
    await page.waitForURL(/q=Mine\+4$/);
    const typed = await search.inputValue();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assistants' }).click();
    await page.getByRole('heading', { name: 'Mine 50', exact: true }).waitFor();
    const cleared = await search.inputValue();
    const shared = await show('Shared with me', 'Lent');
    const badge = await rows.getByText('Shared with you').count();
    const buttons = await rows.getByRole('button').count();
    const published = await show('Published', 'Open');
    await show('Mine', 'Mine 50');
    await fromMenu(page, 'Mine 50', 'Delete');
    await page.getByTestId('toast').waitFor();
    await page.getByLabel('Show').selectOption('Deleted');
    await page.reload();
    await page.getByRole('button', { name: 'Take back Mine 50' }).click();
    await page.getByText('You have deleted nothing.').waitFor();
    await show('Mine', 'Mine 50');

    expect(first).to.equal(50);
    expect([typed, cleared]).to.deep.equal(['Mine 4 ', '']);
    expect(shared).to.deep.equal(['Lent']);
    expect([badge, buttons]).to.deep.equal([1, 0]);
    expect(published).to.deep.equal(['Open']);
    expect(complaints).to.deep.equal([]);
  });
});
