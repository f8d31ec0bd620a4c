import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { aPerson, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import type { LtiPlatform } from '../../../support/lti-platform/platform.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { thePlatform } from '../../support/lti-course-fixture.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('the page of learning platforms', function () {
  this.timeout(120_000);
  let world: TestService;
  let platform: LtiPlatform;
  let root: Person;
  let seat: Visitor;
  let visitor: Visitor | undefined;
  before(async () => {
    [world, platform] = await Promise.all([sharedQuietService(), thePlatform()]);
    root = await aPerson(world.service, { role: 'system_admin' });
    seat = await signedIn(world.service, '/admin/lti', { as: root });
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });
  after(() => seat.close());

  it('makes a link by which a platform registers itself, and tests it', async () => {
    const person = await aPerson(world.service, { role: 'org_admin' });
    visitor = await signedIn(world.service, '/admin/lti', { as: person, host: platform.issuer });
    const { page, context, complaints } = visitor;
    const dialog = page.getByRole('dialog');

    await page.getByLabel('Name of the platform').fill('Campus <b>Moodle</b>');
    await page.getByRole('button', { name: 'Make registration link' }).click();
    const link = await page.getByLabel('Registration link', { exact: true }).inputValue();
    const launchUrl = await page.getByLabel('Tool URL', { exact: true }).inputValue();
    const keysAreHidden = (await page.getByTestId('lti-keys').count()) === 0;
    const { words, icon } = await registerAt(platform, context, link);
    await goTo(page, '/admin/lti');
    await page.getByTestId('registration').getByRole('listitem').first().waitFor();
    const steps = await page.getByTestId('registration').getByRole('listitem').allInnerTexts();
    const row = page.getByRole('row').filter({ hasText: 'Campus <b>Moodle</b>' });
    await row.getByText('None yet').waitFor();
    await row.getByRole('button', { name: /^Test/ }).click();
    await dialog.getByTestId('checks').waitFor();
    const checks = await dialog.getByTestId('checks').getByRole('listitem').allInnerTexts();
    const faults = await faultsInBothThemes(page);

    expect(words).to.match(/Tool configuration usage/);
    expect(steps.join()).to.match(/Tool configuration usage/);
    expect(await page.getByText('Teachers do not find the tool in Moodle?').count()).to.be.at.least(1);
    expect(icon, 'width of the icon on the page of the course').to.be.greaterThan(0);
    expect(link).to.match(/\/lti\/register\?code=[\w-]{43}$/);
    expect(launchUrl).to.equal(`${world.service.url}/lti/launch`);
    expect(keysAreHidden).to.equal(true);
    expect(checks).to.have.length(6);
    expect(
      checks.every((check) => check.includes('In order')),
      checks.join(),
    ).to.equal(true);
    expect(await dialog.getByText('Nothing is amiss.').count()).to.equal(1);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('shows a link no longer once another organisation is chosen', async () => {
    const { organizationId } = await aPerson(world.service);
    const { page } = seat;
    await goTo(page, '/admin/lti');
    const link = page.getByLabel('Registration link', { exact: true });

    await page.getByRole('button', { name: 'Make registration link' }).click();
    await link.waitFor();
    const organisation = page.getByTestId('registration').getByLabel('Organisation');
    await organisation.selectOption(String(organizationId));
    await link.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Make registration link' }).click();
    await link.waitFor();
  });

  it('switches on what waits, says in words what is amiss, and gives the whole a new key', async () => {
    const tool = await platform.addTool(world.service, {
      register: { name: 'Stranger', enabled: false, organization_id: root.organizationId },
    });
    await platform.fault({ part: 'jwks', faults: ['500'] });
    const { page, complaints } = seat;
    await goTo(page, '/admin/lti');
    const dialog = page.getByRole('dialog');
    const row = page.getByRole('row').filter({ hasText: tool.clientId });

    await row.getByText('Waits to be switched on').waitFor();
    await row.getByRole('button', { name: 'Switch on Stranger' }).click();
    await row.getByText('Waits to be switched on').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Test Stranger' }).click();
    await dialog.getByText('Keys of the platform: Amiss').waitFor();
    const checks = await dialog.getByTestId('checks').getByRole('listitem').count();
    const icons = await dialog.getByTestId('checks').locator('li svg').count();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Make a new key' }).click();
    await dialog.getByRole('button', { name: 'Make a new key' }).click();
    await page.getByTestId('lti-keys').getByRole('cell', { name: 'Signs' }).waitFor();
    const faults = await faultsInBothThemes(page);

    expect(icons).to.equal(checks);
    expect(await page.getByTestId('lti-key').count()).to.be.at.least(1);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});

/** What the platform's own administrator does with a link, until its frame is put away, and what a course then shows. */
async function registerAt(platform: LtiPlatform, context: BrowserContext, link: string) {
  const page = await context.newPage();
  const url = encodeURIComponent(link);
  await page.goto(`${platform.issuer}/mod/lti/startltiadvregistration.php?url=${url}`);
  const frame = page.frameLocator('#registration');
  const words = await frame.locator('main').innerText();
  await frame.getByRole('button', { name: 'Close' }).click();
  await page.locator('#closed').waitFor();
  const [registered] = (await platform.journal('registration')).slice(-1);
  await platform.addActivity({ id: Number(registered!['tool']) });
  await page.goto(platform.pageFor('student1'), { waitUntil: 'load' });
  const icon = await page
    .locator('img.icon')
    .first()
    .evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth);
  await page.close();
  return { words, icon };
}
