import { expect } from 'chai';
import { aPerson } from '../../../http/support/users-fixture.js';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aUser, fillIn, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const NEW = 'quite another password';

describeInBrowser('people', function () {
  this.timeout(120_000);
  let world: TestService;
  let seat: Visitor;
  let invited: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
    const as = await aPerson(world.service, { role: 'org_admin' });
    seat = await signedIn(world.service, '/admin', { as });
  });
  afterEach(async () => {
    await invited?.close();
    invited = undefined;
  });
  after(() => seat.close());

  const anAddress = () => `${uniqueName('invited')}@example.test`;
  const thePage = async () => {
    await goTo(seat.page, '/admin/users/invitations');
    return seat;
  };

  it('are invited by a link, and make their account with it', async () => {
    const { page } = await thePage();
    const email = anAddress();
    await page.locator('input[name=email]').fill(email);
    await page.getByRole('button', { name: 'Make an invitation' }).click();
    const url = await page.getByTestId('made').locator('input').inputValue();
    await page.getByTestId('invitation').getByText(email).waitFor();
    const faults = await faultsInBothThemes(page);

    invited = await visit(world.service.url);
    await invited.page.goto(url);
    await invited.page.getByText(`School invites ${email}`).waitFor();
    faults.push(...(await faultsInBothThemes(invited.page)));
    await invited.page.locator('input[name=name]').fill('Ada Lovelace');
    await invited.page.locator('input[name=password]').fill(NEW);
    await invited.page.keyboard.press('Enter');
    await invited.page.waitForURL('**/welcome');
    await invited.page.goto(url.replace(/#.*/, '#none'));
    await invited.page.reload();
    await invited.page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();

    expect(faults).to.deep.equal([]);
  });

  it('come from a file: what would become of it is shown before anybody is invited', async () => {
    const { page } = await thePage();
    const [ada, grace] = [anAddress(), anAddress()];
    const buffer = Buffer.from(`email;name;role\r\n${ada};Ada;\r\n${grace};Grace;org_admin\r\nnobody;;\r\n`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    await page.getByTestId('sums').getByText('2 to invite, 0 already there, 1 refused.').waitFor();
    await page.getByText('This is no e-mail address.').waitFor();
    const faults = await faultsInBothThemes(page);
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await page.getByTestId('sums').getByText('2 invited, 0 already there, 1 refused.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the links' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().split('\r\n');
    faults.push(...(await faultsInBothThemes(page)));

    expect(lines[1]).to.match(new RegExp(`^${ada},Ada,http.*/invitation#[\\w-]{32},20`));
    expect(lines).to.have.length(4);
    expect(faults).to.deep.equal([]);
  });

  it('change their own password', async () => {
    const as = await aUser(world.service);
    const { page } = (invited = await signedIn(world.service, '/admin/password', { as }));
    const [current, wanted] = [page.locator('input[name=current]'), page.locator('input[name=wanted]')];

    await current.fill('a guess');
    await wanted.fill(NEW);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is not right.').waitFor();
    const faults = await faultsInBothThemes(page);
    await current.fill('a password for the browser');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').first().waitFor();
    await page.evaluate('sessionStorage.clear()');
    await page.goto('/sign-in');
    await fillIn(page, as.email, NEW);
    await page.waitForURL('**/welcome');

    expect(faults).to.deep.equal([]);
  });
});
