import { expect } from 'chai';
import { request } from 'undici';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aUser, fillIn, signedIn } from '../../support/page-fixture.js';

/** Compressed, of all that is fetched before somebody can sign in. */
const FIRST_PAGE_BYTES = 100_000;

/** As long as what a browser gets that takes Brotli, which it says to addresses with TLS alone. */
async function bytesOf(address: string): Promise<number> {
  const { body } = await request(address, { headers: { 'accept-encoding': 'br' } });
  return (await body.arrayBuffer()).byteLength;
}

describeInBrowser('signing in', function () {
  this.timeout(120_000);
  let world: TestService;
  let visiting: Visit;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visiting.close());

  it('tells a wrong password beside the form, and no more', async () => {
    const { email } = await aUser(world.service);
    visiting = await visit(world.service.url);
    const { page } = visiting;

    await page.goto('/');
    await fillIn(page, email, 'wrong');
    const told = await page.getByRole('alert').textContent();

    expect(told).to.include('The e-mail address or the password is not right.');
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
  });

  it('fetches less than 100 KB before it', async () => {
    visiting = await visit(world.service.url, { fresh: true });
    const { page } = visiting;
    const asked = new Set<string>();
    page.on('request', (each) => asked.add(each.url()));

    await page.goto('/', { waitUntil: 'networkidle' });
    const bytes = await Promise.all([...asked].map(bytesOf));

    expect(asked).to.include(`${world.service.url}/`);
    expect(bytes.length).to.be.above(5);
    expect(bytes.reduce((sum, each) => sum + each)).to.be.below(FIRST_PAGE_BYTES);
  });

  it('leads on to where somebody was going, and to no other site', async () => {
    const { email } = await aUser(world.service);
    const reached = [];

    for (const path of [
      '/knowledge/nothing/ask',
      '/sign-in?return=https://evil.example/',
      '/sign-in?return=//evil.example',
    ]) {
      visiting = await visit(world.service.url);
      await visiting.page.goto(path);
      await fillIn(visiting.page, email);
      await visiting.page.waitForURL((url) => url.pathname !== '/sign-in');
      reached.push(visiting.page.url().slice(world.service.url.length));
      await visiting.close();
    }

    expect(reached).to.deep.equal(['/knowledge/nothing/ask', '/welcome', '/welcome']);
  });

  it('outlives a reload, is lent to a new tab, and ends in all of them', async () => {
    visiting = await signedIn(world.service, '/knowledge');
    const { page, context } = visiting;
    const heading = { name: 'Knowledge', level: 1 } as const;

    await page.reload();
    await page.getByRole('heading', heading).waitFor();
    const second = await context.newPage();
    await second.goto(`${world.service.url}/knowledge`);
    await second.getByRole('heading', heading).waitFor();
    const kept = await page.evaluate<string[]>('[document.cookie, JSON.stringify(localStorage)]');
    const token = await page.evaluate<string>("sessionStorage.getItem('bellwether.session')");
    await page.getByRole('button', { name: /Your account/ }).click();
    // The page does not wait for the service to forget the session, so whoever asks the service has to.
    const told = page.waitForResponse('**/lamb/v1/auth/logout');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await second.waitForURL('**/sign-in?*');
    await page.waitForURL('**/sign-in?*');
    await told;

    expect(kept).to.deep.equal(['', '{}']);
    const { status } = await world.service.request('/lamb/v1/me', { key: token });
    expect(status).to.equal(401);
  });

  it('leaves no unsent words to whoever comes next', async () => {
    const person = await aPerson(world.service);
    const { id } = await world.service.createAssistant({}, person);
    visiting = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page } = visiting;
    const kept = () => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

    await page.getByRole('textbox').fill('Something private');
    await page.reload();
    const found = await page.getByRole('textbox').inputValue();
    const before = await kept();
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in?*');

    expect(found).to.equal('Something private');
    expect(before).to.contain(found);
    expect(await kept()).not.to.contain('private');
  });

  it('speaks the language of the browser until another is chosen, and remembers that', async () => {
    visiting = await signedIn(world.service, '/knowledge', { locale: 'eu-ES' });
    const { page } = visiting;

    const first = await page.getByRole('heading', { level: 1 }).textContent();
    await page.getByRole('button', { name: /Zure kontua/ }).click();
    await page.getByLabel('Hizkuntza').selectOption('ca');
    await page.getByRole('heading', { name: 'Coneixement', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Coneixement', level: 1 }).waitFor();

    expect(first).to.equal('Ezagutza');
    expect(await page.locator('html').getAttribute('lang')).to.equal('ca');
    expect(await page.title()).to.equal('Coneixement · Bellwether');
  });

  it('has the chosen theme before anything is painted', async () => {
    visiting = await signedIn(world.service, '/knowledge');
    const { page, complaints } = visiting;
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

    const light = await ground();
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByText('Dark', { exact: true }).click();
    const dark = await ground();
    // All there is but the page's own script: what is seen first.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload({ waitUntil: 'domcontentloaded' });
    const first = await page.locator('html').getAttribute('data-theme');

    expect(light).not.to.equal(dark);
    expect(first).to.equal('dark');
    expect(complaints.filter((each) => !each.includes('ERR_FAILED'))).to.deep.equal([]);
  });

  it('says that the service cannot be reached, and tries again', async () => {
    visiting = await signedIn(world.service, '/knowledge');
    const { page } = visiting;

    await page.route('**/lamb/v1/me', (route) => route.abort());
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/lamb/v1/me');
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('heading', { name: 'Knowledge', level: 1 }).waitFor();
  });
});
