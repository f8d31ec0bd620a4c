import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aPerson, type Person } from '../../../http/support/users-fixture.js';
import { aCollection, CELLS, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

/** What the service calls things among programs, what a library says of a value, and what the wire says in English. */
const INTERNAL =
  /\b(simple_rag|rubric_rag|rubric_eval|single_file_rag|no_rag|image_gen|patch_file|\w+_augment|_format_version|on_error)\b|expected \w+ to|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}|merging tool|querying knowledge|generating rubric|reading file|calling |could not fill|cannot be used|is left out|not asked in a preview|by its id|Demo, offline|Another assistant|Knowledge base/;
/** What is shown exactly as the model reads it. */
const EXACT = '[data-testid=preview-message], [data-testid=preview-function], [data-testid=token-bar]';

/** Whatever stands behind a closed door. */
const UNFOLD = `{
  document.querySelectorAll('[data-testid=tool-card] h3 button[aria-expanded=false]').forEach((each) => each.click());
  document.querySelectorAll('details').forEach((each) => { each.open = true; });
}`;

const SAID = {
  es: {
    step: 'Buscando en',
    rubric: 'Leyendo la rúbrica',
    about: 'Busca fragmentos',
    warned: 'no pudo rellenar',
    model: 'Lo que elija tu organización',
  },
  ca: {
    step: 'Buscant a',
    rubric: 'Llegint la rúbrica',
    about: 'Busca fragments',
    warned: 'no ha pogut omplir',
    model: 'El que triï la teva organització',
  },
  eu: {
    step: 'Hemen bilatzen',
    rubric: 'Errubrika irakurtzen',
    about: 'Zure bildumetan',
    warned: 'ezin izan du',
    model: 'Zure erakundeak aukeratutakoa',
  },
};

describeInBrowser('somebody who reads another language', function () {
  this.timeout(120_000);
  let world: TestService;
  let person: Person;
  let visitor: Visitor;
  /** By the language that it is looked at in: what is changed in the form is kept for who comes back. */
  const assistants: Record<string, number> = {};
  before(async () => {
    world = await sharedQuietService();
    person = await aPerson(world.service, { role: 'org_admin' });
    const { id: collection } = await aCollection(world.service, person, [CELLS]);
    const { id: rubric } = await aRubric(world.service, { title: 'Ensayo' }, person.key);
    const gone = await aRubric(world.service, { title: 'Vieja' }, person.key);
    const tools = [
      { type: 'simple_rag', mode: 'placeholder', config: { collections: [collection] } },
      { type: 'rubric_rag', mode: 'placeholder', config: { rubric_id: rubric } },
      { type: 'rubric_rag', mode: 'placeholder', placeholder: 'old', config: { rubric_id: gone.id } },
      { type: 'single_file_rag', mode: 'function', enabled: false, config: { file_path: 'a.md' } },
    ];
    for (const language of Object.keys(SAID)) {
      const { id } = await world.service.createAssistant(
        { name: 'Guía', prompt_template: '{context}{rubric}{old}{user_input}{nowhere}', metadata: { tools } },
        { key: person.key },
      );
      assistants[language] = id;
    }
    await world.service.request(`/lamb/v1/rubrics/${gone.id}`, { method: 'DELETE', key: person.key });
    visitor = await signedIn(world.service, '/welcome', { as: person });
  });
  after(() => visitor.close());

  const read = async (page: Page): Promise<string> =>
    page.evaluate<string>(`(() => {
      const copy = document.body.cloneNode(true);
      copy.querySelectorAll(${JSON.stringify(EXACT)}).forEach((each) => each.remove());
      copy.style.position = 'absolute';
      document.body.append(copy);
      const text = copy.innerText + [...copy.querySelectorAll('option')].map((each) => each.textContent).join('\\n');
      copy.remove();
      return text;
    })()`);
  const expectPlain = async (page: Page, where: string) => {
    const text = (await read(page)).replaceAll(person.email, '');
    expect(INTERNAL.exec(text)?.[0], `${where}:\n${text}`).to.equal(undefined);
    return text;
  };
  for (const [language, said] of Object.entries(SAID)) {
    it(`meets nothing of how it is made in ${language}: in the builder, the preview, a chat and the audit`, async () => {
      const { page, complaints } = visitor;
      await goTo(page, '/welcome');
      await page.locator('main select').selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor();
      const id = String(assistants[language]);

      await goTo(page, `/multi-tool-assistants/${id}`);
      await page.getByRole('tab').last().click();
      await page.getByTestId('preview-warning').first().waitFor();
      await page.evaluate(UNFOLD);
      const form = await expectPlain(page, 'the form');
      expect(form).to.contain(said.warned).and.to.contain(said.model);

      await page.getByTestId('add-tool-btn').click();
      await page.getByTestId('tool-option-weather').waitFor();
      expect(await expectPlain(page, 'the tools to add')).to.contain(said.about);
      await page.getByTestId('tool-option-assistant').click();
      await page.getByTestId('save').click();
      await page.locator('.error').first().waitFor();
      await expectPlain(page, 'what is missing');

      await goTo(page, `/chat/new?assistant=${id}`);
      await page.locator('textarea').first().fill('Cells?');
      await page.keyboard.press('Enter');
      await page.getByTestId('steps').waitFor();
      // One may have failed before the others are told of.
      await page.locator('[data-testid=step][data-state=failed]').first().waitFor({ state: 'attached' });
      for (const hasText of [said.step, said.rubric]) {
        await page.getByTestId('step').filter({ hasText }).first().waitFor({ state: 'attached' });
      }
      const steps = (await page.getByTestId('step').allTextContents()).join('\n');
      expect(steps).not.to.match(INTERNAL);

      await goTo(page, '/admin/audit');
      await page.getByTestId('audit-entry').first().waitFor();
      const audit = await expectPlain(page, 'the audit');
      expect(audit).not.to.match(/\b(preview|delete|create|change)\b/);
      // The rubric that is gone is looked for once.
      expect(complaints.filter((complaint) => !complaint.includes('404'))).to.deep.equal([]);
    });
  }
});
