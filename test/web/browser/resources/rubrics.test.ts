import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric, essayRubric, type RubricRecord } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';
import { aColleagueOf, aPerson } from '../../../http/support/users-fixture.js';

const ATTACK =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1)';

describeInBrowser('the Rubrics pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const weight = (page: Page, of: string) => page.getByLabel(`Weight of ${of} in percent`);
  const menu = async (page: Page, of: string, item: string) => {
    await page.getByRole('button', { name: of }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  it('lead from a template to a rubric in use: weights, levels, preview, file, delete, undo, import', async () => {
    visitor = await signedIn(world.service, '/rubrics');
    const { page, complaints, person } = visitor;
    const sum = page.getByTestId('weight-sum');

    await page.getByRole('link', { name: 'New rubric' }).first().click();
    await page.getByTestId('template-essay').getByRole('link').click();
    await weight(page, 'Argument').fill('40');
    await page.getByTestId('save').click();
    const wrong = await sum.textContent();
    const focused = await page.locator(':focus').textContent();
    await page.keyboard.press('Enter');
    await sum.getByText('100').waitFor();
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    await page.keyboard.type('Courage');
    await menu(page, 'Move, copy or remove Courage', 'Move up');
    await menu(page, 'Move, copy or remove Language', 'Remove');
    await page.getByLabel('Name of Level 4').fill('Not there yet');
    await page.getByLabel('Courage: Not there yet').fill('Says nothing that could be wrong.');
    await page.getByRole('button', { name: 'Make them add up' }).click();
    // Nothing is lost by whoever does not save.
    await page.reload();
    await page.getByTestId('restored').waitFor();
    await page.getByText('What an assistant reads').click();
    await page.getByTestId('rubric-preview').getByText('Says nothing that could be wrong.').waitFor();
    await page.getByTestId('save').click();
    await page.getByRole('heading', { name: 'Essay', level: 1 }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      menu(page, 'What to do with Essay', 'Export as JSON'),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    await menu(page, 'What to do with Essay', 'Delete');
    await page.getByText('No rubrics yet').waitFor();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByTestId('rubric-card').waitFor();
    await page.getByTestId('rubric-file').setInputFiles({
      ...{ name: 'theirs.json', mimeType: 'application/json', buffer: Buffer.from(text) },
    });
    await page.getByTestId('toast').getByText('“Essay” was imported.').waitFor();

    expect(wrong).to.include('90 %').and.to.include('10 % are missing');
    expect(focused).to.include('Make them add up to 100');
    const { json } = await world.service.request<{ data: RubricRecord[] }>('/lamb/v1/rubrics', person);
    const [imported, made] = json.data.map(({ rubric_data }) => rubric_data);
    const { criteria } = made as { criteria: { name: string; weight: number; levels: object[] }[] };
    expect(json.data).to.have.length(2);
    expect(imported).to.deep.equal(made);
    expect(criteria.map(({ name }) => name)).to.deep.equal(['Argument', 'Sources', 'Courage']);
    expect(criteria.reduce((all, each) => all + each.weight, 0)).to.equal(100);
    expect(criteria[2]?.levels[3]).to.include({ label: 'Not there yet', score: 1 });
    expect(complaints).to.deep.equal([]);
  });

  it('let a colleague read what is shared and copy it, and show whatever it says as text', async () => {
    const owner = await aPerson(world.service);
    const criteria = essayRubric().criteria.map((each) => ({
      ...{ ...each, name: ATTACK, description: ATTACK },
      levels: each.levels.map((level) => ({
        ...level,
        label: `${ATTACK}${String(level.label)}`,
        description: ATTACK,
      })),
    }));
    const body = { title: ATTACK, description: ATTACK, is_public: true };
    await aRubric(world.service, { ...body, rubric_data: essayRubric({ criteria }) }, owner.key);
    const colleague = await aColleagueOf(world.service, owner);
    visitor = await signedIn(world.service, '/rubrics', { as: colleague });
    const { page, complaints } = visitor;

    await page.getByTestId('rubric-card').getByRole('link').click();
    await page.getByTestId('rubric-preview').getByText('SCORING INSTRUCTIONS').waitFor();
    const fields = await page.locator('main').getByRole('textbox').count();
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await page.getByTestId('criterion').first().waitFor();
    await page.getByText('What an assistant reads').click();
    await page.getByTestId('rubric-preview').getByText('SCORING INSTRUCTIONS').waitFor();
    const links = await page.locator('a[href^="javascript:"], main img').count();
    await page.goto('/rubrics');
    await page.getByTestId('rubric-file').setInputFiles({
      ...{
        name: 'x.json',
        mimeType: 'application/json',
        buffer: Buffer.from(`{"criteria": "${'x'.repeat(9)}"}`),
      },
    });
    const refusal = await page.getByRole('alert').textContent();

    expect(fields).to.equal(0);
    expect(links).to.equal(0);
    expect(refusal).to.include('rubric_data.criteria: must be a list');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints.filter((each) => !each.includes('400 (Bad Request)'))).to.deep.equal([]);
  });
});
