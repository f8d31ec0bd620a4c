import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aTeacher } from '../../support/chat-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('how an assistant teaches', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('is switched on in the form, told while it is folded, and seen in the preview', async () => {
    visitor = await signedIn(world.service, '/multi-tool-assistants/create', { as: await aTeacher(world) });
    const { page, person, complaints } = visitor;
    const part = page.locator('details[data-part=teaching]');
    await page.locator('input[name=name]').fill(uniqueName('Tutor'));
    await page.getByText('How it teaches').click();

    await part.getByLabel('Own attempt first').press('Space');
    await part.getByLabel('No solutions').press('Space');
    await part.getByLabel('No solutions').press('Space');
    await part.getByLabel('Hints in steps').press('Space');
    await part.getByLabel('How many steps').selectOption('4');
    await part.getByLabel(/^Stay on the topic/).fill('Cells');
    await page.getByText('How it teaches').first().click();
    const gist = await part.getByTestId('gist').textContent();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByTestId('token-bar').getByText('How it teaches').waitFor();
    await page.getByText('This is hint 1 of 4').waitFor();
    await page.getByTestId('save').click();
    await page.getByTestId('toast').getByText('was created.').waitFor();
    const { json } = await world.service.request<{ data: { metadata: Record<string, unknown> }[] }>(
      ...(['/lamb/v1/assistants', { key: person.key }] as const),
    );

    expect(gist).to.equal('Own attempt first · Hints in steps · Stay on the topic');
    expect(json.data[0]?.metadata['pedagogy']).to.deep.equal({
      ...{ attempt_first: true, hints: { levels: 4 }, stay_on_topic: 'Cells' },
    });
    expect(complaints).to.deep.equal([]);
  });
});
