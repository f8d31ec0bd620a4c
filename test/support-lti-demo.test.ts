import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeInBrowser, theBrowser } from './support/browser.js';
import { startChild } from './support/child-process.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from './support/lti-platform/platform.js';
import { startStandInTool, type StandInTool } from './support/lti-platform/stand-in-tool.js';
import type { Service } from './support/service.js';

describe('npm run demo:lti', function () {
  this.timeout(60_000);

  it('opens a course beside the service, and leaves nothing behind when both are stopped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellwether-demo-'));
    const demo = await startChild(
      'test/support/lti-platform/demo.ts',
      { TMPDIR: folder },
      {
        nodeArguments: ['--import', 'tsx'],
        urlIn: (line) => /^ {2}Course +(\S+)/.exec(line)?.[1],
        readyTimeoutMs: 40_000,
      },
    );
    await demo.waitForLine((line) => /Ctrl-C/.exec(line)?.[0]);

    const page = await fetch(demo.url, { headers: { cookie: 'MoodleSession=teacher1' } });
    const text = await page.text();
    const service = /The service itself is at +(\S+)/.exec(demo.output())?.[1] ?? '';
    const health = await fetch(new URL('healthz', service));
    const exit = await demo.stop('SIGINT');

    expect([page.status, health.status, exit.code]).to.deep.equal([200, 200, 0]);
    expect(text).to.contain('AI tutor').and.contain('select content');
    expect(await readdir(folder)).to.not.satisfy((names: string[]) =>
      names.some((name) => name.startsWith('bellwether-test-')),
    );
    await rm(folder, { recursive: true, force: true });
  });
});

describeInBrowser('the LTI platform in a browser', function () {
  this.timeout(60_000);

  let platform: LtiPlatform;
  let standIn: StandInTool;
  let tool: OurTool;

  before(async () => {
    platform = await startLtiPlatform();
    standIn = await startStandInTool(() => `${platform.issuer}/mod/lti/auth.php`);
    tool = await platform.addTool({ url: standIn.url } as Service, { register: false });
  });
  after(async () => {
    await standIn.stop();
    await platform.stop();
  });

  it('launches in the frame of its course, as whoever is logged in now', async () => {
    const context = await (await theBrowser()).newContext();
    const page = await context.newPage();
    const view = `/mod/lti/view.php?id=${String(tool.activity.cmid)}`;

    for (const user of ['student1', 'student2']) {
      await page.goto(`${platform.issuer}/login?user=${user}&then=${encodeURIComponent(view)}`);
      await page.frameLocator('#contentframe').getByText('A page').waitFor();
    }

    const users = (await platform.journal('launch', tool)).map((entry) => entry['user']);
    expect(users).to.deep.equal(['student1', 'student2']);
    await context.close();
  });

  it('launches in a window of its own where the activity says so', async () => {
    const activity = await platform.addActivity(tool, { container: 'window' });
    const context = await (await theBrowser()).newContext();
    const page = await context.newPage();

    const view = encodeURIComponent(`/mod/lti/view.php?id=${String(activity.cmid)}`);
    await page.goto(`${platform.issuer}/login?user=student1&then=${view}`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('#openwindow').click()]);
    await popup.getByText('A page').waitFor();

    expect(popup.url()).to.equal(`${standIn.url}/lti/activity/a-launch`);
    await context.close();
  });
});
