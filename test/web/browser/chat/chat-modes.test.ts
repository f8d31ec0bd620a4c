import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { inDatabase } from '../../../http/support/users-fixture.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const MOST_SCRIPT_BYTES = 200_000;
const SCRIPT_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;
const FOCUSED = `document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()`;

async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if ((await page.evaluate<string>(FOCUSED)) === name) return;
  }
  throw new Error(`No way to ${name} by ${key}.`);
}

describeInBrowser('ways to chat', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));

  it('by keyboard alone: choose, ask, copy, ask otherwise; and the page is light to load', async () => {
    const { page, context, person, complaints } = kept();
    const { name } = await anAssistant(world, person, [say('First.\n\n```js\nlet a;\n```'), say('Second.')]);
    // With all that has to be loaded for it.
    await page.goto('/chat');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);

    await page.getByRole('button', { name: 'New chat' }).first().waitFor();
    await tabTo(page, 'New chat');
    await page.keyboard.press('Enter');
    await page.getByTestId('assistant-choice').waitFor();
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await page.locator('textarea:focus').waitFor();
    const bytes = await page.evaluate<number>(SCRIPT_BYTES);
    await page.keyboard.type('One');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Details' }).waitFor();
    const question = await page.getByTestId('question').locator('p').textContent();
    await tabTo(page, 'Copy', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Copied.').waitFor({ state: 'attached' });
    const copied = await page.evaluate('navigator.clipboard.readText()');
    await tabTo(page, 'Edit this question', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Otherwise');
    await tabTo(page, 'Ask again');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('Second.').waitFor();

    expect(bytes).to.be.above(10_000).and.below(MOST_SCRIPT_BYTES);
    expect(question).to.equal('One\ntwo');
    expect(copied).to.equal('let a;');
    expect(await page.getByTestId('question').allTextContents()).to.have.length(1);
    expect(complaints).to.deep.equal([]);
  });

  it('side by side: two versions of an assistant answer one question, and nothing is kept', async () => {
    const { page, person, complaints } = kept();
    const made = await anAssistant(world, person, [say('Same.')], { repeat: true, system_prompt: 'Be old.' });
    await world.service.request(`/lamb/v1/assistants/${String(made.id)}`, {
      ...{ method: 'PUT', key: person.key },
      body: { name: made.name, system_prompt: 'Be new.', version: 1 },
    });
    const stored = async () =>
      (await world.service.request<{ data: unknown[] }>('/lamb/v1/conversations', person)).json.data;
    const before = await stored();
    await goTo(page, '/chat/compare');
    const side = (name: string) => page.getByRole('region', { name });

    for (const name of ['First', 'Second']) {
      await side(name).getByRole('button', { name: 'Choose an assistant' }).click();
      await page.getByRole('dialog').getByRole('button', { name: made.name }).click();
      await side(name).getByRole('combobox').waitFor();
    }
    await side('First').getByRole('combobox').selectOption('Version 1');
    const address = new URL(page.url()).search;
    await goTo(page, `/chat/compare${address}`);
    await side('First').getByRole('combobox').waitFor();
    await page.getByRole('textbox').fill('Which are you?');
    await page.keyboard.press('Enter');
    for (const name of ['First', 'Second']) await side(name).getByRole('link', { name: 'Details' }).waitFor();
    const asked = (await world.model.ledger(made.model)).map(({ body }) => String(body.messages[0]?.content));

    expect(address).to.equal(`?a=${String(made.id)}%401&b=${String(made.id)}`);
    expect(asked).to.have.members(['Be old.', 'Be new.']);
    expect(await stored()).to.deep.equal(before);
    expect(complaints).to.deep.equal([]);
  });

  it('at length: of two thousand messages only those are drawn that somebody is near', async () => {
    const { page, person } = kept();
    const { id: assistantId } = await anAssistant(world, person, [say('New.')]);
    const id = await inDatabase(world.service, async ({ conversations }) => {
      const made = await conversations.create({ userId: person.id, assistantId, title: 'Long' });
      const messages = Array.from({ length: 2_000 }, (_, i) => ({
        role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
        ...{ content: `Message ${String(i)}.\n\nMore of it.`, runId: null, incomplete: false },
      }));
      await conversations.append({ userId: person.id }, made.id, messages);
      return made.id;
    });
    await goTo(page, `/chat/${id}`);
    const drawn = () => page.locator('[data-testid=question], [data-testid=answer]').count();

    await page.getByText('Message 1999.').waitFor();
    const first = await drawn();
    await page.evaluate(`(async () => {
      for (let scrolls = 0; scrolls < 200 && !document.body.textContent.includes('Message 1880.'); scrolls += 1) {
        scrollBy(0, -3000);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
    })()`);
    const isFarUp = (await page.getByText('Message 1880.').count()) === 1;
    const up = await drawn();
    const isEndGone = (await page.getByText('Message 1999.').count()) === 0;
    await page.getByRole('textbox').fill('And now?');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('New.').waitFor();
    const isAtEnd = await page.getByText('And now?').isVisible();

    expect(first).to.be.below(61);
    expect(up).to.be.below(61);
    expect(isFarUp).to.equal(true);
    expect(isEndGone).to.equal(true);
    expect(isAtEnd).to.equal(true);
    expect(await drawn()).to.be.below(61);
  });

  it('on paper: the whole conversation with its sources, and nothing that can only be pressed', async () => {
    const { page, person } = kept();
    const { id: assistantId } = await anAssistant(world, person, []);
    const id = await inDatabase(world.service, async ({ conversations }) => {
      const made = await conversations.create({ userId: person.id, assistantId, title: 'Long' });
      const source = { n: 1, title: 'cells.md, p. 4', url: 'https://x.test/', similarity: 0.5, cited: true };
      const messages = Array.from({ length: 120 }, (_, i) => ({
        role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
        ...{ content: `Message ${String(i)}.`, runId: null, incomplete: false },
        ...(i === 119 ? { details: { sources: [source], steps: [] } } : {}),
      }));
      await conversations.append({ userId: person.id }, made.id, messages);
      return made.id;
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    await goTo(page, `/chat/${id}`);
    const drawn = () => page.locator('[data-testid=question], [data-testid=answer]').count();

    await page.getByText('Message 119.').waitFor();
    const onScreen = await drawn();
    await page.evaluate(`addEventListener('beforeprint', () => {
      window.onPaper = document.querySelectorAll('[data-testid=question], [data-testid=answer]').length;
    })`);
    await page.pdf();
    const onPaper = await page.evaluate('window.onPaper');
    await page.emulateMedia({ media: 'print' });

    expect([onScreen < 61, onPaper]).to.deep.equal([true, 120]);
    expect(await drawn()).to.be.lessThan(61);
    for (const unwanted of [
      page.getByRole('navigation'),
      page.getByRole('textbox'),
      page.getByRole('button', { name: 'New chat' }),
      page.getByRole('button', { name: 'Copy the answer' }),
    ])
      expect(await unwanted.filter({ visible: true }).count()).to.equal(0);
    expect(await page.getByTestId('source').last().isVisible()).to.equal(true);
    const ink = await page.evaluate<string>('getComputedStyle(document.body).color');
    expect(ink).to.equal('rgb(23, 33, 30)');
  });
});
