import { expect } from 'chai';
import { DEMO_ASSISTANTS } from '../../../../src/organizations/demo-data.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aCollection, signedIn, type Visitor } from '../../support/page-fixture.js';
import { aColleagueOf, aPerson } from '../../../http/support/users-fixture.js';

describeInBrowser('the first page', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('says what is there and what is missing, lets the demo be tried, and ticks off what has been done', async () => {
    const person = await aPerson(world.service);
    const send = <Body>(path: string, body: object) =>
      world.service.request<Body>(path, { key: person.key, body });
    const { json: demo } = await send<{ id: number }>('/lamb/v1/assistants', { ...DEMO_ASSISTANTS[0] });
    // The demo comes with one.
    await aCollection(world.service, person);
    visitor = await signedIn(world.service, '/', { as: person });
    const { page, complaints } = visitor;
    const step = (name: string) => page.getByTestId(`step-${name}`);
    const model = page.getByTestId('setup-item').first();

    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await model.waitFor();
    const missing = await model.textContent();
    const toTry = await page.getByTestId('demo-assistant').getByRole('link').getAttribute('href');
    const first = await page.locator('[aria-current=step]').textContent();
    await page.locator('main select').selectOption('es');
    await page.getByRole('heading', { name: 'Te damos la bienvenida, Ada' }).waitFor();
    await page.locator('main select').selectOption('en');
    await aCollection(world.service, person);
    await page.reload();
    await step('knowledge').getByText('Done').waitFor({ state: 'attached' });
    const second = await page.locator('[aria-current=step]').textContent();
    const { json: own } = await send<{ id: number }>('/lamb/v1/assistants', { name: 'Essay coach' });
    const hello = { messages: [{ role: 'user', content: 'When is the exam?' }], conversation_id: 'new' };
    await send('/v1/chat/completions', { ...hello, model: String(own.id) });
    await page.reload();
    await page.getByTestId('own-assistant').waitFor();
    const talked = await page.getByTestId('recent-conversation').textContent();
    const chat = await page.getByRole('link', { name: 'Chat with Essay coach' }).getAttribute('href');

    expect(new URL(page.url()).pathname).to.equal('/welcome');
    expect(missing).to.include('Missing').and.to.include('Ask your administrator');
    expect(toTry).to.equal(`/chat/new?assistant=${String(demo.id)}`);
    expect(first).to.include('Add knowledge');
    expect(second).to.include('Build an assistant');
    expect(talked).to.include('When is the exam?');
    expect(chat).to.equal(`/chat/new?assistant=${String(own.id)}`);
    expect(await page.getByText('Three steps').count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('leads administrators to where things are set up', async () => {
    const administrator = await aColleagueOf(world.service, await aPerson(world.service), 'org_admin');
    visitor = await signedIn(world.service, '/welcome', { as: administrator });
    const { page } = visitor;

    await page.getByRole('link', { name: 'Set it up: A language model' }).click();

    await page.waitForURL(`**/admin/organizations/${String(administrator.organizationId)}`);
  });
});
