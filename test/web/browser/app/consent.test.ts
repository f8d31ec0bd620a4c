import { expect } from 'chai';
import { aProgram, opens } from '../../../http/oauth/oauth-fixture.js';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aUser, fillIn } from '../../support/page-fixture.js';

describeInBrowser('letting a program in', function () {
  this.timeout(120_000);
  let world: TestService;
  let visiting: Visit;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visiting.close());

  it('asks after signing in, shows the name as text and where it leads, and disconnects beside the keys', async () => {
    const { service } = world;
    const { email } = await aUser(service);
    const program = aProgram(service);
    const name = '<b>Claude</b>';
    const asked = program.request('', { redirect_uri: `${service.url}/favicon.svg` });
    const local = (await program.register([asked.redirect_uri], { client_name: name })).json.client_id;
    const query = (more: object) =>
      new URLSearchParams({ ...asked, client_id: local, ...more } as Record<string, string>).toString();
    visiting = await visit(service.url);
    const { page } = visiting;

    await page.goto(`/oauth/authorize?${query({})}`);
    await fillIn(page, email);
    await page.getByText(`“${name}”`).waitFor();
    expect(await page.getByTestId('redirect-place').textContent()).to.include(new URL(service.url).host);
    expect(await page.getByText(email).count()).to.equal(1);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.waitForURL(/error=access_denied/);

    await page.goto(`/oauth/authorize?${query({})}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(/code=bwo_/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('state'), searchParams.get('iss')]).to.deep.equal(['a state', service.url]);
    const { redirect_uri } = asked;
    const { json } = await program.exchange(local, searchParams.get('code') ?? '', { redirect_uri });
    expect(await opens(service, json.access_token)).to.equal(200);

    await page.goto(`/oauth/authorize?${query({ redirect_uri: 'https://evil.example/' })}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).to.equal(0);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    await page.goto('/admin/api-keys');
    expect(await page.getByTestId('connection').textContent()).to.equal(name);
    await page.getByRole('button', { name: `Disconnect ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No program is connected.').waitFor();
    expect(await opens(service, json.access_token)).to.equal(401);
  });
});
