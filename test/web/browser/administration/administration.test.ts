import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { assistantOf } from '../../../http/support/settings-client.js';
import { aColleagueOf, aPerson, speakingTo, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import {
  createTestService,
  endWorld,
  sharedQuietService,
  type TestService,
} from '../../../support/test-service.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';
/** News of what was done before is not taken for what is done next. */
const PUT_NEWS_AWAY = `document.querySelectorAll('[data-testid=toast] .dismiss button').forEach((each) => each.click())`;

describeInBrowser('the pages of administration', function () {
  this.timeout(120_000);
  let world: TestService;
  let admin: Person;
  let seat: Visitor;
  let visitor: Visitor | undefined;
  before(async () => {
    world = await sharedQuietService();
    const config = speakingTo(world.model, { api_key: 'sk-the-first' });
    admin = await aPerson(world.service, { role: 'org_admin', config });
    seat = await signedIn(world.service, '/admin', { as: admin });
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });
  after(() => seat.close());

  /** The administrator of an organisation that has a model, at this page. */
  const arrived = async (path: string) => {
    const { page, complaints } = seat;
    const before = complaints.length;
    await page.evaluate(PUT_NEWS_AWAY);
    await goTo(page, path);
    return { page, complained: () => complaints.slice(before) };
  };
  const settings = (part = '') => `/admin/organizations/${String(admin.organizationId)}${part}`;

  it('keep settings that are half written as JSON while another part is looked at', async () => {
    const { page } = await arrived(settings('/json'));
    const field = page.getByRole('textbox', { name: 'Configuration' });

    await field.fill('{"setups": {"half');
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await page.getByRole('region', { name: 'Not saved yet' }).getByRole('link', { name: 'As JSON' }).click();
    const written = await field.inputValue();
    await page.getByRole('button', { name: 'Discard' }).click();

    expect(written).to.equal('{"setups": {"half');
    expect(await field.inputValue())
      .to.match(/^{/)
      .and.not.include('half');
    expect(await page.getByText('Not saved yet').count()).to.equal(0);
  });

  it('say which provider is left alone for a while, and set limits', async () => {
    const careful = await createTestService({ CIRCUIT_FAILURES: '1' });
    const { service, model } = careful;
    const admin = await aPerson(service, { role: 'org_admin', config: speakingTo(model) });
    const llm = uniqueName('failing');
    await model.script(llm, [{ status: 500, headers: { 'retry-after': '0' } }], { repeat: true });
    const { id } = await assistantOf(service, admin, { connector: 'openai', llm });
    await service.chat(id, 'Hello?', { key: admin.key });
    const path = `/admin/organizations/${String(admin.organizationId)}`;
    const { page, complaints } = (visitor = await signedIn(service, path, { as: admin }));

    const notice = await page.getByText('has failed again and again').textContent();
    await page.getByRole('link', { name: 'Limits' }).click();
    const field = page.getByLabel('Questions at the same time', { exact: true });
    await field.fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    const refused = await page.getByText('limits.concurrent_runs').first().textContent();
    await field.fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const { json } = await service.request<{ limits: object }>(`/lamb/v1${path.slice(6)}/config`, admin);
    await endWorld(careful);

    expect(notice).to.include('OpenAI');
    expect(refused).to.include('whole number');
    expect(json.limits).to.deep.equal({ concurrent_runs: 30 });
    expect(complaints.filter((each) => !each.includes('422') && !each.includes('400'))).to.deep.equal([]);
  });

  it('make a person, give them another name, and switch them off', async () => {
    const { page, complained } = await arrived('/admin');
    const email = `${uniqueName('grace')}@example.test`;
    const dialog = page.getByRole('dialog');
    const row = page.getByRole('row').filter({ hasText: email });

    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'New person' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const wrong = await dialog.locator('[aria-invalid]').count();
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Password').fill('a long password');
    const roles = await dialog.getByLabel('Role').locator('option').allTextContents();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('can now sign in').first().waitFor();
    await page.getByLabel('Search by name or e-mail').fill(email);
    await row.getByRole('button', { name: 'Switch off' }).click();
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await row.getByText('Switched off').waitFor();
    const answer = { body: { email, password: 'a long password' }, key: null };
    const refused = await world.service.request('/lamb/v1/auth/login', answer);
    await row.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await row.getByText('Active').waitFor();
    const taken = await world.service.request('/lamb/v1/auth/login', answer);
    await goTo(page, '/admin/audit?q=user');
    await page.getByTestId('audit-entry').first().waitFor();
    const audited = await page.getByRole('table').innerText();

    expect(wrong).to.equal(3);
    expect(roles).to.deep.equal(['Creator', 'Organisation administrator']);
    expect([refused.status, taken.status]).to.deep.equal([401, 200]);
    expect(audited).to.include('Made an account').and.to.include('changed enabled');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complained()).to.deep.equal([]);
  });

  it('show somebody who has given themselves another name by that name', async () => {
    const { page } = await arrived('/admin/users');
    const name = uniqueName('Grace');
    const row = page.getByRole('row').filter({ hasText: admin.email });

    await row.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row.getByText(name).waitFor();

    await page.getByRole('button', { name: `Your account: ${name}` }).waitFor();
  });

  it('set up a provider, test it before it is saved, and never show its key again', async () => {
    const config = { theirs: { kept: true }, setups: { default: { custom: 1 } } };
    const admin = await aPerson(world.service, { role: 'org_admin', config });
    const path = `/admin/organizations/${String(admin.organizationId)}`;
    const found = uniqueName('model');
    await world.model.script(found, [{ say: 'Hello.' }]);
    visitor = await signedIn(world.service, path, { as: admin });
    const { page, complaints } = visitor;

    await page.getByRole('button', { name: 'Set up: OpenAI' }).click();
    const card = page.getByRole('region', { name: 'OpenAI' });
    await card.getByLabel('API key').fill('sk-canary-from-the-browser');
    await card.getByLabel('Address').fill(`${world.model.url}/nowhere`);
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByRole('alert').getByText('There is no such service').waitFor();
    await card.getByLabel('Address').fill(`${world.model.url}/v1`);
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByTestId('connection-good').waitFor();
    await card.getByLabel('Address').fill(`${world.model.url}/elsewhere`);
    const good = await card.getByTestId('connection-good').count();
    await card.getByLabel('Address').fill(`${world.model.url}/v1`);
    await card.getByLabel('Which model shall answer?').selectOption(found);
    await card.getByLabel(found).check();
    await page.getByRole('link', { name: 'As JSON' }).click();
    const json = await page.getByLabel('Configuration').inputValue();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Prices' }).click();
    await page.getByLabel(`${found}: Tokens in`).fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('toast').getByText('Saved.').waitFor();
    await page.goto(path);
    const stored = await card.getByTestId('stored-secret').inputValue();
    await card.getByLabel('Models').fill(`${found}\nanother`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('toast').getByText('Saved.').waitFor();
    const shown = await page.content();

    expect(good, 'said of an address that was not tried').to.equal(0);
    expect(json).to.include('"api_key": "••••"').and.not.to.include('sk-canary');
    expect(stored).to.equal('•••• stored');
    expect(shown).not.to.include('sk-canary');
    const saved = await world.service.request(
      `/lamb/v1/organizations/${String(admin.organizationId)}/config`,
      {
        key: admin.key,
      },
    );
    const openai = {
      ...{ api_key: '••••', base_url: `${world.model.url}/v1` },
      ...{ models: [found, 'another'], default_model: found },
    };
    const global_default_model = { provider: 'openai', model: found };
    const prices = { [found]: { prompt: 0.5, completion: 0 } };
    expect(saved.json).to.deep.equal({
      theirs: '••••',
      setups: { default: { custom: '••••', providers: { openai }, global_default_model, prices } },
    });
    const { status } = await world.service.request('/lamb/v1/me', { key: admin.key });
    expect(status).to.equal(200);
    expect(complaints).to.deep.equal([]);
  });

  it('say that a key is stored once it has taken the place of another one', async () => {
    const { page, complained } = await arrived(settings());
    const card = page.getByRole('region', { name: 'OpenAI' });

    await card.getByRole('button', { name: 'Replace: API key' }).click();
    await card.getByLabel('API key', { exact: true }).fill('sk-the-second');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('toast').getByText('Saved.').waitFor();

    await card.getByTestId('stored-secret').waitFor();
    expect(complained()).to.deep.equal([]);
  });

  it('make an organisation, and register its Moodle with the values it asks for', async () => {
    const root = await aPerson(world.service, { role: 'system_admin' });
    visitor = await signedIn(world.service, '/admin/organizations', { as: root });
    const { page, complaints } = visitor;
    const dialog = page.getByRole('dialog');
    const name = uniqueName('Escola');
    const site = `https://${uniqueName('moodle')}.example.org`;

    await page.getByRole('button', { name: 'New organisation' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByTestId('toast').waitFor();
    await page.getByLabel('Search organisations').fill(name);
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await goTo(page, '/admin/lti');
    await page.getByRole('button', { name: 'Add platform' }).click();
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByLabel('Platform ID').fill(site);
    await dialog.getByRole('button', { name: 'Fill in Moodle’s addresses' }).click();
    await dialog.getByLabel('Client ID').fill('8gxwChYXsUH3VTv');
    await dialog.getByLabel('Deployment IDs').fill('1');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: site });
    await row.waitFor();
    const login = await page.getByLabel('Initiate login URL', { exact: true }).inputValue();

    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });

    expect(login).to.equal(`${world.service.url}/lti/login`);

    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('keep what is typed while settings are being saved', async () => {
    const { page, complained } = await arrived(settings());
    const models = page.getByRole('region', { name: 'OpenAI' }).getByLabel('Models');
    const save = page.getByRole('button', { name: 'Save' });

    await models.fill('first');
    const held = new Promise<() => Promise<void>>((resolve) => {
      const hold = (route: Route) => {
        resolve(() => route.continue());
      };
      void page.route('**/config', hold, { times: 1 });
    });
    await save.click();
    const release = await held;
    await models.fill('first\nsecond');
    await release();
    await page.getByTestId('toast').getByText('Saved.').waitFor();
    const kept = await models.inputValue();
    await save.click();
    await save.waitFor({ state: 'detached' });

    expect(kept).to.equal('first\nsecond');
    const { json } = await world.service.request(
      `/lamb/v1/organizations/${String(admin.organizationId)}/config`,
      { key: admin.key },
    );
    expect(JSON.stringify(json)).to.include('["first","second"]');
    expect(complained()).to.deep.equal([]);
  });

  it('begin to rename an organisation with the name it has, whatever was cancelled before', async () => {
    const { page } = await arrived(settings());
    const name = page.getByRole('dialog').getByLabel('Name');

    await page.getByRole('button', { name: 'Rename' }).click();
    const before = await name.inputValue();
    await name.fill('Half a na');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();

    expect(await name.inputValue()).to.equal(before);
  });

  it('give everybody keys of their own, each shown once, and nothing else', async () => {
    const person = await aPerson(world.service, { config: speakingTo(world.model) });
    visitor = await signedIn(world.service, '/runs', { as: person });
    const { page, complaints } = visitor;
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    const forOthers = await dialog.getByLabel(/For somebody else/).count();
    await dialog.getByLabel('Name').fill('Grading script');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByTestId('new-key').getByRole('textbox').inputValue();
    const works = await world.service.request('/lamb/v1/me', { key });
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Grading script' });
    await row.waitFor();
    const left = await page.content();
    await row.getByRole('button', { name: 'Revoke Grading script' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    const over = await world.service.request('/lamb/v1/me', { key });
    const closed = [];
    for (const path of [
      '',
      '/users',
      '/organizations',
      `/organizations/${String(person.organizationId)}`,
      '/lti',
      '/budgets',
      '/audit',
    ]) {
      await goTo(page, `/admin${path}`);
      closed.push(
        await page
          .getByText('Nothing here')
          .waitFor()
          .then(() => 'closed'),
      );
    }

    expect(forOthers).to.equal(0);
    expect([works.status, over.status]).to.deep.equal([200, 401]);
    expect(left).not.to.include(key);
    expect(closed).to.have.length(7);
    expect(complaints).to.deep.equal([]);
  });

  it('do not show keys of one person where those of another were asked for', async () => {
    const { page } = await arrived('/admin/api-keys');

    await page.getByTestId('api-key').first().waitFor();
    await page.getByLabel('Whose keys').fill('nobody@example.test');
    await page.keyboard.press('Tab');
    await page.getByRole('alert').waitFor();

    expect(await page.getByTestId('api-key').count()).to.equal(0);
  });

  it('let administrators see and revoke the keys of their people', async () => {
    const person = await aColleagueOf(world.service, admin);
    const { page, complained } = await arrived('/admin/api-keys');

    await page.getByLabel('Whose keys').fill(person.email);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Revoke test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(`${person.email} has no API keys.`).waitFor();

    expect((await world.service.request('/lamb/v1/me', person)).status).to.equal(401);
    expect((await world.service.request('/lamb/v1/me', admin)).status).to.equal(200);
    expect(complained()).to.deep.equal([]);
  });
});
