import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { inDatabase } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { createGates } from '../../../support/fakes/ledger.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

interface Folders {
  readonly data: readonly { readonly name: string; readonly conversations: number }[];
}

const THREE = ['About cells', 'About roots', 'About Rome'];

describeInBrowser('conversations beside the chat', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));

  /** They have these conversations and no others; the newest is the last. */
  async function scene(...questions: readonly string[]) {
    const { page, person, complaints } = kept();
    await inDatabase(world.service, (_, db) => db('conversations').where({ user_id: person.id }).delete());
    const assistant = await anAssistant(world, person, [say('A room.')], { repeat: true });
    const ids: string[] = [];
    for (const question of questions) ids.push(await aConversation(world, person, assistant, question));
    const newest = `/chat/${ids.at(-1) ?? ''}`;
    const column = page.getByRole('navigation', { name: 'Your conversations' });
    const chooseIn = async (place: Page | Locator, title: string, item: string) => {
      await place.getByRole('button', { name: `More about “${title}”` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    return { person, assistant, page, complaints, newest, column, chooseIn };
  }

  /** What is still being written down would miss its conversation when the next test takes it away. */
  const answered = (page: Page) =>
    page.getByTestId('answer').getByRole('link', { name: 'Details' }).waitFor();

  it('are pinned, put into folders, found, renamed and deleted there, and the open one is marked', async () => {
    const { person, page, complaints, newest, column, chooseIn } = await scene(...THREE);
    const choose = chooseIn.bind(undefined, column);
    await goTo(page, newest);
    const link = (name: string | RegExp) => column.getByRole('link', { name });

    await column.getByRole('list', { name: 'Recent' }).waitFor();
    expect(await link('About Rome').getAttribute('aria-current')).to.equal('page');
    await choose('About cells', 'Pin');
    await column.getByRole('list', { name: 'Pinned' }).getByText('About cells').waitFor();
    await choose('About roots', 'Move to a folder');
    await page.getByRole('combobox', { name: 'Folder' }).fill('Biology');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await column.getByText('Biology').click();
    await column.getByRole('list', { name: 'Biology' }).getByText('About roots').waitFor();
    const faults = await faultsInBothThemes(page);
    await page.setViewportSize({ width: 1280, height: 900 });

    await column.getByRole('searchbox').fill('roots');
    await column.getByRole('list', { name: 'Found' }).getByText('About roots').waitFor();
    await column.getByRole('searchbox').fill('');
    await choose('About Rome', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('All of Rome');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'All of Rome' }).waitFor();
    await link('All of Rome').waitFor();
    await link(/^About cells/).click();
    await page.getByRole('heading', { level: 1, name: 'About cells' }).waitFor();
    await choose('All of Rome', 'Delete');
    await link('All of Rome').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await link('All of Rome').waitFor();

    const { json } = await world.service.request<Folders>('/lamb/v1/conversations/folders', {
      ...{ key: person.key },
    });
    expect(json.data).to.deep.equal([{ name: 'Biology', conversations: 1 }]);
    expect([...faults, ...complaints]).to.deep.equal([]);
  });

  it('have a new one among them as soon as it has begun', async () => {
    const { assistant, page, column } = await scene('About cells');
    await goTo(page, `/chat/new?assistant=${String(assistant.id)}`);

    await page.getByRole('textbox', { name: 'Your question' }).fill('And volcanoes?');
    await page.keyboard.press('Enter');

    const first = column.getByRole('list', { name: 'Recent' }).getByRole('link').first();
    await first.and(column.getByRole('link', { name: 'And volcanoes?' })).waitFor();
    expect(await first.getAttribute('aria-current')).to.equal('page');
    await answered(page);
  });

  it('have it too when they were being read while it began', async () => {
    const { assistant, page, column } = await scene('About cells');
    const gates = createGates();
    let isFirst = true;
    await page.route(/conversations\?.*filed=false/, async (route) => {
      const answer = await route.fetch();
      const wait = isFirst;
      isFirst = false;
      if (wait) await gates.pass('begun', AbortSignal.timeout(60_000));
      await route.fulfill({ response: answer });
    });
    await goTo(page, `/chat/new?assistant=${String(assistant.id)}`);

    await page.getByRole('textbox', { name: 'Your question' }).fill('And volcanoes?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'And volcanoes?' }).waitFor();
    gates.release('begun');

    await column.getByRole('link', { name: 'And volcanoes?' }).waitFor();
    await answered(page);
  });

  it('are folded away for good, and come over the page where there is no room beside it', async () => {
    const { page, complaints, newest, column } = await scene('About cells', 'About roots');
    await goTo(page, newest);

    await column.getByRole('button', { name: 'Hide your conversations' }).click();
    await column.waitFor({ state: 'detached' });
    await page.reload();
    const show = page.getByRole('button', { name: 'Show your conversations' });
    await show.waitFor();
    expect(await column.count()).to.equal(0);
    await show.click();
    await column.waitFor();

    await page.setViewportSize({ width: 380, height: 800 });
    await column.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Your conversations' }).click();
    const drawer = page.getByRole('dialog', { name: 'Your conversations' });
    const faults = await faultsInBothThemes(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await drawer.getByRole('link', { name: 'About cells' }).click();
    await page.getByRole('heading', { level: 1, name: 'About cells' }).waitFor();
    await drawer.waitFor({ state: 'hidden' });
    expect([...faults, ...complaints]).to.deep.equal([]);
  });

  it('of which there are thousands come a page at a time', async () => {
    const { person, assistant, page, newest, column } = await scene('About cells');
    await inDatabase(world.service, async (_, db) => {
      const at = '2026-01-01T00:00:00.000Z';
      const row = { user_id: person.id, assistant_id: assistant.id, created_at: at, updated_at: at };
      const rows = Array.from({ length: 10_000 }, (_each, n) => ({
        ...{ ...row, id: `many-${String(person.id)}-${String(n)}`, title: `Talk ${String(n)}` },
      }));
      await db.batchInsert('conversations', rows, 500);
    });
    await goTo(page, newest);

    const shown = column.getByRole('list', { name: 'Recent' }).getByRole('link');
    await shown.nth(29).waitFor();
    expect(await shown.count()).to.equal(30);
    await column.getByRole('button', { name: 'Show more' }).click();
    await shown.nth(59).waitFor();
    expect(await shown.count()).to.equal(60);

    await goTo(page, '/chat');
    const onPage = page.getByRole('list', { name: 'Recent' }).getByTestId('conversation');
    await onPage.nth(29).waitFor();
    expect(await onPage.count()).to.equal(30);
  });

  it('stand in the same order on their page, where they are put in order as well', async () => {
    const { assistant, page, complaints, chooseIn } = await scene(...THREE);
    const choose = chooseIn.bind(undefined, page);
    await goTo(page, '/chat?q=roots');
    const list = (name: string) => page.getByRole('list', { name });

    await list('Found').getByText('About roots').waitFor();
    expect(await page.getByTestId('conversation').count()).to.equal(1);
    await choose('About roots', 'Move to a folder');
    await page.getByRole('combobox', { name: 'Folder' }).fill('Biology');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('searchbox').fill('');
    await list('Recent').getByText('About Rome').waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await choose('About cells', 'Pin');
    await list('Pinned').getByText('About cells').waitFor();
    await list('Pinned').getByText(assistant.name).waitFor();
    await page.getByText('Biology', { exact: true }).click();
    await list('Biology').getByText('About roots').waitFor();
    const faults = await faultsInBothThemes(page);

    await goTo(page, '/chat');
    await list('Pinned').waitFor();
    await list('Recent').getByText('About Rome').waitFor();
    expect(await list('Pinned').getByRole('link').allTextContents()).to.deep.equal(['About cells (pinned)']);
    expect(await list('Recent').getByRole('link').allTextContents()).to.deep.equal(['About Rome']);
    expect([...faults, ...complaints]).to.deep.equal([]);
  });

  it('are found on their page by what was said, renamed, and deleted unless somebody thinks better of it', async () => {
    const { page, chooseIn } = await scene('About animals', 'About plants');
    const choose = chooseIn.bind(undefined, page);
    await goTo(page, '/chat');
    const rows = page.getByTestId('conversation');
    const titles = () => rows.getByRole('link').allTextContents();

    await rows.first().waitFor();
    const all = await titles();
    await page.getByRole('searchbox').fill('PLANTS');
    await page.getByText('About animals').waitFor({ state: 'detached' });
    await choose('About plants', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('Botany');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Botany' }).waitFor();
    await page.getByRole('searchbox').fill('a ROOM');
    await page.getByText('About animals').waitFor();
    const found = await titles();
    await choose('Botany', 'Delete');
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Botany' }).waitFor();
    await choose('About animals', 'Delete');
    const left = await titles();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('list', { name: 'Recent' }).getByText('Botany').waitFor();
    await choose('Botany', 'Delete');
    await page.getByText('No conversations yet').waitFor();

    expect(all).to.deep.equal(['About plants', 'About animals']);
    expect(found).to.have.members(['Botany', 'About animals']);
    expect(left).to.deep.equal(['Botany']);
    expect(await page.locator('body:focus').count(), 'the focus, when the last one is gone').to.equal(0);
    expect(await page.locator(':focus').count(), 'the focus, when the last one is gone').to.equal(1);
  });
});
