import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { configure, providers } from '../../../http/support/settings-client.js';
import { aScenario, aTriedAssistant, GREETS } from '../../../http/support/scenario-client.js';
import { inDatabase } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { fail, hang, say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { axeFaults, faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('the tests of an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const priced = (llm: string) => {
    const prices = { [llm]: { prompt: 1_000, completion: 1_000 } };
    return providers({ base_url: `${world.model.url}/v1` }, { prices, currency: 'EUR' });
  };
  const runAll = (page: Page) => page.getByRole('button', { name: 'Run all' }).click();

  it('are made of a chat in a few clicks, pass, and tell by which words a changed assistant fails', async () => {
    const tried = await aTriedAssistant(world, { steps: [say('Hello, dear student.')] });
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(tried.id)}`, { as: tried.teacher });
    const { page, complaints } = visitor;
    await page.getByRole('textbox', { name: 'Your question' }).fill('How are you?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make this a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Please fill this in.').waitFor();
    await dialog.getByLabel('Words').fill('hello');
    const faults = await axeFaults(page.mainFrame());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Show the tests' }).click();

    const scenario = page.getByTestId('scenario');
    await scenario.getByText('Not run yet').waitFor();
    await runAll(page);
    await scenario.getByText('Passed').waitFor();

    await world.model.script(tried.llm, [say('Go away, please.')], { repeat: true });
    await tried.put({ system_prompt: 'Be rude.' });
    await goTo(page, `/assistants/${String(tried.id)}/tests`);
    await page.getByText('The assistant was changed since.').waitFor();
    await runAll(page);
    await scenario.getByText('Failed').waitFor();
    const result = page.getByTestId('result');
    await result.locator('blockquote').getByText('Go away, please.').waitFor();
    await result.getByText('does not say "hello"').waitFor();
    const compared = page.getByLabel('Compare the answers with another run');
    await compared.selectOption({ index: 1 });
    await page.getByTestId('text-diff').getByText('Hello, dear student.').waitFor();
    const history = await page.getByTestId('suite-history').getByRole('listitem').allTextContents();

    expect(history.map((each) => /Version \d.*: (\w+)/.exec(each)?.[1])).to.deep.equal(['Passed', 'Failed']);
    expect([...faults, ...complaints]).to.deep.equal([]);
  });

  it('say in the language of whoever reads them what decided, and stand in the way of sharing until an administrator says why it cannot wait', async () => {
    const tried = await aTriedAssistant(world, { metadata: { publish_gate: 'suite' } });
    await tried.scenario(aScenario([{ not_contains: 'dear' }, { language: 'eu' }], { name: 'Greets' }));
    await tried.run();
    const dear = say('Hello, dear student, I am glad that you are here with us today.');
    await world.model.script(tried.llm, [dear], { repeat: true });
    await tried.run();
    const path = `/assistants/${String(tried.id)}`;
    visitor = await signedIn(world.service, `${path}/tests`, { as: tried.administrator, locale: 'es-ES' });
    const { page } = visitor;
    const result = page.getByTestId('result');

    await result.getByText('La respuesta dice:').waitFor();
    expect(await result.locator('mark').allTextContents()).to.deep.equal(['dear']);
    await result.getByText('Su idioma es inglés:').waitFor();
    await page.getByLabel('Comparar las respuestas').selectOption({ index: 1 });
    await page.getByTestId('text-diff').waitFor();
    const faults = await faultsInBothThemes(page);
    await goTo(page, `${path}/sharing`);
    await page.getByRole('radio').nth(1).check();
    await page.getByRole('button', { name: 'Guardar' }).click();
    const refusal = page.getByTestId('gate-refusal');
    await refusal.getByText('«Greets» no se ha superado.').waitFor();
    expect(await refusal.getByRole('link').getAttribute('href')).to.equal(`${path}/tests`);
    await refusal.getByText('Dejarlo pasar de todos modos').click();
    faults.push(...(await faultsInBothThemes(page)));
    await refusal.getByLabel('Motivo').fill('The exam is tomorrow.');
    await refusal.getByRole('button', { name: 'Dejarlo pasar' }).click();
    await refusal.waitFor({ state: 'detached' });
    expect(await tried.read()).to.deep.include({ published: true });

    await world.model.script(tried.llm, [fail(400)], { repeat: true });
    await tried.run();
    await goTo(page, `${path}/tests`);
    await result.getByText('No ha habido respuesta que mirar. No se pudo llegar al modelo').first().waitFor();

    expect(faults).to.deep.equal([]);
  });

  it('say what a run will cost, run every night when they are told to, and are told of where assistants are chosen', async () => {
    const content = { avatar: { emoji: '🌱', color: 'green' }, tags: ['Biology'] };
    const tried = await aTriedAssistant(world, { content });
    await configure(world.service, tried.teacher, priced(tried.llm));
    await tried.scenario(aScenario(GREETS, { name: 'Greets' }));
    const path = `/assistants/${String(tried.id)}/tests`;
    visitor = await signedIn(world.service, path, { as: tried.teacher });
    const { page, complaints } = visitor;

    const estimate = page.getByTestId('estimate');
    await estimate.getByText('Judged by the length').waitFor();
    await page.getByLabel('How often').selectOption('2');
    await estimate.getByText('It asks 2 questions').waitFor();
    await runAll(page);
    // 15 tokens each time, by the model's own count.
    await page.getByTestId('results').getByText('€0.03').waitFor();
    await estimate.getByText('about 30 tokens. It costs about €0.03. Judged by the last run.').waitFor();
    await page.getByTestId('tests-badge').getByText('Tests passed: version 1').waitFor();

    const nightly = page.getByRole('switch', { name: 'Run every night' });
    await nightly.check();
    await page.getByText('No night has been run yet.').waitFor();
    await page.getByText('The tests are run every night.').waitFor({ state: 'attached' });
    await page.getByTestId('tests-badge').getByText('Tests passed: version 2').waitFor();
    await goTo(page, path);
    expect(await nightly.isChecked()).to.equal(true);
    expect((await tried.read()).metadata).to.include({ nightly_suite: true });

    await tried.put({ description: 'Changed since.', ...content });
    const faults: string[] = [];
    for (const place of ['/welcome', '/assistants', '/chat/new', '/chat/compare']) {
      await goTo(page, place);
      if (place === '/chat/compare') await page.getByRole('button', { name: 'Choose' }).first().click();
      await page.getByTestId('tests-badge').first().getByText('Tests passed: version 1').waitFor();
      await page.getByTestId('untested').first().waitFor();
      if (place === '/assistants') await page.getByRole('group', { name: 'Tags' }).waitFor();
      faults.push(...(await faultsInBothThemes(page)));
    }
    await goTo(page, '/multi-tool-assistants/create?type=orchestrator');
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-assistant').click();
    await page.getByRole('button', { name: /^Choose an assistant/ }).click();
    await page.getByTestId('choice').getByText('Tests passed: version 1').waitFor();

    expect([...faults, ...complaints]).to.deep.equal([]);
  });

  it('say that they were stopped where they were, also after a reload, and keep what was decided before', async () => {
    const tried = await aTriedAssistant(world, {
      ...{ steps: [say('Hello.'), hang()], metadata: { nightly_suite: true } },
    });
    await configure(world.service, tried.teacher, {
      ...priced(tried.llm),
      ...{ limits: { concurrent_runs: 1 } },
    });
    for (const name of ['Answered', 'Hanging']) await tried.scenario(aScenario(GREETS, { name }));
    const path = `/assistants/${String(tried.id)}/tests`;
    visitor = await signedIn(world.service, path, { as: tried.teacher });
    const { page, complaints } = visitor;
    const stateOf = (name: string) => page.getByTestId('scenario').filter({ hasText: name });
    const seen = async () => {
      await stateOf('Hanging').getByText('Stopped before its end').waitFor();
      await stateOf('Answered').getByText('Passed').waitFor();
    };
    await stateOf('Hanging').getByText('Not run yet').waitFor();
    await runAll(page);
    await page.getByText('1 of 2 asked.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();

    await seen();
    await page.getByText('What came of it: Stopped before its end').waitFor({ state: 'attached' });
    await page.getByText('No night has been run yet.').waitFor();
    await page.getByTestId('estimate').waitFor();
    const faults = await faultsInBothThemes(page);
    // As if it had been begun at night.
    await inDatabase(world.service, async (_stores, db) => {
      await db('suite_runs').where({ assistant_id: tried.id }).update({ night: '2026-11-18' });
    });
    await page.reload();
    await seen();
    await page.getByTestId('nightly').getByText('Stopped before its end').waitFor();
    expect(await page.getByText('Undecided').count()).to.equal(0);

    await world.model.script(tried.llm, [say('Go away.')], { repeat: true });
    await runAll(page);
    await stateOf('Hanging').getByText('Failed').waitFor();
    expect(await stateOf('').getByText('Stopped before its end').count()).to.equal(0);
    expect([...faults, ...complaints]).to.deep.equal([]);
  });
});
