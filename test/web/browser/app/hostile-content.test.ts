import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aCollection, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';
import { aPerson, type Person } from '../../../http/support/users-fixture.js';

const ATTACK = [
  '<img src=x onerror="window.hacked=1">',
  '<svg onload="window.hacked=1"></svg>',
  '<script>window.hacked=1</script>',
  '<a href="javascript:window.hacked=1">link</a>',
  '[link](javascript:window.hacked=1) ![picture](https://evil.example/pixel.png)',
  '{@html "x"} {{constructor.constructor("window.hacked=1")()}}',
].join('\n\n');
const NAME = `"><img src=x onerror=window.hacked=1><svg onload=window.hacked=1>.md`;

describeInBrowser('what documents and people write', function () {
  this.timeout(120_000);
  let world: TestService;
  let person: Person;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
    person = await aPerson(world.service);
    visitor = await signedIn(world.service, '/welcome', { as: person });
  });
  afterEach(() => visitor.page.unrouteAll({ behavior: 'ignoreErrors' }));
  after(() => visitor.close());

  it('is shown as text, and never runs or loads anything', async () => {
    const { id, documentIds } = await aCollection(world.service, person, [
      { name: NAME, text: `# ${ATTACK}\n\nquokka ${ATTACK}` },
    ]);
    await world.service.request(`/lamb/v1/collections/${id}`, {
      ...{ method: 'PUT', key: person.key, body: { name: `<b>${ATTACK.slice(0, 60)}`, description: ATTACK } },
    });
    const { page, complaints } = visitor;

    await goTo(page, '/knowledge');
    await page.getByTestId('collection-card').first().waitFor();
    await goTo(page, `/knowledge/${id}`);
    await page.getByTestId('document').waitFor();
    const name = await page.getByTestId('document').getByRole('link').textContent();
    await page.getByRole('button', { name: /^Delete "/ }).click();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await goTo(page, `/knowledge/${id}/ask?question=quokka`);
    await page.getByTestId('finding').first().waitFor();
    const found = await page.getByTestId('finding').first().textContent();
    await goTo(page, `/knowledge/${id}/documents/${documentIds[0]!}`);
    await page.getByTestId('passage').first().waitFor();
    const links = await page.locator('a[href^="javascript:"]').count();
    const hacked = await page.evaluate('window.hacked');

    expect(hacked).to.equal(undefined);
    expect(links).to.equal(0);
    expect(name).to.include('onerror');
    expect(found).to.include('javascript:window.hacked=1');
    expect(complaints).to.deep.equal([]);
  });

  it('becomes a link only when it leads to a web page', async () => {
    const { id } = await aCollection(world.service, person);
    const { page } = visitor;
    const finding = (source_url: string) => ({
      ...{ similarity: 0.5, data: 'text', metadata: { filename: 'f', source_url } },
    });
    await page.route('**/query', (route) =>
      route.fulfill({
        json: {
          results: ['javascript:window.hacked=1', 'data:text/html,x', 'https://example.org/'].map(finding),
          ...{ count: 3, query: 'x', embeddings: null },
        },
      }),
    );

    await goTo(page, `/knowledge/${id}/ask?question=x`);
    await page.getByTestId('finding').nth(2).waitFor();
    const links = page.getByTestId('finding').getByRole('link');

    expect(await links.count()).to.equal(1);
    expect(await links.getAttribute('href')).to.equal('https://example.org/');
    expect(await links.getAttribute('rel')).to.equal('noopener noreferrer');
  });

  it('is downloaded as it is, never opened as a page of ours', async () => {
    const text = '<script>window.hacked=1</script>';
    const { id, documentIds } = await aCollection(world.service, person, [
      { name: 'page.html', text: `<p>Hello</p>${text}` },
    ]);
    const { page, context } = visitor;
    await goTo(page, `/knowledge/${id}/documents/${documentIds[0]!}`);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the original' }).click(),
    ]);

    expect(download.suggestedFilename()).to.equal('page.html');
    expect(context.pages()).to.have.length(1);
  });
});
