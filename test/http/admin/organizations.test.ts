import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { Answer } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, inDatabase, type Person } from '../support/users-fixture.js';

interface OrganizationView {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}
type Config = Readonly<Record<string, unknown>>;

const ORGANIZATIONS = '/lamb/v1/organizations';
const at = (id: number) => `${ORGANIZATIONS}/${String(id)}`;
const configAt = (id: number) => `${at(id)}/config`;
const MASK = '••••';

let world: TestService;
let ruler: Person;
let admin: Person;
const request: TestService['service']['request'] = (path, options) => world.service.request(path, options);
const start = async () => {
  world = await sharedService();
  ruler = await aPerson(world.service, { role: 'system_admin' });
  admin = await aPerson(world.service, { role: 'org_admin' });
};
const configured = (api_key: unknown, more: object = {}) => ({
  setups: { default: { providers: { openai: { api_key, models: ['gpt-4o'], ...more } } } },
});
const readConfig = (id: number, { key } = ruler) => request<Config>(configAt(id), { key });
const writeConfig = (id: number, body: object | string, { key } = ruler) =>
  request<Config>(configAt(id), { method: 'PUT', body, key });

describe('organisations', function () {
  this.timeout(60_000);
  before(start);
  const create = (body: object, { key } = ruler) => request<OrganizationView>(ORGANIZATIONS, { body, key });
  const rename = (id: number, body: object, { key } = ruler) =>
    request<OrganizationView>(at(id), { method: 'PATCH', body, key });
  const list = ({ key }: Person, query = '') =>
    request<{ data: OrganizationView[]; next_cursor: string | null }>(ORGANIZATIONS + query, { key });

  it('are made, read, renamed and listed by a system administrator, each act on the books without a value', async () => {
    const slug = uniqueName('school');
    const made = await create({ slug, name: 'Canary School', config: configured('sk-canary-4711') });
    const { id } = made.json;

    const renamed = await rename(id, { name: 'Canary Lyceum' });
    const found = await list(ruler, `?q=${slug}`);

    expect(made.status, made.text).to.equal(201);
    expect(made.json).to.deep.equal({ id, slug, name: 'Canary School' });
    expect(renamed.json).to.deep.equal({ id, slug, name: 'Canary Lyceum' });
    expect((await request(at(id), { key: ruler.key })).json).to.deep.equal(renamed.json);
    expect(found.json).to.deep.equal({ data: [renamed.json], next_cursor: null });
    const rows = (await auditOf(world.service, ruler)).filter(
      ({ resource }) => resource === `organisation ${String(id)}`,
    );
    expect(rows.map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['create organisation', 'done'],
      ['change organisation', 'done'],
    ]);
    expect(JSON.stringify(rows)).not.to.match(/canary/i);
  });

  it('start with nothing of another’s: no key is handed down', async () => {
    const { json } = await create({ slug: uniqueName('school'), name: 'New' });

    expect((await readConfig(json.id)).json).to.deep.equal({});
  });

  it('refuse a second one of a name, and bodies with faults, all of them named', async () => {
    const slug = uniqueName('school');
    await create({ slug, name: 'One' });

    refusalOf(await create({ slug, name: 'Two' }), 409);
    const { message } = refusalOf(await create({ slug: 'Not A Slug', is_system: true }), 400);
    expect(message).to.contain('slug').and.to.contain('name').and.to.contain('is_system');
    refusalOf(await create({ slug: uniqueName('school'), name: 'x', config: [] }), 400);
    refusalOf(await rename(admin.organizationId, { slug: 'other' }), 400);
  });

  it('are their own administrator’s alone: others are not there, and none can be made', async () => {
    const other = await aPerson(world.service);
    const gone = 2 ** 31 - 1;

    const own = await rename(admin.organizationId, { name: 'Ours' }, admin);
    const foreign = await Promise.all(
      [other.organizationId, gone].flatMap((id) => [
        request(at(id), { key: admin.key }),
        rename(id, { name: 'Taken' }, admin),
        readConfig(id, admin),
        writeConfig(id, {}, admin),
      ]),
    );

    expect(own.json).to.include({ name: 'Ours' });
    expect((await list(admin)).json.data).to.deep.equal([own.json]);
    const errors = foreign.map((answer: Answer<unknown>) => refusalOf(answer, 404));
    for (const error of errors) expect(error).to.deep.equal(errors[0]);
    refusalOf(await create({ slug: uniqueName('school'), name: 'x' }, admin), 403);
    const denied = (await auditOf(world.service, admin)).filter(({ outcome }) => outcome === 'denied');
    expect(denied).to.have.length(5);
    expect(
      denied.filter(({ resource }) => resource === `organisation ${String(other.organizationId)}`),
    ).to.have.length(4);
    expect(
      (await request<OrganizationView>(at(other.organizationId), { key: ruler.key })).json.name,
    ).to.equal('School');
  });

  for (const role of ['creator', 'student'] as const) {
    it(`are closed to a ${role}, who knows their own by its name alone`, async () => {
      const person = await aColleagueOf(world.service, admin, role);
      const { organizationId: id, key } = person;

      const answers = await Promise.all([
        list(person),
        request(at(id), { key }),
        rename(id, { name: 'Mine' }, person),
        readConfig(id, person),
        writeConfig(id, {}, person),
        create({ slug: uniqueName('school'), name: 'x' }, person),
      ]);
      const me = await request<{ organization_name: string }>('/lamb/v1/me', { key });

      for (const answer of answers) refusalOf(answer, 403);
      expect(await auditOf(world.service, person)).to.have.length(6);
      expect(me.json.organization_name).to.be.a('string').that.is.not.empty;
    });
  }
});

