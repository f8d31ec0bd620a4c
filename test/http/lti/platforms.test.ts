import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, auditOf, inDatabase, type Person } from '../support/users-fixture.js';

type Platform = Readonly<Record<string, unknown>> & { readonly id: number };

const PATH = '/lamb/v1/lti/platforms';
const SECRET = 'canary-shared-secret';
const modern = () => ({
  kind: '1.3',
  name: 'Moodle',
  issuer: `https://${uniqueName('moodle')}.example`,
  client_id: 'client-1',
  deployment_ids: ['1', '2'],
  auth_login_url: 'https://moodle.example/mod/lti/auth.php',
  auth_token_url: 'https://moodle.example/mod/lti/token.php',
  key_set_url: 'https://moodle.example/mod/lti/certs.php',
});
const old = () => ({ kind: '1.1', name: 'Sakai', consumer_key: uniqueName('key'), shared_secret: SECRET });

describe('learning platforms', () => {
  let world: TestService;
  let administrator: Person;
  before(async () => {
    world = await sharedService();
    administrator = await aPerson(world.service, { role: 'org_admin' });
  });

  const register = (body: object, { key }: Pick<Person, 'key'> = administrator) =>
    world.service.request<Platform>(PATH, { key, body });
  const change = (id: number, body: object, { key } = administrator) =>
    world.service.request<Platform>(`${PATH}/${String(id)}`, { method: 'PATCH', key, body });
  const read = (id: number, { key } = administrator) =>
    world.service.request<Platform>(`${PATH}/${String(id)}`, { key });

  it('of LTI 1.3 are registered, read, changed and removed, and all of it is on the books', async () => {
    const person = await aPerson(world.service, { role: 'org_admin' });
    const body = modern();

    const made = await register(body, person);
    const { id } = made.json;
    const changed = await change(id, { name: 'Campus', deployment_ids: [], enabled: false }, person);
    const { json: list } = await world.service.request<{ data: Platform[] }>(PATH, { key: person.key });
    const gone = await world.service.request(`${PATH}/${String(id)}`, { method: 'DELETE', key: person.key });

    expect(made.status).to.equal(201);
    const { created_at, updated_at, ...shown } = made.json;
    const kept = { id, organization_id: person.organizationId, enabled: true, last_launch_at: null };
    expect(shown).to.deep.equal({ ...body, ...kept });
    expect([created_at, updated_at]).to.satisfy((times: unknown[]) =>
      times.every((time) => typeof time === 'string'),
    );
    const after = { ...shown, name: 'Campus', deployment_ids: [], enabled: false };
    expect(changed.json).to.deep.include(after);
    expect(list.data).to.deep.equal([changed.json]);
    expect([gone.status, (await read(id, person)).status]).to.deep.equal([204, 404]);
    const resource = `LTI platform ${String(id)}`;
    expect(
      (await auditOf(world.service, person)).map((entry) => [entry.action, entry.resource, entry.reason]),
    ).to.deep.equal([
      ['create LTI platform', resource, `in organisation ${String(person.organizationId)}`],
      ['change LTI platform', resource, 'changed name, deployment_ids, enabled'],
      ['delete LTI platform', resource, ''],
    ]);
  });

  it('of LTI 1.1 keep their secret sealed, and its mask leaves it as it was', async () => {
    const { json } = await register(old());
    const stored = () =>
      inDatabase(world.service, async ({ platforms }) => {
        const platform = await platforms.get(json.id);
        return platform?.kind === '1.1' ? platform.sharedSecret : '';
      });
    const before = await stored();

    const masked = await change(json.id, { name: 'Renamed', shared_secret: '••••' });
    const kept = await stored();
    await change(json.id, { shared_secret: 'canary-another-secret' });

    expect(json)
      .to.include({ kind: '1.1', shared_secret: '••••' })
      .and.not.have.any.keys('issuer', 'client_id');
    expect(masked.json).to.include({ name: 'Renamed', shared_secret: '••••' });
    expect(before).to.match(/^sealed\./);
    expect(kept).to.equal(before);
    expect(await stored()).to.not.equal(before);
    expect([masked.text, (await read(json.id)).text, world.service.output()].join()).to.not.include(
      'canary-',
    );
  });

  it('of LTI 1.1 can be given an address of their site, and it can be taken away again', async () => {
    const { json } = await register(old());

    const given = await change(json.id, { site_url: 'https://moodle.example' });
    const untouched = await change(json.id, { name: 'Renamed' });
    const taken = await change(json.id, { site_url: null });

    expect([given, untouched, taken].map((answer) => [answer.status, answer.json.site_url])).to.deep.equal([
      [200, 'https://moodle.example'],
      [200, 'https://moodle.example'],
      [200, null],
    ]);
    expect((await register({ ...old(), site_url: null })).status).to.equal(201);
  });

  it('are told apart by issuer and client id, or by consumer key', async () => {
    const [one, two] = [modern(), old()];
    await register(one);
    await register(two);
    const other = await register({ ...one, client_id: 'client-2' });

    expect(refusalOf(await register(one), 409).message).to.match(/registered already/);
    refusalOf(await register(two), 409);
    expect(other.status).to.equal(201);
    refusalOf(await change(other.json.id, { client_id: 'client-1' }), 409);
  });

  it('are an organisation’s own; a system administrator registers for any', async () => {
    const foreign = await aPerson(world.service, { role: 'org_admin' });
    const organization_id = administrator.organizationId;
    const system = { key: world.service.adminKey };

    const made = await register({ ...old(), organization_id }, system);

    expect(made.json).to.include({ organization_id });
    expect((await read(made.json.id)).status).to.equal(200);
    refusalOf(await read(made.json.id, foreign), 404);
    refusalOf(await change(made.json.id, { enabled: false }, foreign), 404);
    refusalOf(await register({ ...old(), organization_id }, foreign), 404);
    const list = async (query: string, { key }: Pick<Person, 'key'>) =>
      (await world.service.request<{ data: Platform[] }>(`${PATH}${query}`, { key })).json.data.map(
        ({ id }) => id,
      );
    expect(await list('', foreign)).to.deep.equal([]);
    expect(await list(`?organization_id=${String(organization_id)}`, system)).to.include(made.json.id);
    expect(await list('', administrator)).to.include(made.json.id);
  });

  it('are refused with what does not fit their kind', async () => {
    const { id } = (await register(old())).json;
    for (const body of [
      { ...modern(), shared_secret: SECRET },
      { ...modern(), auth_login_url: 'javascript:alert(1)' },
      { ...modern(), key_set_url: 'https://user:pass@moodle.example' },
      { ...modern(), kind: '2.0' },
      { ...old(), shared_secret: '••••' },
      { ...old(), shared_secret: 'short' },
      { ...old(), issuer: 'https://moodle.example' },
    ]) {
      refusalOf(await register(body), 400);
    }
    refusalOf(await change(id, { issuer: 'https://moodle.example' }), 400);
    refusalOf(await change(id, { kind: '1.3' }), 400);
  });
});
