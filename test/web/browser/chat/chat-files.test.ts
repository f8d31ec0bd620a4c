import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aLinkedAssistant } from '../../../http/support/link-fixture.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const READING = { attachments: { enabled: true } };

describeInBrowser('files in the Chat pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let other: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });

  /** Beside one that can be read stands one that cannot. */
  const choose = async (page: Page, name: string, text: string) => {
    await page.getByTestId('picture-input').setInputFiles(
      [
        { name, buffer: Buffer.from(text) },
        { name: 'nothing.txt', buffer: Buffer.alloc(0) },
      ].map((file) => ({ ...file, mimeType: 'text/plain' })),
    );
    const pending = page.getByTestId('pending-file');
    await pending.filter({ hasText: name }).filter({ hasText: 'ready' }).waitFor();
    await pending.filter({ hasText: 'The file is empty.' }).waitFor();
    return pending;
  };
  const send = async (page: Page) => {
    await page.getByRole('textbox', { name: 'Your question' }).fill('Who is Dolly?');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('A ewe.').waitFor();
  };

  it('are read before they are sent, say why they cannot be, and stand with the question after a reload', async () => {
    const { page, person, complaints } = kept();
    const { id, model } = await anAssistant(world, person, [say('A ewe.')], { metadata: READING });
    await goTo(page, `/chat/new?assistant=${String(id)}`);

    await page.getByRole('button', { name: 'Add files' }).waitFor();
    const pending = await choose(page, 'notes.txt', 'Dolly is a ewe.');
    await page.getByRole('button', { name: 'Remove nothing.txt' }).click();
    expect(await pending.count()).to.equal(1);
    await send(page);
    await page.reload();
    await page.getByTestId('sent-file').getByText('notes.txt').waitFor();

    expect(await pending.count()).to.equal(0);
    expect(JSON.stringify((await world.model.ledger(model))[0]?.body.messages)).to.contain('Dolly is a ewe.');
    // Such as are sent, and beside them such as are not yet, read or not.
    await choose(page, 'more.txt', 'Dolly is a sheep.');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('can be pasted, and say why they cannot be read in the language of whoever sends them', async () => {
    const person = await aTeacher(world);
    const { id } = await anAssistant(world, person, [say('A ewe.')], { metadata: READING });
    other = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, {
      ...{ as: person, locale: 'es-ES' },
    });
    const { page, complaints } = other;
    await page.getByRole('button', { name: 'Añadir archivos' }).waitFor();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['Dolly is a ewe.'], 'notes.txt'));
      clipboardData.items.add(new File([], 'nothing.txt'));
      clipboardData.items.add(new File([new Uint8Array(22_000_000)], 'large.txt'));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('textarea').dispatchEvent(event);
    })()`);
    const pending = page.getByTestId('pending-file');

    await pending.filter({ hasText: 'notes.txt' }).filter({ hasText: 'listo' }).waitFor();
    await pending.filter({ hasText: 'nothing.txt' }).filter({ hasText: 'El archivo está vacío.' }).waitFor();
    await pending.filter({ hasText: 'large.txt' }).filter({ hasText: '21 MB como máximo' }).waitFor();
    expect(await page.locator('textarea').inputValue()).to.equal('');
    expect(complaints.filter((each) => !each.includes('413'))).to.deep.equal([]);
  });

  it('can be dropped by whoever came by a link', async () => {
    const linked = await aLinkedAssistant(world, { ...READING, steps: [say('A ewe.')] });
    const { url } = await linked.link();
    other = await visit(world.service.url);
    const { page } = other;
    await page.goto(url);

    await page.getByRole('button', { name: 'Add files' }).waitFor();
    const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['Dolly is a ewe.'], 'notes.txt'));
      return data;
    })()`);
    await page.locator('form').last().dispatchEvent('drop', { dataTransfer });
    await page.getByTestId('pending-file').filter({ hasText: 'ready' }).waitFor();
    await send(page);

    await page.getByTestId('sent-file').getByText('notes.txt').waitFor();
    const prompt = JSON.stringify((await world.model.ledger(linked.llm))[0]?.body.messages);
    expect(prompt).to.contain('Dolly is a ewe.');
  });

  it('are switched on by whoever makes the assistant, with how much is read of them', async () => {
    const { page, person } = kept();
    const { id } = await anAssistant(world, person, [say('A ewe.')]);
    await goTo(page, `/assistants/${String(id)}`);

    await page.getByText('Advanced', { exact: true }).click();
    await page.getByRole('switch', { name: 'Files in questions' }).click();
    await page.getByRole('switch', { name: 'Remember what tools brought' }).click();
    await page.getByRole('spinbutton', { name: 'How much of the files is read' }).fill('2000');
    await page.keyboard.press('Tab');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.keyboard.press('Control+s');
    expect((await saved).status()).to.equal(200);

    const path = `/lamb/v1/assistants/${String(id)}`;
    const { json } = await world.service.request<{ metadata: object; attachments: boolean }>(path, {
      key: person.key,
    });
    expect(json.attachments).to.equal(true);
    expect(json.metadata).to.deep.include({
      attachments: { enabled: true, max_tokens: 2_000 },
      remember_tools: { enabled: true },
    });
  });
});
