import { expect } from 'chai';
import { readToken } from '../../support/lti-platform/signing.js';
import { handBack, launch, openSession } from '../../support/lti-platform/launching.js';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../support/service.js';
import { type Door, openDoor, closeDoor } from '../support/lti-launch-client.js';
import { aPerson, auditOf } from '../support/users-fixture.js';
import { refusalOf } from '../support/refusal.js';

interface Tested {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean | null;
    readonly message: string;
  }[];
  readonly last_launch_at: string | null;
}

interface Keys {
  readonly data: readonly {
    readonly kid: string;
    readonly signs: boolean;
    readonly retired_at: string | null;
  }[];
}

describe('what an administrator sees of LTI', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => closeDoor(door));

  const test = async () => {
    const { service, tool } = door;
    const answer = await service.request<Tested>(`/lamb/v1/lti/platforms/${String(tool.platformId)}/test`, {
      method: 'POST',
    });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const failed = ({ checks }: Tested) => checks.filter(({ ok }) => ok === false).map(({ name }) => name);
  const messageOf = ({ checks }: Tested, wanted: string) =>
    checks.find(({ name }) => name === wanted)?.message;
  const keySet = async () => {
    const { json } = await door.service.request<{ keys: { kid: string }[] }>('/lti/jwks.json', { key: null });
    return json.keys.map(({ kid }) => kid);
  };
  const keys = async () => (await door.service.request<Keys>('/lamb/v1/lti/keys')).json.data;

  it('is every address that a platform has to be told', async () => {
    const { service } = door;
    const { json } = await service.request('/lamb/v1/lti/tool');

    const at = (path: string) => `${service.url}${path}`;
    expect(json).to.deep.equal({
      ...{ login_url: at('/lti/login'), launch_url: at('/lti/launch'), deep_link_url: at('/lti/deep-link') },
      ...{ jwks_url: at('/lti/jwks.json'), register_url: at('/lti/register') },
      ...{ launch_url_1p1: at('/lti/v1p1/launch'), domain: new URL(service.url).host },
      ...{ icon_url: at('/favicon.svg'), https: false },
    });
  });

  it('is that a platform works, and when somebody last came from it', async () => {
    const before = await test();
    await launch(door.platform, { tool: door.tool, as: 'student1' });
    const after = await test();

    expect(before).to.deep.include({ ok: true, last_launch_at: null });
    expect(before.checks.map(({ name }) => name)).to.deep.equal([
      ...['address', 'deployments', 'keys', 'clock', 'sign_in', 'access_token'],
    ]);
    expect(Date.now() - Date.parse(after.last_launch_at!)).to.be.within(0, 60_000);
  });

  it('is that the keys of a platform cannot be had', async () => {
    await door.platform.fault({ part: 'jwks', faults: ['500'] });

    const tested = await test();

    expect(failed(tested)).to.deep.equal(['keys']);
    expect(messageOf(tested, 'keys')).to.match(/no key set \(status 500\)/);
  });

  it('is that the platform cannot fetch our keys, and which of Moodle’s lists to look at', async () => {
    const { platform, tool, service } = door;
    await platform.changeTool(tool, { jwksUrl: 'http://127.0.0.1:9/lti/jwks.json' });
    await service.request('/lamb/v1/lti/keys/rotate', { method: 'POST' });

    const tested = await test();
    await platform.changeTool(tool, { jwksUrl: `${service.url}/lti/jwks.json` });

    expect(failed(tested)).to.deep.equal(['access_token']);
    expect(messageOf(tested, 'access_token'))
      .to.match(/cURL blocked hosts list/)
      .and.match(/cURL allowed ports list/);
  });

  it('is that no deployment is set', async () => {
    const { service, tool } = door;
    const path = `/lamb/v1/lti/platforms/${String(tool.platformId)}`;
    await service.request(path, { method: 'PATCH', body: { deployment_ids: [] } });

    const tested = await test();
    await service.request(path, { method: 'PATCH', body: { deployment_ids: [String(tool.id)] } });

    expect(failed(tested)).to.deep.equal(['deployments']);
  });

  it('is kept to their organisation, and what they did is on the books', async () => {
    const { service, tool } = door;
    const foreign = await aPerson(service, { role: 'org_admin' });
    const path = `/lamb/v1/lti/platforms/${String(tool.platformId)}/test`;

    refusalOf(await service.request(path, { method: 'POST', key: foreign.key }), 404);

    const [entry] = await auditOf(service, foreign);
    expect(entry).to.include({ action: 'test LTI platform', outcome: 'denied' });
    const done = await door.db('audit').where('action', 'test LTI platform').where('outcome', 'done');
    expect(done.map(({ reason }) => String(reason))).to.include.members(['nothing amiss', 'amiss: keys']);
  });

  it('is of LTI 1.1 what can be told without asking', async () => {
    const { service } = door;
    const body = { kind: '1.1', name: 'Old', consumer_key: 'old', shared_secret: 'an old secret' };
    const { json } = await service.request<{ id: number }>('/lamb/v1/lti/platforms', { body });
    const path = `/lamb/v1/lti/platforms/${String(json.id)}/test`;

    const tested = await service.request<Tested>(path, { method: 'POST' });

    expect(tested.json.checks.map(({ name }) => name)).to.deep.equal(['address']);
    expect(tested.json.last_launch_at).to.equal(null);
  });

  it('are keys, of which a new one signs at once while platforms still find the one before', async () => {
    const { service, platform, tool } = door;
    expect((await test()).ok, 'the platform knows our keys').to.equal(true);
    const [before] = (await keys()).filter(({ signs }) => signs);

    const rotated = await service.request<Keys>('/lamb/v1/lti/keys/rotate', { method: 'POST' });
    const tested = await test();

    const [now, ...others] = rotated.json.data;
    expect(rotated.status).to.equal(201);
    expect(now).to.deep.include({ signs: true, retired_at: null });
    expect(others[0]).to.deep.include({ kid: before!.kid, signs: false });
    expect(others[0]!.retired_at).to.be.a('string');
    expect(await keySet()).to.include.members([now!.kid, before!.kid]);
    expect(tested.ok, JSON.stringify(tested)).to.equal(true);
    const asked = (await platform.ledger('/mod/lti/token.php')).slice(-1)[0]!;
    const assertion = new URLSearchParams(String(asked.body)).get('client_assertion') ?? '';
    expect(readToken(assertion).header['kid']).to.equal(now!.kid);
    expect((await launch(platform, { tool, as: 'student1' })).status).to.equal(303);
  });

  it('are keys, of which a new one signs what was chosen for a course, also for who remembers the old set', async () => {
    const { service, platform, tool } = door;
    expect((await test()).ok, 'the platform knows our keys').to.equal(true);
    const assistant = await service.createAssistant({});
    const admin = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD };
    const api = await openSession(await launch(platform, { tool, as: 'teacher1', activity: 'deep_link' }));
    const linked = await api.request('/lamb/v1/lti/session/account', { body: admin });
    await service.request('/lamb/v1/lti/keys/rotate', { method: 'POST' });

    const placed = await api.request<{ return_url: string; jwt: string }>('/lamb/v1/lti/session/placements', {
      body: { assistant_ids: [assistant.id] },
    });
    await handBack(placed.json);

    expect(linked.status, linked.text).to.equal(200);
    expect(placed.status, placed.text).to.equal(200);
    const [signing] = (await keys()).filter(({ signs }) => signs);
    expect(readToken(placed.json.jwt).header['kid']).to.equal(signing!.kid);
    expect(await platform.journal('deep_link', tool)).to.have.length(1);
    expect(await platform.journal('deep_link_refused', tool)).to.have.length(0);
  });

  it('are keys that only those who administer the whole may see or change', async () => {
    const { service } = door;
    const { key } = await aPerson(service, { role: 'org_admin' });

    refusalOf(await service.request('/lamb/v1/lti/keys', { key }), 403);
    refusalOf(await service.request('/lamb/v1/lti/keys/rotate', { method: 'POST', key }), 403);
    expect(JSON.stringify(await keys())).to.not.match(/"(d|p|q|privateKey)"/);
  });
});
