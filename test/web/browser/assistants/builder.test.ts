import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import type { AssistantRecord } from '../../../support/service.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aPerson, type Person } from '../../../http/support/users-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { aCollection, CELLS, goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const FOCUSED = `(() => {
  const { activeElement: at } = document;
  return (at.name || at.ariaLabel || at.textContent || '').trim();
})()`;

/** What somebody does who has no mouse. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if ((await page.evaluate<string>(FOCUSED)).startsWith(name)) return;
  }
  throw new Error(`No way to ${name} by ${key}.`);
}

const press = async (page: Page, name: string, key = 'Enter') => {
  await tabTo(page, name);
  await page.keyboard.press(key);
};

describeInBrowser('the form of an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  let alone: Visitor | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/assistants'));
  afterEach(async () => {
    await alone?.close();
    alone = undefined;
  });

  const read = async (id: number | string, { key }: Person = kept().person) =>
    (await world.service.request<AssistantRecord>(`/lamb/v1/assistants/${String(id)}`, { key })).json;
  const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

  it('makes a multi-tool assistant with a collection and a rubric by keyboard alone', async () => {
    const { page, person, complaints } = kept();
    const { id: collection, name } = await aCollection(world.service, person, [CELLS]);
    const { id: rubric } = await aRubric(world.service, { title: 'Essay' }, person.key);
    await goTo(page, '/multi-tool-assistants/create?type=multi_tool');
    const said = page.getByRole('status');
    const dialog = page.getByRole('dialog');

    await page.getByTestId('tools-manager').waitFor();
    await tabTo(page, 'name');
    await page.keyboard.type('Biology guide');
    await press(page, 'Add a tool');
    await press(page, 'Knowledge');
    await said.getByText('Knowledge added.').waitFor({ state: 'attached' });
    await press(page, 'Choose collections');
    await dialog.getByRole('button', { name }).waitFor();
    await press(page, name, ' ');
    await press(page, 'Done');
    await press(page, 'Add a tool');
    await press(page, 'Rubric');
    await press(page, 'Choose a rubric');
    await dialog.getByRole('button', { name: 'Essay' }).waitFor();
    await press(page, 'Essay');
    await page.getByTestId('picked').getByText('Essay').waitFor();
    await tabTo(page, 'Move Rubric up', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await said.getByText('Rubric: now 1 of 2.').waitFor({ state: 'attached' });
    const template = await page.locator('[name=prompt_template]').inputValue();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Biology guide', level: 1 }).waitFor();

    expect(template).to.equal('{rubric}\n\n{context}\n\n{user_input}');
    const made = await read(idIn(page));
    expect(made).to.deep.include({ name: 'Biology guide', assistant_type: 'multi_tool' });
    expect(made.metadata).to.deep.include({
      _format_version: 2,
      tools: [
        {
          type: 'rubric_rag',
          enabled: true,
          mode: 'placeholder',
          placeholder: 'rubric',
          config: { rubric_id: rubric },
        },
        ...[
          {
            type: 'simple_rag',
            enabled: true,
            mode: 'placeholder',
            placeholder: 'context',
            config: { collections: [collection] },
          },
        ],
      ],
    });
    expect(await page.getByTestId('toast').getByRole('button', { name: 'Try it' }).count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });

  it('shows the tools of the assistant that the README makes from a program', async () => {
    const { page, person, complaints } = kept();
    const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
    const posted = /lamb\/v1\/assistants .* -d '([^']+)'/.exec(readme)?.[1] ?? '';
    const { id: callee } = await world.service.createAssistant({ name: 'Tutor' }, { key: person.key });
    const body = JSON.parse(
      posted.replace('"assistant_id": 1', `"assistant_id": ${String(callee)}`),
    ) as object;
    const made = await world.service.request<AssistantRecord>('/lamb/v1/assistants', {
      key: person.key,
      body,
    });
    await goTo(page, `/multi-tool-assistants/${String(made.json.id)}`);
    const cards = page.getByTestId('tool-card');

    await cards.first().waitFor();
    const types = await Promise.all((await cards.all()).map((card) => card.getAttribute('data-type')));
    expect(types).to.deep.equal(['weather', 'assistant']);
    expect(await page.getByTestId('convert').count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('greys out assistants that call functions, keeps what is not saved through a reload, and forgets it at the door', async () => {
    const person = await aPerson(world.service);
    const make = (name: string, tools: readonly object[]) =>
      world.service.createAssistant({ name, metadata: { _format_version: 2, tools } }, { key: person.key });
    const tutor = await make('Plain tutor', []);
    await make('Busy orchestrator', [{ type: 'weather', mode: 'function', config: {} }]);
    alone = await signedIn(world.service, '/multi-tool-assistants/create?type=orchestrator', {
      as: person,
    });
    const { page, complaints } = alone;
    const choices = page.getByTestId('choice');

    await page.getByLabel('Name', { exact: true }).first().fill('Guide');
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-assistant').click();
    await page.getByTestId('save').click();
    const told = await page.getByTestId('tool-card').locator('.error').textContent();
    await page.getByRole('button', { name: /^Choose an assistant/ }).click();
    const greyed = choices.filter({ hasText: 'Busy orchestrator' });
    const why = await greyed.textContent();
    const isGreyed = await greyed.getAttribute('aria-disabled');
    await greyed.click({ force: true });
    const picked = await page.getByTestId('picked').count();
    await choices.filter({ hasText: 'Plain tutor' }).click();
    await page.getByTestId('picked').waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByTestId('preview-function').waitFor();
    await page.reload();
    await page.getByTestId('restored').waitFor();
    // Its number, until the name that goes with it is read.
    await page.getByTestId('picked').getByText('Plain tutor').waitFor();
    await page.getByTestId('save').click();
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();
    const made = await read(idIn(page), person);
    await page.getByLabel('System prompt').fill('Never saved');
    await page.getByText('Unsaved changes are kept in this browser.').waitFor();
    const kept = await page.evaluate<number>(
      `Object.keys(localStorage).filter((key) => key.includes('draft')).length`,
    );
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[name=email]').waitFor();
    const left = await page.evaluate<number>(
      `Object.keys(localStorage).filter((key) => key.includes('draft')).length`,
    );

    expect(told).to.equal('Please fill this in.');
    expect(isGreyed).to.equal('true');
    expect(why).to.include('Calls functions itself');
    expect(picked).to.equal(0);
    expect(made).to.deep.include({ assistant_type: 'orchestrator' });
    expect(made.metadata.tools).to.deep.equal([
      { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: tutor.id } },
    ]);
    expect([kept, left]).to.deep.equal([1, 0]);
    expect(complaints).to.deep.equal([]);
  });

  it('keeps a classic assistant as it is stored, turns it into a multi-tool one on request, and asks before overwriting', async () => {
    const { page, person } = kept();
    const { id: collection, name } = await aCollection(world.service, person, [CELLS]);
    const { id } = await world.service.createAssistant(
      {
        name: 'Old',
        prompt_template: '{context} {user_input}',
        metadata: { rag_processor: 'no_rag', theirs: { kept: 1 } },
      },
      { key: person.key },
    );
    await goTo(page, `/assistants/${String(id)}`);

    await page.getByRole('radio', { name: /^Collections/ }).check();
    await page.getByRole('button', { name: /^Choose collections/ }).click();
    await page.getByTestId('choice').filter({ hasText: name }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByTestId('save').click();
    await page.getByText('All changes are saved.').waitFor();
    const classic = await read(id);
    await page.getByTestId('convert').click();
    const outlook = await page.getByRole('dialog').textContent();
    await page.getByRole('button', { name: 'Turn into multi-tool' }).click();
    await page.getByTestId('tool-card').waitFor();
    const converted = await read(id);
    await page.getByLabel('System prompt').fill('Mine');
    const body = { name: 'Old', system_prompt: 'Theirs', version: converted.version };
    await world.service.request(`/lamb/v1/assistants/${String(id)}`, {
      method: 'PUT',
      key: person.key,
      body,
    });
    await page.getByTestId('save').click();
    const both = await page.getByRole('dialog').getByLabel('System prompt').textContent();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('All changes are saved.').waitFor();
    const cards = await page.getByTestId('tool-card').count();
    const saved = await read(id);

    expect(classic).to.deep.include({ RAG_collections: collection, assistant_type: 'classic' });
    expect(classic.metadata).to.deep.equal({ rag_processor: 'simple_rag', theirs: { kept: 1 } });
    expect(outlook).to.match(/Knowledge\s+\{context\}/);
    expect(converted).to.deep.include({ assistant_type: 'multi_tool' });
    expect(converted.metadata).to.deep.include({ theirs: { kept: 1 } });
    expect(both).to.include('Mine').and.to.include('Theirs');
    expect(saved).to.deep.include({ system_prompt: 'Mine', assistant_type: 'multi_tool' });
    expect(saved.metadata).to.deep.equal(converted.metadata);
    expect(cards).to.equal(1);
  });

  it('shows names and prompts that somebody means ill by as text, and says beside the field what the service refuses', async () => {
    const { page, person, complaints } = kept();
    const attack = `"><img src=x onerror=window.hacked=1><svg onload=window.hacked=1>{@html 1}`;
    const { id: collection } = await aCollection(world.service, person);
    await world.service.request(`/lamb/v1/collections/${collection}`, {
      ...{ method: 'PUT', key: person.key, body: { name: attack, description: attack } },
    });
    const { id } = await world.service.createAssistant(
      {
        ...{
          name: attack,
          description: attack,
          system_prompt: attack,
          prompt_template: `${attack}{context}{user_input}`,
        },
        metadata: {
          _format_version: 2,
          tools: [
            { type: 'simple_rag', mode: 'placeholder', name: attack, config: { collections: [collection] } },
            { type: attack, enabled: false, name: attack, config: { [attack]: attack } },
          ],
        },
      },
      { key: person.key },
    );
    await goTo(page, `/multi-tool-assistants/${String(id)}`);

    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByTestId('preview-message').first().waitFor();
    for (const card of await page.getByTestId('tool-card').all())
      await card.getByRole('button').first().click();
    await page.getByTestId('picked').getByText('onerror').waitFor();
    await page.getByRole('button', { name: /^Choose collections/ }).click();
    await page.getByTestId('choice').getByText('onload').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-http').click();
    const http = page.locator('[data-type=http]');
    await http.getByLabel('Address').fill('https://example.org/{book}');
    await http.getByLabel('May it act?').selectOption('ask');
    const refused = http.getByText('{book} is no argument in "args"');
    await refused.first().waitFor();
    const isMarked = await http.getByLabel('Address').getAttribute('aria-invalid');
    await page.getByRole('button', { name: 'Remove Web request' }).click();
    await world.service.request(`/lamb/v1/collections/${collection}`, { method: 'DELETE', key: person.key });
    await page.getByLabel('Description (optional)').first().fill('Changed');
    await page.getByRole('radio', { name: /^When the model asks/ }).check();
    await page.getByTestId('save').click();
    const beside = page.getByTestId('tool-card').first().locator('fieldset .error');
    await beside.waitFor();
    const hacked = await page.evaluate('window.hacked');

    expect(hacked).to.equal(undefined);
    expect(await beside.textContent())
      .to.include('not shared with you')
      .and.not.to.include(collection);
    expect(isMarked).to.equal('true');
    // The refusal itself is all that a browser complains of.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).to.deep.equal([]);
  });
});
