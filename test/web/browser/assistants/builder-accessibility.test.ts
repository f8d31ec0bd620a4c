import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService, weatherFunction } from '../../../support/test-service.js';
import {
  aScenario,
  aTriedAssistant,
  GREETS,
  type TriedAssistant,
} from '../../../http/support/scenario-client.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { keptVisit } from '../../support/kept-visit.js';
import { aCollection, CELLS, goTo, signedIn } from '../../support/page-fixture.js';

/** What the folded parts of the form are about, so that all their fields are there. */
const PARTS = {
  metadata: {
    publish_gate: 'suite',
    tool_routing: 'fast',
    pedagogy: { attempt_first: true, hints: { levels: 4 }, stay_on_topic: 'Cells' },
    attachments: { enabled: true, max_tokens: 2_000 },
    remember_tools: { enabled: true },
    tools: [weatherFunction],
  },
  content: {
    avatar: { emoji: '🦉', color: 'blue' },
    greeting: 'Hello, **you**.',
    starters: ['First?', 'Second?'],
    tags: ['Biology', 'Year 9'],
  },
};

describeInBrowser('everybody can use the form of an assistant, by axe’s judgement,', function () {
  this.timeout(120_000);
  let world: TestService;
  let tried: TriedAssistant;
  let collection: string;
  before(async () => {
    world = await sharedQuietService();
    tried = await aTriedAssistant(world, PARTS);
    await tried.scenario(aScenario(GREETS));
    ({ id: collection } = await aCollection(world.service, tried.administrator, [CELLS]));
  });
  const kept = keptVisit(async () => signedIn(world.service, '/assistants', { as: tried.administrator }));

  it('with the preview of a classic one', async () => {
    const { page, person } = kept();
    const { id } = await world.service.createAssistant(
      { name: 'Classic', metadata: { rag_processor: 'simple_rag' }, RAG_collections: collection },
      { key: person.key },
    );
    await goTo(page, `/assistants/${String(id)}`);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByTestId('preview-message').first().waitFor();

    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });

  it('filled in or not, refused or not, with everything opened', async () => {
    const { page } = kept();
    const seen: string[] = [];
    const look = async () => seen.push(...(await faultsInBothThemes(page)));

    await goTo(page, `/multi-tool-assistants/${String(tried.id)}`);
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Only what passes its tests reaches students').uncheck();
    await page.getByTestId('save').click();
    await page.getByTestId('gate-refusal').waitFor();
    await page.getByTestId('add-tool-btn').click();
    await look();
    await page.getByTestId('tool-option-http').click();
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-simple_rag').click();
    await page.locator('[name=name]').fill('');
    await page.getByTestId('save').click();
    await page.locator('[name=name][aria-invalid=true]').waitFor();
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`);
    for (const part of [
      page.getByTestId('gate-refusal').getByLabel('Reason'),
      page.getByTestId('tool-card').locator('.error'),
      page.locator('input[name=starter]'),
      page.getByLabel('How many steps'),
      page.getByLabel('How much of the files is read'),
    ])
      await part.first().waitFor();
    await look();
    await page.getByRole('button', { name: /^Choose collections/ }).click();
    await page.getByTestId('choice').first().waitFor();
    await look();

    expect(seen).to.deep.equal([]);
  });
});
