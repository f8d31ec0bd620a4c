import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { DEMO_QUESTION } from '../../../../src/organizations/demo-data.js';
import { aColleagueOf, aPerson, speakingTo } from '../../../http/support/users-fixture.js';
import { describeInBrowser, type Visit } from '../../../support/browser.js';
import { startFakeModel, type FakeModel } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { startService, type Service } from '../../../support/service.js';
import { sharedQuietService } from '../../../support/test-service.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

/** As a provider lists them: most of them do not chat. */
const LISTED = ['dall-e-3', 'gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'tts-1', 'whisper-1'];
const CONFIG = '/lamb/v1/organizations/1/config';
const SAID = 'On the last Friday, says the real model.';
/** News of what was done before is not taken for what is done next. */
const PUT_NEWS_AWAY = `document.querySelectorAll('[data-testid=toast] .dismiss button').forEach((each) => each.click())`;

describeInBrowser('a first model', function () {
  this.timeout(120_000);
  let model: FakeModel;
  let service: Service;
  let untouched: object;
  let seat: Visit;
  let visitor: Visit | undefined;
  before(async () => {
    model = await startFakeModel();
    for (const name of LISTED) await model.script(name, [say(SAID)], { repeat: true });
    service = await startService({ DEMO_DATA: 'true' });
    untouched = (await service.request<object>(CONFIG)).json;
    seat = await startedBy(service);
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
    await service.request(CONFIG, { method: 'PUT', body: untouched });
  });
  after(async () => {
    await seat.close();
    await service.stop();
    await model.stop();
  });

  /** As whoever has just started it. */
  async function startedBy(service: Service): Promise<Visit> {
    const { json } = await service.request<{ id: number; email: string; organization_id: number }>(
      '/lamb/v1/me',
    );
    const as = { ...json, organizationId: json.organization_id, key: service.adminKey };
    return signedIn(service, '/', { as, fresh: true });
  }
  /** At its first page. */
  async function justStarted({ page }: Visit): Promise<Page> {
    await page.evaluate(PUT_NEWS_AWAY);
    await goTo(page, '/welcome');
    await page.getByTestId('setup-item').first().waitFor();
    return page;
  }
  const provider = (page: Page) => page.getByRole('region', { name: 'OpenAI' });
  const ofModel = (page: Page) => page.getByTestId('setup-item').first();
  const setUp = async (page: Page) => {
    await page.getByRole('link', { name: 'Set it up: A language model' }).click();
    await page.getByRole('button', { name: 'Set up: OpenAI' }).click();
  };
  const test = async (page: Page) => {
    await provider(page).getByRole('button', { name: 'Test connection' }).click();
    await provider(page).getByTestId('connection-good').waitFor();
  };
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('toast').getByText('Saved.').waitFor();
  };
  const askTheDemo = async (page: Page) => {
    await page.getByRole('link', { name: 'Chat with Course desk' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill(DEMO_QUESTION);
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByRole('button', { name: 'Copy' }).waitFor();
    return (await page.getByTestId('answer').textContent()) ?? '';
  };

  it('answers as soon as its key is tested and saved, for the assistants that are there', async () => {
    const page = await justStarted(seat);
    await setUp(page);
    await provider(page).getByLabel('API key').fill('sk-0123456789abcdef-first-model');
    await provider(page).getByLabel('Address').fill(`${model.url}/v1`);
    await test(page);
    const which = provider(page).getByLabel('Which model shall answer?');
    const picked = await which.inputValue();
    const offered = await which.locator('option').allTextContents();
    await save(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.locator('[data-testid=setup-item][data-state=ready]').first().waitFor();
    const told = await ofModel(page).textContent();
    const answer = await askTheDemo(page);
    const { json } = await service.request<{ setups: { default: object } }>(CONFIG);

    expect(picked).to.equal('gpt-4o-mini');
    expect(offered).to.deep.equal(['gpt-4o', 'gpt-4o-mini']);
    expect(told).to.include('gpt-4o-mini (OpenAI) answers');
    expect(answer).to.include(SAID);
    expect(json.setups.default).to.deep.include({
      global_default_model: { provider: 'openai', model: 'gpt-4o-mini' },
    });
    expect(seat.complaints).to.deep.equal([]);
  });

  it('is still missing while none is chosen, and the demo goes on answering', async () => {
    const page = await justStarted(seat);
    await setUp(page);
    await provider(page).getByLabel('API key').fill('sk-0123456789abcdef-first-model');
    await save(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await ofModel(page).waitFor();
    const told = await ofModel(page).textContent();
    const answer = await askTheDemo(page);

    expect(told).to.include('OpenAI is set up, but none of its models has been chosen');
    expect(answer).to.include('last Friday of the term');
  });

  it('is asked for where the environment names a server and no model', async () => {
    const other = await startService({ DEMO_DATA: 'true', OPENAI_BASE_URL: `${model.url}/v1` });
    try {
      visitor = await startedBy(other);
      const page = await justStarted(visitor);
      const before = await ofModel(page).getAttribute('data-state');
      const stillThere = await askTheDemo(page);
      await page.getByRole('link', { name: 'Home' }).click();
      await setUp(page);
      await test(page);
      await provider(page).getByLabel('Which model shall answer?').selectOption('gpt-4o');
      await save(page);
      await page.getByRole('link', { name: 'Home' }).click();
      await page.locator('[data-testid=setup-item][data-state=ready]').first().waitFor();

      expect(before).to.equal('missing');
      expect(stillThere).to.include('last Friday of the term');
      expect(await askTheDemo(page)).to.include(SAID);
    } finally {
      await other.stop();
    }
  });

  it('that is missing is told to administrators with the way to the settings, and kindly to others', async () => {
    const world = await sharedQuietService();
    const admin = await aPerson(world.service, { role: 'org_admin', config: speakingTo(world.model) });
    const teacher = await aColleagueOf(world.service, admin);
    const metadata = { _format_version: 2, connector: 'openai' };
    const faults = [];
    for (const as of [admin, teacher]) {
      const { id } = await world.service.createAssistant({ metadata }, { key: as.key });
      const seated = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as });
      await seated.page.getByRole('textbox', { name: 'Your question' }).fill('Hello?');
      await seated.page.keyboard.press('Enter');
      const alert = seated.page.getByTestId('answer').getByRole('alert');
      await alert.waitFor();
      const links = await alert.getByRole('link').all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
      faults.push({ text: await alert.textContent(), hrefs });
      if (as === admin) await seated.close();
      else visitor = seated;
    }
    const [toAdmin, toTeacher] = faults;

    expect(toAdmin?.text).to.include('no model has been chosen');
    expect(toAdmin?.hrefs).to.deep.equal([`/admin/organizations/${String(admin.organizationId)}`]);
    expect(toTeacher?.text).to.include('No model answers for this assistant').and.not.to.include('openai');
    expect(toTeacher?.hrefs).to.deep.equal([]);
  });
});
