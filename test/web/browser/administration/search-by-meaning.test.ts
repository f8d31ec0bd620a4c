import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import type { SearchState } from '../../../../src/http/contract/admin.js';
import { until } from '../../../http/support/collection-client.js';
import { configure, providers } from '../../../http/support/settings-client.js';
import { aColleagueOf, aPerson } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { type FakeEmbeddings, startFakeEmbeddings } from '../../../support/fakes/fakes.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCollection, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('switching on the search by meaning', function () {
  this.timeout(120_000);
  let world: TestService;
  let fake: FakeEmbeddings;
  let visitor: Visitor | undefined;
  before(async () => {
    [world, fake] = await Promise.all([sharedQuietService(), startFakeEmbeddings()]);
  });
  after(async () => {
    await visitor?.close();
    await fake.stop();
  });

  it('tests a model, tells how far the documents are, asks no more when all is done, and installs with progress', async () => {
    const person = await aPerson(world.service);
    const administrator = await aColleagueOf(world.service, person, 'org_admin');
    await configure(
      world.service,
      person,
      providers({ base_url: `${fake.url}/v1`, api_key: 'sk-embeddings' }),
    );
    await aCollection(world.service, person, [{ name: 'a.md', text: 'Stomata let gases pass.' }]);
    const organization = `/organizations/${String(person.organizationId)}`;
    visitor = await signedIn(world.service, `/admin${organization}/knowledge`, { as: administrator });
    const { page, complaints } = visitor;
    const asked: string[] = [];
    const unanswered = new Set<Request>();
    page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      unanswered.add(request);
    });
    page.on('requestfinished', (request) => unanswered.delete(request));
    page.on('requestfailed', (request) => unanswered.delete(request));
    // The page's clock is the test's, the service's is not: a look may take longer than the page's next minute.
    const seconds = async (count: number) => {
      for (let second = 0; second < count; second += 1) {
        await page.clock.runFor(1_000);
        await until(
          () => Promise.resolve(unanswered.size),
          (left) => left === 0,
        );
      }
    };

    // The local model, which is named with its languages, is for a system administrator to install.
    await page.getByRole('radio', { name: 'On this service' }).check();
    await page.getByText('Knows: English.').waitFor();
    await page.getByText('a system administrator can do that here').waitFor();
    // Another is tested, and then taken.
    await page.getByRole('radio', { name: 'OpenAI' }).check();
    const test = page.getByTestId('embeddings-test');
    await test.getByRole('button').click();
    await test.getByText('Answers with 256 dimensions').waitFor();
    await test.getByText('Basque').waitFor();
    await page.getByLabel('Ordered by').selectOption('openai');
    await page.getByRole('button', { name: 'Test the order' }).click();
    await page.getByText('Puts the answer first').waitFor();
    const faults = await faultsInBothThemes(page);
    await page.clock.install();
    await page.getByRole('button', { name: 'Save' }).click();
    const ready = page.getByText('Ready: 1 document');
    for (let looks = 0; looks < 90 && !(await ready.isVisible()); looks += 1) await seconds(1);
    await seconds(20);
    const before = asked.length;
    await seconds(60);
    const after = asked.length;

    const isReady = await ready.isVisible();
    await installInPage(page);

    expect(isReady).to.equal(true);
    expect(asked.slice(before, after)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});

/** One local model, as the service would tell of it. */
const state = (change: object): SearchState => ({
  ...{ default_embeddings: 'none', model: null, may_install: true },
  documents: { total: 0, embedded: 0, waiting: 0 },
  local_models: [
    {
      ...{ name: 'many', title: 'many-languages', is_usual: true, languages: ['en', 'eu'] },
      ...{
        dimensions: 2,
        licence: 'MIT',
        download_bytes: 1_000_000,
        disk_bytes: 2_000_000,
        state: 'absent',
      },
      ...change,
    },
  ],
});

/** What is fetched comes from nowhere: the page is told by this test how far it is. */
async function installInPage(page: Page): Promise<void> {
  let now = state({ state: 'failed', reason: 'registry_unreachable' });
  await page.route('**/search', (route) => route.fulfill({ json: now }));
  await page.route('**/local-models/many/install', (route) => {
    now = state({ state: 'installing', done_bytes: 250_000 });
    return route.fulfill({ status: 202, json: {} });
  });
  await page.reload();

  await page.getByRole('radio', { name: 'On this service' }).check();
  await page.getByText('Knows: English, Basque.').waitFor();
  await page.getByText('The npm registry cannot be reached from this service.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('250 kB of 1 MB fetched').waitFor();
  now = state({ state: 'installed' });
  await page.clock.runFor(3_000);
  await page.getByText('Installed', { exact: true }).waitFor();
}
