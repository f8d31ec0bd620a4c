import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { upload } from '../../../http/support/file-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('everybody can use the first page, rubrics and files', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('by axe’s judgement, in both themes, on a desk and in a hand', async () => {
    const person = await aPerson(world.service);
    const { id } = await aRubric(world.service, {}, person.key);
    await upload(world.service, 'week/notes.md', 'x', { key: person.key });
    visitor = await signedIn(world.service, '/welcome', { as: person });
    const { page, complaints } = visitor;
    const seen: string[] = [];
    const look = async () => seen.push(...(await faultsInBothThemes(page)));

    for (const [address, sign] of [
      ['/welcome', 'setup-item'],
      ['/rubrics', 'rubric-card'],
      ['/rubrics/create', 'template-essay'],
      ['/files', 'folder'],
      ['/files?folder=week', 'file'],
    ] as const) {
      await goTo(page, address);
      await page.getByTestId(sign).first().waitFor();
      await look();
    }
    await goTo(page, '/rubrics/create?template=essay');
    await page.getByLabel('Weight of Argument').fill('');
    await page.getByLabel('Name of Criterion 2').fill('');
    await page.getByTestId('save').click();
    await look();
    await page.goto(`/rubrics/${id}`);
    await page.getByText('Same levels for every criterion').click();
    await page.getByText('What an assistant reads').click();
    await page.getByTestId('rubric-preview').getByText('SCORING INSTRUCTIONS').waitFor();
    await look();

    expect(seen).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('without a sideways scroll on the smallest phones', async () => {
    const person = await aPerson(world.service);
    const { id } = await aRubric(world.service, { title: 'Long'.repeat(40) }, person.key);
    visitor = await signedIn(world.service, '/welcome', { as: person, width: 320 });
    const { page } = visitor;
    const wide: string[] = [];

    for (const address of ['/welcome', '/rubrics', `/rubrics/${id}`, '/rubrics/create', '/files']) {
      await goTo(page, address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main :is(a, button, input)').first().waitFor({ state: 'attached' });
      const over = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (over > 0) wide.push(`${address}: ${String(over)}`);
    }

    expect(wide).to.deep.equal([]);
  });
});
