import { expect } from 'chai';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import type { LtiPlatform, OurTool } from '../../../support/lti-platform/platform.js';
import { launch } from '../../../support/lti-platform/launching.js';
import { createJar } from '../../../support/lti-platform/web-forms.js';
import type { Service } from '../../../support/service.js';
import { sharedQuietService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { thePlatform } from '../../support/lti-course-fixture.js';

const INSIDE = /\/lti\/activity\/([\w-]+)$/;
const COOKIE = '__Host-bellwether-lti';

describeInBrowser('a launch in a frame of another site', function () {
  this.timeout(120_000);

  let service: Service;
  let platform: LtiPlatform;
  let tool: OurTool;
  let old: OurTool;
  let visiting: Visit;
  let context: BrowserContext;
  let page: Page;
  before(async () => {
    [{ service }, platform] = await Promise.all([sharedQuietService(), thePlatform()]);
    tool = await platform.addTool(service);
    old = await platform.addTool(service, { version: '1.1' });
  });
  beforeEach(async () => {
    visiting = await visit(service.url, { host: platform.issuer });
    ({ context, page } = visiting);
  });
  afterEach(() => visiting.close());

  /** Opens the activity as it stands in its course. */
  async function openActivity({ activity }: OurTool, username: string) {
    const then = `/mod/lti/view.php?id=${String(activity.cmid)}`;
    await page.goto(`${platform.issuer}/login?user=${username}&then=${encodeURIComponent(then)}`);
  }
  /** The frame of the activity, once it shows the page. */
  async function inside(): Promise<Frame> {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame!.waitForURL(INSIDE);
    return frame!;
  }

  it('keeps its cookie there, and gets a token for its page (W6)', async () => {
    await openActivity(tool, 'student1');
    const frame = await inside();

    const answer = await frame.evaluate(async (launch) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ launch });
      const response = await fetch('/lti/session', { method: 'POST', headers, body });
      return { status: response.status, json: (await response.json()) as { token: string } };
    }, INSIDE.exec(frame.url())![1]);

    expect(answer.status).to.equal(200);
    expect(answer.json.token).to.match(/^bwl_/);
    const [cookie] = (await context.cookies()).filter(({ name }) => name === COOKIE);
    expect(cookie).to.include({ httpOnly: true, secure: true, sameSite: 'None', domain: '127.0.0.1' });
  });

  it('goes by itself through the page of LTI 1.1', async () => {
    await openActivity(old, 'student1');

    expect((await inside()).url()).to.match(INSIDE);
  });

  it('goes on in a window of its own where nothing is kept in the frame', async () => {
    await context.route('**/lti/submit.js', (route) => route.abort());
    await openActivity(old, 'student1');
    const inFrame = page.frameLocator('iframe');
    await inFrame.getByRole('button', { name: 'Continue' }).waitFor();
    await context.clearCookies({ name: COOKIE });

    await inFrame.getByRole('button', { name: 'Continue' }).click();
    const offer = inFrame.getByRole('button', { name: 'Continue as Sam Student' });
    const [opened] = await Promise.all([context.waitForEvent('page'), offer.click()]);
    await opened.waitForURL(INSIDE);

    expect(await opened.evaluate('window.opener')).to.equal(null);
  });

  it('is not shown in a page of a site that is not registered (W5)', async () => {
    await openActivity(tool, 'student1');
    const address = (await inside()).url();
    const evil = await context.newPage();
    await evil.route('http://evil.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${address}"></iframe>` }),
    );

    await evil.goto('http://evil.example/', { waitUntil: 'load' });

    const frame = await (await evil.waitForSelector('iframe')).contentFrame();
    await frame!.waitForURL('chrome-error://chromewebdata/');
  });

  it('meets pages that are for everybody, by axe’s judgement', async () => {
    const jar = { ...createJar(), take: () => undefined };
    const { body } = await launch(platform, { tool, as: 'student1', jar });
    await page.goto('/lti/launch');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await page.route('**/lti/launched', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto('/lti/launched');
    await page.getByRole('button').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });
});
