import { expect } from 'chai';
import { describeInBrowser, type Visit } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { looksInBothThemes } from '../../support/axe.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import {
  aCollection,
  anAssistantWithPast,
  CELLS,
  goTo,
  signedIn,
  type Visitor,
} from '../../support/page-fixture.js';
import { until } from '../../../http/support/collection-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';

/** All that an answer can be made of. */
const EVERYTHING =
  '### Heading\n\nText with `code`, $x^2$ and a [link](https://example.org).\n\n' +
  '- [x] done\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> Quote';

/** What somebody who tabs has come to; nothing when they are outside of the page. */
const FOCUSED = `document.activeElement.name || document.activeElement.textContent`;

describeInBrowser('everybody can use the pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor?.close());

  it('by axe’s judgement, on every page, in both themes, on a desk and in a hand', async () => {
    const person = await aTeacher(world);
    const { id, documentIds } = await aCollection(world.service, person, [CELLS]);
    const assistant = await anAssistant(world, person, [say(EVERYTHING)], { repeat: true });
    const conversation = await aConversation(world, person, assistant);
    const seen: string[] = [];
    const { page } = (visitor = await signedIn(world.service, '/knowledge', { as: person }));
    const faults = looksInBothThemes(page);
    const look = async () => seen.push(...(await faults()));

    await page.getByTestId('collection-card').waitFor();
    await look();
    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await look();
    await goTo(page, `/knowledge/${id}`);
    await page.getByRole('button', { name: 'Delete cells.md' }).click();
    await page.getByTestId('toast').waitFor();
    await look();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'cells.md' }).waitFor();
    await look();
    await goTo(page, `/knowledge/${id}/ask?question=oxygen`);
    await page.getByTestId('finding').first().waitFor();
    await page.getByText('Options').click();
    await look();
    await page
      .getByRole('button', { name: /keep as a test question/ })
      .first()
      .click();
    await page.getByText('Kept as a test question.').first().waitFor();
    await goTo(page, `/knowledge/${id}/questions`);
    await page.getByRole('button', { name: 'Ask them all now' }).click();
    await page.getByTestId('test-run').first().waitFor();
    await look();
    await goTo(page, `/knowledge/${id}/vain`);
    await page.getByText('Nothing was asked in vain').waitFor();
    await look();
    await goTo(page, `/knowledge/${id}/settings`);
    await page.getByRole('button', { name: 'Delete collection' }).click();
    await look();
    await goTo(page, `/knowledge/${id}/documents/${documentIds[0]!}#passage-1`);
    await page.getByTestId('passage').first().waitFor();
    await look();
    await goTo(page, '/chat');
    await page.getByTestId('conversation').waitFor();
    await look();
    await goTo(page, `/chat/${conversation}`);
    await page.locator('.markdown math').waitFor();
    await page.getByRole('button', { name: 'Edit this question' }).click();
    await look();
    await goTo(page, `/chat/compare?a=${String(assistant.id)}&b=${String(assistant.id)}`);
    await page.getByRole('textbox').fill('Which?');
    await page.keyboard.press('Enter');
    await page.locator('.markdown math').nth(1).waitFor();
    await look();
    await goTo(page, '/chat/new');
    await page.getByTestId('assistant-choice').waitFor();
    await look();
    await goTo(page, '/knowledge/nothing');
    await page.getByText('Nothing here').waitFor();
    await look();
    const withPast = await anAssistantWithPast(world.service, person);
    for (const [address, sign] of [
      ['/assistants', 'assistant'],
      ['/assistants/create', 'template-socratic-tutor'],
      ['/assistants/create?type=multi_tool&template=oral-exam&language=eu', 'enclosed-rubric'],
      [`/assistants/${withPast}/versions`, 'text-diff'],
      [`/assistants/${withPast}/sharing`, 'published'],
    ] as const) {
      await goTo(page, address);
      await page.getByTestId(sign).first().waitFor();
      await look();
    }
    // As when somebody signs out in another tab.
    await page.evaluate("new BroadcastChannel('bellwether.session').postMessage({ type: 'out' })");
    await page.locator('input[name=email]').waitFor();
    await page.keyboard.press('Enter');
    await look();

    expect(seen).to.deep.equal([]);
  });

  it('by axe’s judgement, on the first page, whoever comes and in whatever language', async () => {
    const teacher = await aTeacher(world);
    await aConversation(world, teacher, await anAssistant(world, teacher, [say('Hello.')]));
    const people = [
      teacher,
      await aPerson(world.service),
      await aPerson(world.service, { role: 'org_admin' }),
      await aPerson(world.service, { role: 'system_admin' }),
    ];
    const seen: string[] = [];
    for (const as of people) {
      const { page } = (visitor = await signedIn(world.service, '/welcome', { as }));
      const faults = looksInBothThemes(page);
      for (const language of as === teacher ? ['es', 'ca', 'eu', 'en'] : ['en']) {
        await page.getByTestId('setup-item').first().waitFor();
        await page.locator('main select').selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        seen.push(...(await faults()));
      }
      await visitor.close();
    }

    expect(seen).to.deep.equal([]);
  });

  it('by keyboard alone: make a collection, ask another one', async () => {
    const person = await aPerson(world.service);
    const { name } = await aCollection(world.service, person, [CELLS]);
    const visiting: Visitor = await signedIn(world.service, '/knowledge', { as: person });
    visitor = visiting;
    const { page } = visiting;
    const focused = page.locator(':focus');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>(FOCUSED)).trim() === name) return;
      }
      throw new Error(`No way to ${name} by Tab.`);
    };

    await page.getByTestId('collection-card').waitFor();
    await tabTo('New collection');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Made by keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Made by keys', level: 1 }).waitFor();
    const first = await focused.textContent();
    await tabTo('Knowledge');
    await page.keyboard.press('Enter');
    await page.getByTestId('collection-card').first().waitFor();
    await tabTo(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await tabTo('Ask');
    await page.keyboard.press('Enter');
    await page.getByLabel('Question').waitFor();
    await tabTo('question');
    await page.keyboard.type('oxygen');
    await page.keyboard.press('Enter');
    await page.getByTestId('finding').first().waitFor();
    await tabTo('Open the passage');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=passage][aria-current]').waitFor();

    expect(first).to.equal('Made by keys');
    expect(await focused.getAttribute('data-testid')).to.equal('passage');
    expect(visiting.complaints).to.deep.equal([]);
  });

  describe('by ear:', () => {
    let listener: Visitor;
    before(async () => {
      listener = await signedIn(world.service, '/welcome');
    });
    after(() => listener.close());

    /** By a name of its own: what was said of one is not taken for what is said of the next. */
    const send = (name: string) =>
      listener.page
        .getByTestId('file-input')
        .setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from(CELLS.text) });

    it('what becomes of a search and of a document is said, not only shown', async () => {
      const { page, person } = listener;
      const { id } = await aCollection(world.service, person);
      await goTo(page, `/knowledge/${id}`);
      const said = page.getByRole('status');

      await send('cells.md');
      await said.getByText('“cells.md” is ready.').waitFor({ state: 'attached' });
      await page.getByRole('link', { name: 'Ask', exact: true }).click();
      await page.getByLabel('Question').fill('xylophone');
      await page.keyboard.press('Enter');

      await said.getByText('Nothing found').waitFor({ state: 'attached' });
    });

    it('a document that was ready before the list had come is said to be ready too', async () => {
      const { page, person } = listener;
      const { id } = await aCollection(world.service, person);
      const documents = `/lamb/v1/collections/${id}/documents`;
      const counted = () => world.service.request<{ by_status: { ready: number } }>(documents, person);
      await page.route(
        `**${documents}?*`,
        async (route) => {
          const asItWas = await route.fetch();
          await until(counted, ({ json }) => json.by_status.ready === 1);
          await route.fulfill({ response: asItWas });
        },
        { times: 1 },
      );
      await goTo(page, `/knowledge/${id}`);
      await send('early.md');

      await page.getByRole('status').getByText('“early.md” is ready.').waitFor({ state: 'attached' });
    });

    it('a document that ends between being listed and being counted is said to be ready too', async () => {
      const { page, person } = listener;
      const { id } = await aCollection(world.service, person);
      await goTo(page, `/knowledge/${id}`);
      const documents = `**/lamb/v1/collections/${id}/documents?*`;
      await page.route(documents, async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as { data: object[] };
        const data = list.data.map((document) => ({ ...document, status: 'processing' }));
        const by_status = { queued: 0, processing: 0, ready: data.length, failed: 0 };
        await route.fulfill({ response, json: { ...list, data, by_status } });
      });
      await send('between.md');
      await page.locator('[data-testid=document-status][data-status=processing]').waitFor();
      await page.unroute(documents);

      await page.getByRole('status').getByText('“between.md” is ready.').waitFor({ state: 'attached' });
    });
  });
});
