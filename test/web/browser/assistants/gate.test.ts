import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { aScenario, aTriedAssistant, GREETS } from '../../../http/support/scenario-client.js';
import { assistantOf } from '../../../http/support/settings-client.js';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { aLearningPlatform, anActivity } from '../../../support/launched.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const GATED = { metadata: { publish_gate: 'suite' } };

describeInBrowser('only what passes its tests', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const refusalIn = (page: Page) => page.getByTestId('gate-refusal');
  const letThrough = async (page: Page, reason: string) => {
    const refusal = refusalIn(page);
    await refusal.getByText('Let it through all the same').click();
    await refusal.getByLabel('Reason').fill(reason);
    await refusal.getByRole('button', { name: 'Let it through' }).click();
    await refusal.waitFor({ state: 'detached' });
  };

  it('is switched on in the form, and off again where it has passed or an administrator says why not', async () => {
    const tried = await aTriedAssistant(world);
    await tried.scenario(aScenario(GREETS, { name: 'Greets' }));
    visitor = await signedIn(world.service, `/multi-tool-assistants/${String(tried.id)}`, {
      as: tried.administrator,
    });
    const { page, complaints } = visitor;
    const gate = page.getByLabel('Only what passes its tests reaches students');
    const isGated = async () => {
      const { metadata } = await tried.read();
      return (metadata as { publish_gate?: string }).publish_gate;
    };
    await page.getByText('Advanced', { exact: true }).click();
    await gate.check();
    await page.getByTestId('save').click();
    await page.getByText('All changes are saved.').waitFor();
    expect(await isGated()).to.equal('suite');

    await gate.uncheck();
    await page.getByTestId('save').click();
    await refusalIn(page).getByText('"Greets" has not been run on it.').waitFor();
    expect(await isGated()).to.equal('suite');
    await letThrough(page, 'The course is over.');
    await page.getByText('All changes are saved.').waitFor();

    expect(await isGated()).to.equal(undefined);
    // The refusal that was wanted.
    expect(complaints.filter((each) => !each.includes('409'))).to.deep.equal([]);
  });

  it('is placed in an activity once it has, or once an administrator says why it cannot wait', async () => {
    const tried = await aTriedAssistant(world, GATED);
    await tried.scenario(aScenario(GREETS, { name: 'Greets' }));
    const platform = await aLearningPlatform(world.service, tried.teacher);
    const title = uniqueName('Essay help');
    const activity = await anActivity(world.service, platform, undefined, {
      link: { id: uniqueName('link'), title },
    });
    visitor = await signedIn(world.service, '/admin/activities', { as: tried.administrator });
    const { page } = visitor;
    await page.getByRole('button', { name: `Edit ${title}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: 'Save' }).click();

    await refusalIn(page).getByText('"Greets" has not been run on it.').waitFor();
    await refusalIn(page).getByText('Let it through all the same').click();
    const faults = await faultsInBothThemes(page);
    await refusalIn(page).getByText('Let it through all the same').click();
    await letThrough(page, 'The course begins.');
    await dialog.waitFor({ state: 'hidden' });

    const { key } = tried.administrator;
    const { json } = await world.service.request<{ assistants: { id: number }[] }>(
      ...([`/lamb/v1/lti/activities/${String(activity.id)}`, { key }] as const),
    );
    expect(json.assistants.map(({ id }) => id)).to.deep.equal([tried.id]);
    expect(faults).to.deep.equal([]);
  });

  it('has tests that come from a file and go into one, and whose answers are recorded and played', async () => {
    const tried = await aTriedAssistant(world);
    visitor = await signedIn(world.service, `/assistants/${String(tried.id)}/tests`, { as: tried.teacher });
    const { page } = visitor;
    const scenario = page.getByTestId('scenario');
    const menu = page.getByRole('button', { name: 'More about these tests' });
    const yaml = `- name: Greets politely
  messages:
    - { role: user, content: "Good morning!" }
  expect:
    - contains: hello
`;
    await menu.click();
    await page.getByRole('menuitem', { name: 'Add from a file' }).click();
    const dialog = page.getByRole('dialog');
    const choose = (text: string) =>
      dialog.getByLabel('File').setInputFiles({
        ...{ name: 'tests.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) },
      });
    await choose('- name: Asks nothing\n');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('0.messages: Please fill this in.').waitFor();
    await choose(yaml);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await scenario.getByText('Greets politely').waitFor();

    await menu.click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as a file' }).click(),
    ]);
    const saved = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).to.equal('tests.yaml');
    expect(saved)
      .to.match(/name: Greets politely/)
      .and.to.match(/contains: hello/);

    const runAll = page.getByRole('button', { name: 'Run all' });
    await page.getByText('Advanced', { exact: true }).click();
    const source = page.getByLabel('Where the answers come from');
    await source.selectOption('record');
    await runAll.click();
    await scenario.getByText('Passed').waitFor();
    const asked = (await world.model.ledger(tried.llm)).length;
    await world.model.script(tried.llm, [say('Go away.')], { repeat: true });
    await source.selectOption('replay');
    await page.getByText('It does not count as passed.').waitFor();
    const told = page.waitForResponse((response) => /\/suite-runs\/[^/]+$/.test(response.url()));
    await runAll.click();
    const { cassette, passed } = (await (await told).json()) as { cassette: string; passed: boolean };
    expect([cassette, passed]).to.deep.equal(['replay', true]);
    expect(await scenario.getByText('Passed').count()).to.equal(1);
    expect((await world.model.ledger(tried.llm)).length).to.equal(asked);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });

  it('has tests that come with an imported assistant, and tell what they name and is not here', async () => {
    const tried = await aTriedAssistant(world);
    await tried.scenario(aScenario(GREETS, { name: 'Looks it up' }));
    const { key } = tried.teacher;
    const { text } = await world.service.request(`${tried.path}/export`, { key });
    visitor = await signedIn(world.service, '/assistants', { as: tried.teacher });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByTestId('bundle-input').setInputFiles({
      ...{ name: 'a.json', mimeType: 'application/json' },
      buffer: Buffer.from(text.replace('{"contains":"hello"}', '{"calls":{"tool":"not_here"}}')),
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();

    const told = page.getByTestId('missing-in-tests');
    await told.getByText('Looks it up: names no tool that is installed').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });

  it('is what students get of corrected answers, which their page says', async () => {
    const tried = await aTriedAssistant(world, GATED);
    visitor = await signedIn(world.service, `/assistants/${String(tried.id)}/insight`, {
      as: tried.teacher,
    });
    const { page } = visitor;
    const notice = page.getByTestId('corrected').getByText('once the tests of this assistant have passed');
    await notice.waitFor();
    const leadsTo = await page
      .getByTestId('corrected')
      .getByRole('link', { name: 'Go to the tests' })
      .getAttribute('href');
    expect(leadsTo).to.equal(`/assistants/${String(tried.id)}/tests`);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    const free = await assistantOf(world.service, tried.teacher, { connector: 'openai', llm: tried.llm });
    await goTo(page, `/assistants/${String(free.id)}/insight`);
    await page.getByTestId('corrected').getByText('You have corrected no answer yet.').waitFor();
    expect(await page.getByText('have passed with it').count()).to.equal(0);
  });
});
