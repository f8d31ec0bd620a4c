import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { describeInBrowser, theBrowser } from '../../../support/browser.js';
import type { LtiPlatform, OurTool } from '../../../support/lti-platform/platform.js';
import { startStandInTool, type StandInTool } from '../../../support/lti-platform/stand-in-tool.js';
import type { Service } from '../../../support/service.js';
import { thePlatform } from '../../support/lti-course-fixture.js';

describeInBrowser('the LTI platform in a browser', function () {
  this.timeout(120_000);

  let context: BrowserContext;
  let platform: LtiPlatform;
  let standIn: StandInTool;
  let tool: OurTool;

  before(async () => {
    context = await (await theBrowser()).newContext();
    platform = await thePlatform();
    standIn = await startStandInTool(() => `${platform.issuer}/mod/lti/auth.php`);
    tool = await platform.addTool({ url: standIn.url } as Service, { register: false });
  });
  after(() => Promise.all([context.close(), standIn.stop()]));

  it('launches in the frame of its course, as whoever is logged in now', async () => {
    const page = await context.newPage();

    for (const user of ['student1', 'student2']) {
      await page.goto(platform.pageFor(user, tool.activity));
      await page.frameLocator('#contentframe').getByText('A page').waitFor();
    }

    const users = (await platform.journal('launch', tool)).map((entry) => entry['user']);
    expect(users).to.deep.equal(['student1', 'student2']);
  });

  it('launches in a window of its own where the activity says so', async () => {
    const activity = await platform.addActivity(tool, { container: 'window' });
    const page = await context.newPage();

    await page.goto(platform.pageFor('student1', activity));
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('#openwindow').click()]);
    await popup.getByText('A page').waitFor();

    expect(popup.url()).to.equal(`${standIn.url}/lti/activity/a-launch`);
  });

  it('closes the frame of a registration when the tool says that it is done', async () => {
    const page = await context.newPage();

    const address = encodeURIComponent(`${standIn.url}/lti/register?code=a-code`);
    await page.goto(`${platform.issuer}/mod/lti/startltiadvregistration.php?url=${address}`);
    await page.getByText('The tool is registered.').waitFor();

    expect(await page.locator('#registration').count()).to.equal(0);
  });
});
