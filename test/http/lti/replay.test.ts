import { expect } from 'chai';
import { launch, launch11, replay } from '../../support/lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { sendForm } from '../../support/lti-platform/web-forms.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';

describe('a launch that comes a second time (L3)', function () {
  this.timeout(120_000);

  let dataDir: string;
  let platform: LtiPlatform;
  let first: Service;
  let second: Service;
  let tool: OurTool;
  let old: OurTool;

  before(async () => {
    dataDir = await makeDataDir();
    [first, platform] = await Promise.all([
      startService({ RATE_LIMIT: '0' }, { dataDir }),
      startLtiPlatform(),
    ]);
    // Another process of the same service, behind the same address.
    second = await startService({ RATE_LIMIT: '0', PUBLIC_URL: first.url }, { dataDir });
    tool = await platform.addTool(first);
    old = await platform.addTool(first, { version: '1.1' });
  });
  after(async () => {
    await Promise.all([first.stop(), second.stop(), platform.stop()]);
    await removeDataDir(dataDir);
  });

  const at = ({ url }: Service) => `${url}/lti/launch`;
  const at11 = ({ url }: Service) => `${url}/lti/v1p1/launch`;

  it('is let in by whichever process it comes to first, and by no other then', async () => {
    const launched = await launch(platform, { tool, as: 'student1', postTo: at(second) });

    expect(launched.status).to.equal(303);
    for (const service of [second, first]) expect((await replay(launched, at(service))).status).to.equal(403);
  });

  it('is let in once when it comes to both at the same time', async () => {
    const launched = await launch(platform, {
      ...{ tool, as: 'student1', postTo: `${first.url}/healthz` },
    });

    const answers = await Promise.all(
      [first, second, first, second].map((service) =>
        sendForm(at(service), launched.form, { jar: launched.jar }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 403, 403, 403]);
  });

  it('is refused by both when it is of LTI 1.1', async () => {
    const launched = await launch11(platform, { tool: old, as: 'student1' });
    expect(launched.status).to.equal(200);

    for (const service of [first, second]) {
      const again = await sendForm(at11(service), launched.pairs);
      expect(again.status).to.equal(403);
    }
  });

  it('is refused after a restart, and what had only begun before it goes on', async () => {
    const used = await launch(platform, { tool, as: 'student1' });
    const used11 = await launch11(platform, { tool: old, as: 'student1' });
    const begun = await launch(platform, { tool, as: 'student1', postTo: `${first.url}/healthz` });
    const { url } = first;
    await second.stop();
    second = await startService({ RATE_LIMIT: '0', PUBLIC_URL: url }, { dataDir });

    expect((await replay(used, at(second))).status).to.equal(403);
    expect((await sendForm(at11(second), used11.pairs)).status).to.equal(403);
    expect((await replay(begun, at(second))).status).to.equal(303);
  });
});
