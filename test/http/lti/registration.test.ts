import { expect } from 'chai';
import { type LtiPlatform, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { sendForm, type WebAnswer } from '../../support/lti-platform/web-forms.js';
import { type Service, startService } from '../../support/service.js';
import { startForger } from '../support/forged-platform.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  disable,
  inDatabase,
  LONG_AGO,
  type Person,
} from '../support/users-fixture.js';

type Platform = Readonly<Record<string, unknown>> & { readonly id: number };

describe('dynamic registration', function () {
  this.timeout(60_000);

  let service: Service;
  let platform: LtiPlatform;
  let administrator: Person;
  before(async () => {
    platform = await startLtiPlatform();
    const allowed = new URL(platform.issuer).host;
    service = await startService({ RATE_LIMIT: '0', OUTBOUND_ALLOW: allowed });
    administrator = await aPerson(service, { role: 'org_admin' });
  });
  after(async () => {
    await Promise.all([service.stop(), platform.stop()]);
  });

  const link = async (body: object = {}, { key } = administrator) => {
    const made = await service.request<{ url: string; expires_at: string }>('/lamb/v1/lti/registrations', {
      ...{ method: 'POST', key, body },
    });
    expect(made.status, made.text).to.equal(201);
    return made.json;
  };
  const open = async (url: string, change: Record<string, string> = {}): Promise<WebAnswer> => {
    const asked = { ...(await platform.beginRegistration()), ...change };
    return sendForm(url, asked, { method: 'GET' });
  };
  const platformsOf = async (key: string) =>
    (await service.request<{ data: Platform[] }>('/lamb/v1/lti/platforms?limit=100', { key })).json.data;
  const expectRefused = (answer: WebAnswer, status: number, words: RegExp) => {
    expect(answer.status, answer.body).to.equal(status);
    expect(answer.body).to.match(words);
    expect(answer.body).to.not.include('close.js');
  };

  it('with an administrator’s link switches the platform on at once, for their organisation', async () => {
    const person = await aPerson(service, { role: 'org_admin' });
    const { url, expires_at: expiresAt } = await link({ name: 'Campus' }, person);

    const page = await open(url);

    const [made, ...others] = await platformsOf(person.key);
    const [registered] = (await platform.journal('registration')).slice(-1);
    expect(url).to.match(new RegExp(`^${service.url}/lti/register\\?code=[\\w-]{43}$`));
    expect(Date.parse(expiresAt) - Date.now()).to.be.within(59 * 60_000, 60 * 60_000);
    expect(page.status, page.body).to.equal(200);
    expect(others).to.deep.equal([]);
    expect(made).to.deep.include({
      ...{ name: 'Campus', kind: '1.3', enabled: true, organization_id: person.organizationId },
      ...{ issuer: platform.issuer, client_id: registered!['clientId'] },
      deployment_ids: [String(registered!['tool'])],
      key_set_url: `${platform.issuer}/mod/lti/certs.php`,
    });
    expect((await auditOf(service, person)).map(({ action, reason }) => [action, reason])).to.deep.equal([
      ['make LTI registration link', 'for one hour'],
      ['LTI registration', 'by a link of theirs'],
    ]);
  });

  it('shows a page that the platform alone may frame, which asks to be put away by a script of ours', async () => {
    const { url } = await link();

    const page = await sendForm(url, await platform.beginRegistration(), {
      ...{ method: 'GET', headers: { 'accept-language': 'ca' } },
    });
    const script = await service.request('/lti/close.js', { key: null });

    const policy = page.headers.get('content-security-policy')!;
    expect(policy.split('; ')).to.include.members([
      ...["default-src 'none'", "script-src 'self'", `frame-ancestors ${platform.issuer}`],
    ]);
    expect(policy).to.not.include('unsafe');
    expect(page.headers.get('x-frame-options')).to.equal(null);
    expect(page.body).to.include('<html lang="ca">').and.include('src="/lti/close.js"');
    expect(script.text).to.include("window.parent.postMessage({ subject: 'org.imsglobal.lti.close' }, '*')");
    expect(script.headers.get('content-type')).to.match(/^text\/javascript/);
  });

  it('stays until whoever registers has read where teachers will find the tool', async () => {
    const page = await open((await link()).url);
    const script = await service.request('/lti/close.js', { key: null });

    expect(page.body)
      .to.match(/Tool configuration usage/)
      .and.match(/Show in activity chooser/);
    expect(script.text).to.include("addEventListener('click', close)");
    expect(script.text.match(/close\(\)/g)).to.equal(null);
  });

  it('names a picture that is there, and that pages of any other site may show', async () => {
    await open((await link()).url);
    const [registered] = (await platform.journal('registration')).slice(-1);
    const { logo_uri: logo } = registered!['body'] as { logo_uri: string };

    const picture = await fetch(logo);
    const others = await Promise.all(
      ['/', '/theme.js', '/sign-in'].map((path) => service.request(path, { key: null })),
    );

    expect(new URL(logo).origin).to.equal(service.url);
    expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
    expect(picture.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    expect(others.map(({ headers }) => headers.get('cross-origin-resource-policy'))).to.deep.equal([
      ...['same-origin', 'same-origin', 'same-origin'],
    ]);
  });

  it('takes a link once', async () => {
    const { url } = await link();
    await open(url);
    const before = (await platform.journal('registration')).length;

    expectRefused(await open(url), 403, /not valid/);

    expect(await platform.journal('registration')).to.have.length(before);
  });

  it('lets a link be tried again that the platform did not take', async () => {
    const { url } = await link();
    const { registration_token: used } = await platform.beginRegistration();
    await open((await link()).url, { registration_token: used });

    expectRefused(await open(url, { registration_token: used }), 422, /refused the registration/);
    await platform.fault({ part: 'configuration', faults: ['500'] });
    expectRefused(await open(url), 422, /status 500/);

    expect((await open(url)).status).to.equal(200);
  });

  it('refuses a link that is too old, made up, or of somebody who administers no more', async () => {
    const person = await aPerson(service, { role: 'org_admin' });
    const old = (await link({}, person)).url;
    await inDatabase(service, (_stores, db) => db('one_time_tickets').update({ expires_at: LONG_AGO }));
    const kept = (await link({}, person)).url;
    await disable(service, person);

    for (const url of [old, kept, `${service.url}/lti/register?code=made-up`, `${old}&code=twice`]) {
      const answer = await open(url);
      expect(answer.status, url).to.be.within(400, 403);
    }
    expect((await platformsOf(service.adminKey)).map((each) => each['organization_id'])).to.not.include(
      person.organizationId,
    );
  });

  it('is for the administrators of the organisation', async () => {
    const { organizationId } = administrator;
    const creator = await aColleagueOf(service, administrator);
    const foreign = await aPerson(service, { role: 'org_admin' });
    const ask = (key: string) =>
      service.request('/lamb/v1/lti/registrations', { key, body: { organization_id: organizationId } });

    refusalOf(await ask(creator.key), 403);
    refusalOf(await ask(foreign.key), 404);
    expect((await ask(service.adminKey)).status).to.equal(201);
  });

  it('without a link waits, switched off, until an administrator of the first organisation has looked at it', async () => {
    const page = await open(`${service.url}/lti/register`);

    const [made] = await platformsOf(service.adminKey);
    expect(page.status, page.body).to.equal(200);
    expect(page.body).to.match(/not switched on yet/);
    expect(made).to.include({
      enabled: false,
      organization_id: 1,
      name: `moodle (${new URL(platform.issuer).host})`,
    });
    await service.request(`/lamb/v1/lti/platforms/${String(made!.id)}`, { method: 'DELETE' });
  });

  it('without a link lets twenty wait and no more; with one it goes on', async () => {
    const isWaiting = ({ enabled }: Platform) => enabled === false;
    const count = async () => (await platformsOf(service.adminKey)).filter(isWaiting).length;
    await inDatabase(service, async ({ platforms }) => {
      for (let n = await platforms.countWaiting(); n < 20; n += 1)
        await platforms.create(1, {
          ...{ kind: '1.1', name: 'Waiting', enabled: false },
          ...{ consumerKey: `waiting-${String(n)}`, sharedSecret: '' },
        });
    });

    expectRefused(await open(`${service.url}/lti/register`), 409, /Too many platforms wait/);

    expect(await count()).to.equal(20);
    expect((await open((await link()).url)).status).to.equal(200);
    for (const { id } of (await platformsOf(service.adminKey)).filter(isWaiting))
      await service.request(`/lamb/v1/lti/platforms/${String(id)}`, { method: 'DELETE' });
  });

  it('refuses who describes a platform that is somewhere else', async () => {
    const forger = await startForger(platform.issuer);
    const { url } = await link();

    const answer = await open(url, { openid_configuration: `${forger.url}/configuration` });
    await forger.stop();

    expectRefused(answer, 422, /names an issuer that is somewhere else/);
    expect(answer.headers.get('content-security-policy')).to.include(`frame-ancestors ${forger.url}`);
  });

  it('refuses what is no registration, in words or as JSON', async () => {
    const query = `openid_configuration=${encodeURIComponent('file:///etc/passwd')}`;
    const bare = await service.request('/lti/register', { key: null });
    const odd = await service.request(`/lti/register?${query}`, { key: null });
    const page = await sendForm(`${service.url}/lti/register`, {}, { method: 'GET' });

    expect(refusalOf(bare, 400).code).to.equal('registration_request');
    expect(refusalOf(odd, 400).code).to.equal('registration_request');
    expectRefused(page, 400, /opened by a learning platform/);
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
  });
});

describe('dynamic registration where nothing is allowed beyond the internet', function () {
  this.timeout(60_000);

  it('reaches no platform on this machine for strangers, and reaches it for an administrator', async () => {
    const [service, platform] = await Promise.all([startService({}), startLtiPlatform()]);
    try {
      const made = await service.request<{ url: string }>('/lamb/v1/lti/registrations', { body: {} });

      const stranger = await sendForm(`${service.url}/lti/register`, await platform.beginRegistration(), {
        method: 'GET',
      });
      const asked = await platform.ledger();
      const trusted = await sendForm(made.json.url, await platform.beginRegistration(), { method: 'GET' });

      expect(stranger.status, stranger.body).to.equal(422);
      expect(asked.map(({ path }) => path)).to.not.include('/mod/lti/openid-configuration.php');
      expect(trusted.status, trusted.body).to.equal(200);
    } finally {
      await Promise.all([service.stop(), platform.stop()]);
    }
  });
});
