import { expect } from 'chai';
import { type LtiPlatform, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { sendForm } from '../../support/lti-platform/web-forms.js';
import { type Service, startService } from '../../support/service.js';
import { aPerson, auditOf, type Person } from '../support/users-fixture.js';

type Platform = Readonly<Record<string, unknown>> & { readonly id: number };

describe('registering again by “Update” of a tool that the platform has already', function () {
  this.timeout(60_000);

  let service: Service;
  let platform: LtiPlatform;
  before(async () => {
    platform = await startLtiPlatform();
    service = await startService({ RATE_LIMIT: '0', OUTBOUND_ALLOW: new URL(platform.issuer).host });
  });
  after(() => Promise.all([service.stop(), platform.stop()]));

  const link = async (body: object, { key }: Person) => {
    const made = await service.request<{ url: string }>('/lamb/v1/lti/registrations', { key, body });
    expect(made.status, made.text).to.equal(201);
    return made.json;
  };
  const open = async (url: string) => sendForm(url, await platform.beginRegistration(), { method: 'GET' });
  const platformsOf = async (key: string) =>
    (await service.request<{ data: Platform[] }>('/lamb/v1/lti/platforms?limit=100', { key })).json.data;
  const registeredBy = async (person: Person) => {
    await open((await link({ name: 'Campus' }, person)).url);
    const [made] = await platformsOf(person.key);
    return { made: made!, tool: { id: Number((made!['deployment_ids'] as string[])[0]) } };
  };
  const update = async (url: string, tool: { id: number }) =>
    sendForm(url, await platform.beginRegistration(tool), { method: 'GET' });
  const change = (id: number, body: object) =>
    service.request(`/lamb/v1/lti/platforms/${String(id)}`, { method: 'PATCH', body });

  it('brings the platform up to date here as well, with an administrator’s link', async () => {
    const person = await aPerson(service, { role: 'org_admin' });
    const { made, tool } = await registeredBy(person);
    const stale = { key_set_url: `${platform.issuer}/moved`, deployment_ids: ['77'], enabled: false };
    await change(made.id, stale);

    const page = await update((await link({}, person)).url, tool);

    const [now, ...others] = await platformsOf(person.key);
    expect(page.status, page.body).to.equal(200);
    expect(page.body).to.match(/up to date/i);
    expect(others).to.deep.equal([]);
    expect(now).to.deep.include({
      ...{ id: made.id, name: 'Campus', client_id: made['client_id'], enabled: true },
      key_set_url: `${platform.issuer}/mod/lti/certs.php`,
      deployment_ids: ['77', String(tool.id)],
    });
    const [last] = (await auditOf(service, person)).slice(-1);
    expect(last).to.include({ action: 'LTI registration', outcome: 'done' });
    expect(last!.reason).to.match(/brought up to date/);
  });

  it('without a link changes nothing of a platform that is in use, and says what to do', async () => {
    const root = await aPerson(service, { role: 'system_admin', organizationId: 1 });
    const { made, tool } = await registeredBy(root);

    const same = await update(`${service.url}/lti/register`, tool);
    await change(made.id, { key_set_url: `${platform.issuer}/moved` });
    const other = await update(`${service.url}/lti/register`, tool);

    const now = (await platformsOf(service.adminKey)).find(({ id }) => id === made.id);
    expect(same.status, same.body).to.equal(200);
    expect(other.status, other.body).to.equal(409);
    expect(other.body).to.match(/registration link/);
    expect(now).to.deep.include({ enabled: true, key_set_url: `${platform.issuer}/moved` });
    await service.request(`/lamb/v1/lti/platforms/${String(made.id)}`, { method: 'DELETE' });
  });

  it('without a link brings up to date what still waits, which goes on waiting', async () => {
    const url = `${service.url}/lti/register`;
    await open(url);
    const waiting = (await platformsOf(service.adminKey)).find(({ enabled }) => enabled === false)!;
    await change(waiting.id, { key_set_url: `${platform.issuer}/moved` });

    const page = await update(url, { id: Number((waiting['deployment_ids'] as string[])[0]) });

    const now = (await platformsOf(service.adminKey)).find(({ id }) => id === waiting.id);
    expect(page.status, page.body).to.equal(200);
    expect(now).to.include({ enabled: false, key_set_url: `${platform.issuer}/mod/lti/certs.php` });
    await service.request(`/lamb/v1/lti/platforms/${String(waiting.id)}`, { method: 'DELETE' });
  });

  it('never touches the platform of another organisation', async () => {
    const owner = await aPerson(service, { role: 'org_admin' });
    const { made, tool } = await registeredBy(owner);
    const other = await aPerson(service, { role: 'org_admin' });

    await update((await link({ name: 'Mine now' }, other)).url, tool);

    expect(await platformsOf(owner.key)).to.deep.equal([made]);
  });
});
