import { expect } from 'chai';
import { aPupil, type Pupil } from '../../../http/support/students-fixture.js';
import { aColleagueOf } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { type FakeMoodle, startFakeMoodle } from '../../../support/moodle.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const LACKING = { lacks: ['moodle/user:viewdetails'] };

describeInBrowser('checking what Moodle shows of a student', function () {
  this.timeout(120_000);
  let world: TestService;
  let moodle: FakeMoodle;
  let pupil: Pupil;
  let path: string;
  let visitor: Visitor;
  before(async () => {
    [world, moodle] = await Promise.all([sharedQuietService(), startFakeMoodle()]);
    pupil = await aPupil({ world, moodle }, LACKING);
    path = `/admin/organizations/${String(pupil.organizationId)}/moodle`;
    visitor = await signedIn(world.service, path, {
      as: await aColleagueOf(world.service, pupil, 'org_admin'),
    });
  });
  beforeEach(async () => {
    await moodle.treat(pupil.token, LACKING);
    await goTo(visitor.page, path);
  });
  after(async () => {
    await visitor.close();
    await moodle.stop();
  });

  it('names the capability that the account behind the token lacks, and is content once it is there', async () => {
    const { page, complaints } = visitor;
    const student = page.getByLabel(/^Student:/);
    const check = page.getByRole('button', { name: 'Check', exact: true });
    const result = page.getByTestId('moodle-check');

    await student.fill('nobody');
    await check.click();
    await page.getByText('An e-mail address, or the number').waitFor();
    await student.fill(pupil.email);
    await check.click();
    await result.getByText('Courses: Amiss').waitFor();
    const named = await result.locator('code').allInnerTexts();
    await page.getByText('What the account behind the token needs in Moodle').click();
    const faults = await faultsInBothThemes(page);
    await moodle.treat(pupil.token, {});
    await student.fill(String(pupil.moodleId));
    await check.click();
    await result.getByText('Nothing is amiss.').waitFor();

    expect(named[0]).to.equal('moodle/user:viewdetails');
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('speaks the language of the page', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByLabel('Language').selectOption('eu');

    await page.getByLabel(/^Ikaslea:/).fill(pupil.email);
    await page.getByRole('button', { name: 'Egiaztatu', exact: true }).click();

    await page.getByText('Moodlek ez du pertsona honen ikastarorik erakusten').waitFor();
  });
});
