import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { axeFaults, faultsInBothThemes } from '../../support/axe.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('the palette', function () {
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

  it('goes to pages, assistants and conversations, and does what is chosen, by the keyboard alone', async () => {
    const person = await aTeacher(world);
    const assistant = await anAssistant(world, person, [say('A room.')]);
    await aConversation(world, person, assistant, 'About volcanoes');
    visitor = await signedIn(world.service, '/welcome', { as: person });
    const { page } = visitor;
    const field = page.getByRole('combobox', { name: 'Go to' });
    const chosen = page.locator('[role=option][aria-selected=true]');
    const open = async () => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
    };

    await page.getByRole('button', { name: 'Go to …' }).waitFor();
    await open();
    await page.getByRole('option', { name: 'About volcanoes' }).waitFor();
    const faults = await faultsInBothThemes(page);
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).to.equal(await chosen.getAttribute('id'));
    await field.fill('rubr');
    await chosen.and(page.getByRole('option', { name: 'Rubrics' })).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rubrics' }).waitFor();

    await open();
    await field.fill('volcan');
    await chosen.and(page.getByRole('option', { name: 'About volcanoes' })).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'About volcanoes' }).waitFor();

    await open();
    await field.fill(assistant.name);
    await chosen.and(page.getByRole('option', { name: assistant.name })).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/*assistants/${String(assistant.id)}`);

    await open();
    await field.fill('theme: dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();

    await open();
    await field.fill('zzzz');
    await page.getByText('Nothing found for “zzzz”.').waitFor();
    faults.push(...(await axeFaults(page.mainFrame())));
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });

    await open();
    await field.fill('euskara');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Joan hona …' }).waitFor();
    expect([...faults, ...visitor.complaints]).to.deep.equal([]);
  });

  it('opens again for keys that are pressed as soon as it is closed', async () => {
    visitor = await signedIn(world.service, '/welcome');
    const { page } = visitor;
    const field = page.getByRole('combobox', { name: 'Go to' });
    await page.getByRole('button', { name: 'Go to …' }).click();
    await field.fill('zzzz');
    await page.evaluate(PRESS_KEYS_ONCE_CLOSED);

    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Rubrics' }).waitFor();

    expect(await field.inputValue()).to.equal('');
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('is fetched when it is first opened, and is there where the navigation is folded away', async () => {
    visitor = await signedIn(world.service, '/welcome');
    const { page } = visitor;
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const palette = () => fetched.filter((url) => url.includes('/Palette-'));
    await page.setViewportSize({ width: 380, height: 800 });

    await page.getByRole('button', { name: 'Open the menu' }).click();
    expect(palette()).to.deep.equal([]);
    await page.getByRole('button', { name: 'Go to …' }).click();
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();

    expect(palette().some((url) => url.endsWith('.js'))).to.equal(true);
    await page.getByRole('option', { name: 'Rubrics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rubrics' }).waitFor();
  });
});

/** Before the browser has told anybody that it is closed. */
const PRESS_KEYS_ONCE_CLOSED = `
  new MutationObserver((_changes, observer) => {
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
  }).observe(document.querySelector('dialog:modal'), { attributeFilter: ['open'] });
`;
