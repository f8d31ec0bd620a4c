import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCollection, CELLS, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('everybody can use the form of an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('by axe’s judgement, filled in or not, with everything opened', async () => {
    const person = await aPerson(world.service);
    const { id: collection } = await aCollection(world.service, person, [CELLS]);
    const { id } = await world.service.createAssistant(
      { name: 'Classic', metadata: { rag_processor: 'simple_rag' }, RAG_collections: collection },
      { key: person.key },
    );
    visitor = await signedIn(world.service, `/assistants/${String(id)}`, { as: person });
    const { page } = visitor;
    const seen: string[] = [];
    const look = async () => seen.push(...(await faultsInBothThemes(page)));

    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByTestId('preview-message').first().waitFor();
    await look();
    await goTo(page, '/multi-tool-assistants/create?type=orchestrator');
    await page.getByTestId('add-tool-btn').click();
    await look();
    await page.getByTestId('tool-option-http').click();
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-simple_rag').click();
    await page.getByTestId('save').click();
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`);
    await look();
    await page.getByRole('button', { name: /^Choose collections/ }).click();
    await page.getByTestId('choice').first().waitFor();
    await look();

    expect(seen).to.deep.equal([]);
  });
});
