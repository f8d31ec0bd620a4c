import { expect } from 'chai';
import { collectionsOf } from '../../../http/support/collection-client.js';
import { aColleagueOf, aPerson } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aCollection, CELLS, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const OTHER = { name: 'exam.md', text: '# Exam\n\nThe exam is in June.\n' };

describeInBrowser('what teachers decide on the Knowledge pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('holds for passages and documents: corrected, pinned, off, and with tags for the tool', async () => {
    const person = await aPerson(world.service);
    const { id, documentIds } = await aCollection(world.service, person, [CELLS, OTHER]);
    const [cells = ''] = documentIds;
    visitor = await signedIn(world.service, `/knowledge/${id}/documents/${cells}`, { as: person });
    const { page, complaints } = visitor;
    const first = page.getByTestId('passage').first();
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Change passage 1' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };

    await choose('Correct the text');
    await page.getByLabel('Text').fill('Zebras are corrected.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await first.getByText('Corrected', { exact: true }).waitFor();
    await choose('Pin: always first');
    await first.getByText('Pinned').waitFor();
    await choose('Bring back what the document says');
    await first.getByText('Corrected', { exact: true }).waitFor({ state: 'detached' });
    await choose('Switch off');
    await first.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Switched off' }).check();
    await page.getByLabel('Until (optional)').fill('2099-05-01');
    await page.getByLabel('Until (optional)').blur();
    await page.getByLabel('Tags').fill('Unit 1, Cells');
    await page.getByRole('button', { name: 'Save the tags' }).click();
    await page.getByText('The tags were saved.').first().waitFor();
    await goTo(page, `/knowledge/${id}`);
    await page.getByTestId('off').getByText('2099').waitFor();
    for (const name of [CELLS.name, OTHER.name])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    await page.getByRole('button', { name: 'Change tags' }).click();
    await page.getByLabel('Add').fill('course');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('tags').nth(1).waitFor();

    const tags = (await page.getByTestId('tags').allTextContents()).map((text) => text.trim()).sort();
    expect(tags.map((text) => text.replaceAll(/\s+/g, ' '))).to.have.length(2);
    expect(tags.join()).to.contain('course').and.contain('unit 1');
    expect(await page.getByTestId('off').count()).to.equal(1);
    const tools = [{ type: 'simple_rag', enabled: true, mode: 'placeholder', config: { collections: [id] } }];
    const assistant = await world.service.createAssistant(
      { metadata: { _format_version: 2, assistant_type: 'multi_tool', tools } },
      { key: person.key },
    );
    await goTo(page, `/multi-tool-assistants/${String(assistant.id)}`);
    await page.getByText('More settings').click();
    await page.getByRole('button', { name: /Choose tags/ }).click();
    const offered = page.getByTestId('choice');
    await offered.first().waitFor();
    const names = await offered.allTextContents();
    await offered.filter({ hasText: 'unit 1' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByTestId('picked').filter({ hasText: 'unit 1' }).waitFor();
    expect(names.map((name) => name.trim())).to.deep.equal(['cells', 'course', 'unit 1']);
    expect(complaints).to.deep.equal([]);
  });

  it('shows test questions with what became of them, and questions asked in vain to act on', async () => {
    const person = await aPerson(world.service);
    const { id } = await aCollection(world.service, person, [CELLS]);
    const mine = collectionsOf(world.service, person.key);
    await mine.send(`/${id}`, { method: 'PUT', body: { is_shared: true } });
    const colleague = await aColleagueOf(world.service, person);
    await collectionsOf(world.service, colleague.key).ask(id, 'quark zither');
    const question = 'Where do plants make sugar from light?';
    const asked = new URLSearchParams({ question }).toString();
    visitor = await signedIn(world.service, `/knowledge/${id}/ask?${asked}`, { as: person });
    const { page, complaints } = visitor;

    await page
      .getByRole('button', { name: /keep as a test question/ })
      .first()
      .click();
    await page.getByText('Kept as a test question.').first().waitFor();
    await page.getByRole('link', { name: 'Test questions' }).click();
    await page.getByTestId('test-question').getByText(question).waitFor();
    await page.getByRole('button', { name: 'Ask them all now' }).click();
    await page.getByTestId('test-run').getByText('1 of 1 found among the first 5').first().waitFor();
    await page.getByText('Found, place 1').waitFor();
    await page.getByRole('link', { name: 'Asked in vain' }).click();
    const vain = page.getByTestId('vain-question');
    await vain.getByText('quark zither').waitFor();
    await vain.getByRole('button', { name: 'Make a test question' }).click();
    await page.getByLabel('Document that answers it').selectOption({ label: CELLS.name });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing was asked in vain').waitFor();
    await page.getByRole('link', { name: 'Test questions' }).click();
    await page.getByTestId('test-question').nth(1).waitFor();
    await page.getByRole('button', { name: 'Ask them all now' }).click();
    await page.getByText('1 of 2 found among the first 5').first().waitFor();

    expect(await page.getByText('Not found', { exact: true }).count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });
});
