import { expect } from 'chai';
import { inDatabase } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { createGates } from '../../../support/fakes/ledger.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

interface Folders {
  readonly data: readonly { readonly name: string; readonly conversations: number }[];
}

describeInBrowser('conversations beside the chat', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });

  async function scene(...questions: readonly string[]) {
    const person = await aTeacher(world);
    const assistant = await anAssistant(world, person, [say('A room.')], { repeat: true });
    const ids: string[] = [];
    for (const question of questions) ids.push(await aConversation(world, person, assistant, question));
    visitor = await signedIn(world.service, `/chat/${ids.at(-1) ?? ''}`, { as: person });
    const { page } = visitor;
    const column = page.getByRole('navigation', { name: 'Your conversations' });
    const choose = async (title: string, item: string) => {
      await column.getByRole('button', { name: `More about “${title}”` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    return { person, assistant, page, column, choose };
  }

  it('are pinned, put into folders, found, renamed and deleted there, and the open one is marked', async () => {
    const { person, page, column, choose } = await scene('About cells', 'About roots', 'About Rome');
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
    expect([...faults, ...(visitor?.complaints ?? [])]).to.deep.equal([]);
  });

  it('have a new one among them as soon as it has begun', async () => {
    const { assistant, page, column } = await scene('About cells');
    await page.goto(`/chat/new?assistant=${String(assistant.id)}`);

    await page.getByRole('textbox', { name: 'Your question' }).fill('And volcanoes?');
    await page.keyboard.press('Enter');

    const first = column.getByRole('list', { name: 'Recent' }).getByRole('link').first();
    await first.and(column.getByRole('link', { name: 'And volcanoes?' })).waitFor();
    expect(await first.getAttribute('aria-current')).to.equal('page');
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
    await page.goto(`/chat/new?assistant=${String(assistant.id)}`);

    await page.getByRole('textbox', { name: 'Your question' }).fill('And volcanoes?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'And volcanoes?' }).waitFor();
    gates.release('begun');

    await column.getByRole('link', { name: 'And volcanoes?' }).waitFor();
  });

  it('are folded away for good, and come over the page where there is no room beside it', async () => {
    const { page, column } = await scene('About cells', 'About roots');

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
    expect([...faults, ...(visitor?.complaints ?? [])]).to.deep.equal([]);
  });

  it('of which there are thousands come a page at a time', async () => {
    const { person, assistant, page, column } = await scene('About cells');
    await inDatabase(world.service, async (_, db) => {
      const at = '2026-01-01T00:00:00.000Z';
      const row = { user_id: person.id, assistant_id: assistant.id, created_at: at, updated_at: at };
      const rows = Array.from({ length: 10_000 }, (_each, n) => ({
        ...{ ...row, id: `many-${String(person.id)}-${String(n)}`, title: `Talk ${String(n)}` },
      }));
      await db.batchInsert('conversations', rows, 500);
    });
    await page.reload();

    const shown = column.getByRole('list', { name: 'Recent' }).getByRole('link');
    await shown.nth(29).waitFor();
    expect(await shown.count()).to.equal(30);
    await column.getByRole('button', { name: 'Show more' }).click();
    await shown.nth(59).waitFor();
    expect(await shown.count()).to.equal(60);

    await page.goto('/chat');
    const onPage = page.getByRole('list', { name: 'Recent' }).getByTestId('conversation');
    await onPage.nth(29).waitFor();
    expect(await onPage.count()).to.equal(30);
  });

  it('stand in the same order on their page, where they are put in order as well', async () => {
    const { assistant, page } = await scene('About cells', 'About roots', 'About Rome');
    await page.goto('/chat?q=roots');
    const choose = async (title: string, item: string) => {
      await page.getByRole('button', { name: `More about “${title}”` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
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

    await page.reload();
    await list('Pinned').waitFor();
    await list('Recent').getByText('About Rome').waitFor();
    expect(await list('Pinned').getByRole('link').allTextContents()).to.deep.equal(['About cells (pinned)']);
    expect(await list('Recent').getByRole('link').allTextContents()).to.deep.equal(['About Rome']);
    expect([...faults, ...(visitor?.complaints ?? [])]).to.deep.equal([]);
  });
});
