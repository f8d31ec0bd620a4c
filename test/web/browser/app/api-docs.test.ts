import { expect } from 'chai';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { ADMIN_EMAIL, ADMIN_KEY } from '../../../support/service.js';
import { sharedService } from '../../../support/test-service.js';
import { axeFaults } from '../../support/axe.js';

const A_MINUTE = 60_000;

describeInBrowser('the page that describes the API', function () {
  this.timeout(90_000);
  let seat: Visit;
  afterEach(() => seat.close());

  it('lists routes by subject, lets one be tried with the keyboard, and asks for nothing while left alone', async () => {
    const { service } = await sharedService();
    seat = await visit(service.url);
    const { page, complaints } = seat;
    await page.clock.install();
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.runFor(A_MINUTE);
    expect(asked).to.deep.equal([]);

    await page.getByLabel('Your API key or session token').fill(ADMIN_KEY);
    await page.getByRole('searchbox', { name: 'Search routes' }).fill('who is asking');
    await page.getByRole('searchbox').press('Enter');
    const routes = page.locator('section > details');
    await page.waitForFunction('document.querySelectorAll("section > details").length === 1');
    await routes.first().locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Status 200' }).waitFor();

    expect(await page.getByRole('region', { name: 'Answers' }).textContent()).to.include(ADMIN_EMAIL);
    expect(asked).to.deep.equal(['/lamb/v1/me']);
    expect(complaints).to.deep.equal([]);
  });

  it('can be used by everybody, in the dark and on a telephone, in the reader’s language', async () => {
    const { service } = await sharedService();
    seat = await visit(service.url, { theme: 'dark', width: 390, locale: 'eu' });
    const { page } = seat;
    await page.goto('/docs');
    await page.locator('summary', { hasText: '/v1/chat/completions' }).first().click();
    await page.getByRole('heading', { name: 'Probatu' }).waitFor();

    expect(await axeFaults(page.mainFrame())).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
  });
});
