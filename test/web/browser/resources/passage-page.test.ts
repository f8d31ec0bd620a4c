import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LOOK } from '../../../../src/http/resources/page-style.js';
import { PROJECT_ROOT } from '../../../support/child-process.js';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { sharedService, type TestService } from '../../../support/test-service.js';
import { collectionsOf } from '../../../http/support/collection-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { axeFaults } from '../../support/axe.js';

const TEXT = `# Leaves

## How gases pass

${'A leaf takes in carbon dioxide and gives off oxygen and water. '.repeat(25)}

Small openings called *stomata* let gases pass; two guard cells open and close each of them.

| Part | What it does | When it does so |
|------|--------------|-----------------|
| Guard cells | open and close the stomata, which takes potassium ions and water | by day |

${'By night most plants close them, and breathe what is left inside the leaf. '.repeat(25)}
`;

describeInBrowser('the page of a passage, in a browser', function () {
  this.timeout(120_000);
  let world: TestService;
  let link: string;
  let visitor: Visit;
  before(async () => {
    world = await sharedService();
    const of = collectionsOf(world.service, (await aPerson(world.service)).key);
    const { id } = await of.make();
    await of.takeIn(id, 'Biology 101, a reader for the first year.md', TEXT);
    const { json } = await of.ask(id, 'What are stomata?');
    link = (json.results[0] as unknown as { readonly url: string }).url;
    visitor = await visit(world.service.url);
  });
  after(() => visitor.close());

  const violations = () => axeFaults(visitor.page.mainFrame());

  it('opens where the passage is, in its own style, and complains of nothing', async () => {
    const { page, complaints } = visitor;

    await page.goto(link);

    const mark = page.locator('#passage');
    expect(await mark.textContent()).to.include('stomata');
    expect((await mark.boundingBox())?.y).to.be.within(1, 899);
    const paint = "getComputedStyle(document.querySelector('#passage')).backgroundColor";
    expect(await page.evaluate<string>(paint)).to.equal('rgb(255, 233, 168)');
    expect(complaints).to.deep.equal([]);
  });

  it('is open to everybody, light and dark, on a phone', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 375, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(link);

      const overhang = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(await violations(), colorScheme).to.deep.equal([]);
      expect(overhang, colorScheme).to.equal(0);
    }
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('that says a passage is gone is open to everybody too', async () => {
    await visitor.page.goto('/passages/x');

    expect(await violations()).to.deep.equal([]);
  });

  it('wears the colours of the web UI in both themes, its name and its mark', async () => {
    const tokens = await readFile(join(PROJECT_ROOT, 'web/src/styles/tokens.css'), 'utf8');
    for (const [line] of LOOK.matchAll(/--[\w-]+: [^;]+;/g)) expect(tokens, line).to.include(line);
    const { page } = visitor;
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

    await page.goto(link);
    await page.getByText('Bellwether', { exact: true }).waitFor();
    const seen = [await ground()];
    await page.emulateMedia({ colorScheme: 'dark' });
    seen.push(await ground());
    await page.goto(link.replace('#', '?lang=eu&theme=light#'));
    seen.push(await ground());

    expect(seen).to.deep.equal(['rgb(246, 247, 246)', 'rgb(18, 23, 22)', 'rgb(246, 247, 246)']);
    await page.getByRole('link', { name: 'Deskargatu dokumentua' }).waitFor();
    await page.goto(link.replace('#', '?lang=%22%3Ex&theme=%22%3Ex#'));
    expect(await page.evaluate('document.documentElement.outerHTML.slice(0, 16)')).to.equal(
      '<html lang="en">',
    );
  });

  it('leads the keyboard first to the passage', async () => {
    const { page } = visitor;
    await page.goto(link.replace('#passage', ''));

    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>("document.activeElement.getAttribute('href')");

    expect(focused).to.equal('#passage');
  });
});