describe('the configuration of an organisation', function () {
  this.timeout(60_000);
  before(start);

  it('is told of every key that is not known, keeps it, and never reads it back', async () => {
    const { organizationId: id } = await aPerson(world.service);
    const limits = { concurrent_runs: 5, max_output_tokens: 100 };
    const known = { providers: { openai: { models: ['m'], fast_model: 'm', tool_use_model: 'm' } } };
    const strange = {
      openai_key: 'sk-canary-1',
      setups: { default: { ...known, OPENAI_API_KEY: 'sk-canary-2' }, spare: { note: 'canary-3' } },
      limits: { ...limits, bearer: 'canary-4' },
      small_fast_model: { provider: 'openai', model: 'm', note: 'canary-5' },
      global_default_model: 'openai/m',
    };

    const written = await writeConfig(id, strange);
    const read = await readConfig(id);
    const again = await writeConfig(id, { ...written.json, name: 'x' });

    const warnings = written.json['warnings'] as { path: string; message: string }[];
    const paths = [
      ...['openai_key', 'setups.default.OPENAI_API_KEY', 'setups.spare', 'limits.bearer'],
      'small_fast_model.note',
    ];
    expect(warnings.map(({ path }) => path)).to.have.members(paths);
    for (const { message } of warnings) expect(message).to.contain('not shown again');
    for (const { text, status } of [written, read, again]) {
      expect(status, text).to.equal(200);
      expect(text).not.to.contain('canary');
    }
    expect(read.json).to.deep.include({ openai_key: MASK, global_default_model: 'openai/m' });
    expect(read.json['limits']).to.deep.equal({ ...limits, bearer: MASK });
    expect((read.json['setups'] as Config)['default']).to.deep.include(known);
    await inDatabase(world.service, async ({ organizations }) => {
      const { name, ...kept } = (await organizations.withConfig(id))!.config;
      expect(name).to.equal('x');
      expect(kept).to.deep.equal(strange);
    });
    expect((await writeConfig(id, known)).json['warnings']).to.deep.equal([]);
    expect((await writeConfig(id, { gone: MASK })).json).to.deep.equal({ warnings: [] });
  });

  it('takes secrets, shows their mask, and keeps them when the mask is sent back', async () => {
    const { organizationId: id } = admin;
    const kb = { knowledge_base: { server_url: 'http://kb.example', api_token: 'canary-kb-token' } };

    const written = await writeConfig(
      id,
      { ...configured('sk-canary-4711'), ...kb, unknown: { key: [1] } },
      admin,
    );
    const read = await readConfig(id, admin);
    const again = await writeConfig(id, read.json, admin);

    const shown = {
      ...configured(MASK),
      knowledge_base: { server_url: 'http://kb.example', api_token: MASK },
      unknown: MASK,
    };
    for (const { status, json, text } of [written, read, again]) {
      const { warnings: _told, ...config } = json;
      expect(status, text).to.equal(200);
      expect(config).to.deep.equal(shown);
    }
    await inDatabase(world.service, async ({ organizations }) => {
      const stored = JSON.stringify((await organizations.withConfig(id))?.config);
      expect(stored).to.contain('sealed.v1.').and.not.to.contain('canary').and.not.to.contain(MASK);
    });
  });

  it('is on the books by the paths that changed, with no value', async () => {
    const person = await aPerson(world.service, { role: 'org_admin' });
    await writeConfig(person.organizationId, configured('sk-canary-4711', { enabled: true }), person);

    await writeConfig(person.organizationId, configured(MASK, { enabled: false, canary: 'canary' }), person);

    const rows = await auditOf(world.service, person);
    expect(rows.map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['change configuration', 'done'],
      ['change configuration', 'done'],
    ]);
    const where = 'setups.default.providers.openai';
    expect(rows[1]?.reason).to.equal(`changed ${where}.enabled, ${where}.canary`);
    expect(JSON.stringify(rows)).not.to.contain('4711');
  });

  it('is refused when it is no object, too large, too deep, or holds an address or embeddings of nobody', async () => {
    const { organizationId: id } = await aPerson(world.service);
    const json = { 'content-type': 'application/json' };
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;

    refusalOf(await writeConfig(id, []), 400);
    refusalOf(await writeConfig(id, { a: 'x'.repeat(300_000) }), 413);
    refusalOf(await request(configAt(id), { method: 'PUT', body: deep, headers: json, key: ruler.key }), 422);
    const bad = refusalOf(await writeConfig(id, configured('sk', { base_url: 'file:///etc/passwd' })), 422);

    const unknown = { setups: { default: { knowledge_base: { embeddings: 'chroma' } } } };
    expect(refusalOf(await writeConfig(id, unknown), 422).message).to.contain('openai:<model>');

    expect(bad.message).to.contain('setups.default.providers.openai.base_url').and.not.to.contain('passwd');
    expect((await readConfig(id)).json).to.deep.equal({});
  });

  it('keeps what is masked however many write at once', async () => {
    const { organizationId: id } = await aPerson(world.service);
    const both = (api_key: string, token: string) => ({
      knowledge_base: { api_token: api_key },
      moodle: { token },
    });
    const stored = () =>
      inDatabase(world.service, async ({ organizations }) => {
        const config = (await organizations.withConfig(id))?.config;
        return config as { knowledge_base: object; moodle: { token: string } };
      });
    await writeConfig(id, both('canary-one', 'canary-two'));
    const before = await stored();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => writeConfig(id, both(MASK, i % 2 ? MASK : `canary-${String(i)}`))),
    );

    for (const { json } of answers) expect(json).to.deep.equal({ ...both(MASK, MASK), warnings: [] });
    const after = await stored();
    expect(after.knowledge_base).to.deep.equal(before.knowledge_base);
    expect(after.moodle.token)
      .to.match(/^sealed\.v1\./)
      .and.not.to.equal(before.moodle.token);
  });
});
