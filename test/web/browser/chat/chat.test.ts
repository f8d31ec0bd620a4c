import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { call, fail, held, say } from '../../../support/fakes/model-script.js';
import { readFileOf } from '../../../support/owner-files.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aColleagueOf, shareWith } from '../../../http/support/users-fixture.js';
import { axeFaults } from '../../support/axe.js';
import { anAssistant, aTeacher, knowledgeOf } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { aCollection, CELLS, goTo, signedIn } from '../../support/page-fixture.js';

const ANSWER = 'Plants make **sugar** in their chloroplasts [1].\n\nThe rest is $E = mc^2$.';

interface Told {
  readonly up: number;
  readonly down: number;
  readonly comments: readonly { readonly comment: string }[];
}

describeInBrowser('the Chat pages', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));

  const ask = async (page: Page, question: string) => {
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
  };
  const answered = (page: Page, nth = 0) =>
    page.getByTestId('answer').nth(nth).getByRole('link', { name: 'Details' }).waitFor();
  const shows = (page: Page, text: string) => page.getByTestId('answer').getByText(text).waitFor();
  const answers = async (page: Page) =>
    (await page.getByTestId('answer').locator('.markdown').allTextContents()).map((text) => text.trim());
  const sawByModel = async (model: string) =>
    (await world.model.ledger(model)).at(-1)!.body.messages.map(({ content }) => String(content));

  it('lead from choosing an assistant to an answer with its steps and sources, which are kept', async () => {
    const { page, person, complaints } = kept();
    const { id: collection } = await aCollection(world.service, person, [CELLS]);
    const gate = uniqueName('gate');
    const { name } = await anAssistant(
      world,
      person,
      [
        call('query_knowledge_base', { query: 'plants sugar light' }),
        held(gate, say(ANSWER, { chunks: 12 })),
      ],
      { tools: [knowledgeOf('function', collection)] },
    );
    await goTo(page, '/chat');
    const step = page.getByTestId('step');
    const said = page.getByRole('status');

    await page.getByRole('button', { name: 'New chat' }).first().click();
    await page.getByRole('link', { name }).click();
    await ask(page, 'How do plants make sugar?');
    await page.locator('[data-testid=step][data-state=completed]').waitFor();
    const status = await said.textContent();
    const running = await step.allTextContents();
    await world.model.release(gate);
    await answered(page);
    await page.locator('.markdown math').waitFor();
    await said.getByText('Answer: Plants make').waitFor({ state: 'attached' });
    const isFolded = await step.first().isHidden();
    await page.getByRole('link', { name: /^Source 1/ }).click();
    const source = await page.locator(':focus').textContent();
    const address = page.url();
    const link = await page.getByTestId('source').first().getByRole('link').getAttribute('href');
    await page.reload();
    await page.getByTestId('source').first().waitFor();
    const restored = await page.getByTestId('source').first().textContent();
    await page.getByRole('button', { name: '1 step' }).click();

    expect(running).to.have.length(1);
    expect(running[0]).to.match(/^\s*Looking in .* done · \d/);
    expect(status).to.match(/^Looking in/);
    expect(isFolded).to.equal(true);
    expect(source).to.match(/^1 ?cells\.md/);
    expect(link).to.match(/\/passages\//);
    expect(address).to.match(/\/chat\/[0-9a-f-]{36}$/);
    expect(restored).to.equal(source);
    expect(source).to.match(/(?:strong|partial|weak) match\s*$/);
    expect(link).to.match(/\?lang=en#passage$/);
    expect(await step.allTextContents()).to.deep.equal(running);
    expect(complaints).to.deep.equal([]);
  });

  it('stop, go on, try again and ask otherwise, and the model hears what is shown and nothing else', async () => {
    const { page, person } = kept();
    const gate = uniqueName('gate');
    const { id, model } = await anAssistant(world, person, [
      say('1234', { chunks: 4, pause: { after: 2, until: gate } }),
      say('Second.'),
      fail(400),
      say('Third.'),
      say('Otherwise.'),
    ]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);

    await ask(page, 'Count');
    await shows(page, '12');
    await page.getByRole('button', { name: 'Stop' }).click();
    await shows(page, 'Stopped.');
    await ask(page, 'And then?');
    await answered(page, 1);
    const wentOn = await sawByModel(model);
    await ask(page, 'Break');
    await page.getByRole('alert').waitFor();
    const fault = await page.getByRole('alert').textContent();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await answered(page, 2);
    const retried = await sawByModel(model);
    await page.getByRole('button', { name: 'Edit this question' }).nth(1).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('And otherwise?');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await shows(page, 'Otherwise.');
    const shown = await answers(page);
    await page.reload();
    await shows(page, 'Otherwise.');
    await world.model.release(gate);

    expect(wentOn).to.deep.equal(['Count', '12', 'And then?']);
    expect(fault).to.match(/Try again/);
    expect(retried).to.deep.equal(['Count', '12', 'And then?', 'Second.', 'Break']);
    expect(await sawByModel(model)).to.deep.equal(['Count', '12', 'And otherwise?']);
    expect(shown).to.deep.equal(['12', 'Otherwise.']);
    expect(await answers(page)).to.deep.equal(shown);
  });

  it('ask before something is done, and show exactly what', async () => {
    const { page, person, complaints } = kept();
    const form = new FormData();
    form.append('path', 'notes/plan.md');
    form.append('file', new Blob(['old\n']), 'plan.md');
    await world.service.request('/lamb/v1/files', { key: person.key, body: form });
    const change = { line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' };
    const patch = call('patch_file', { file_path: 'plan.md', changes: [change] });
    const { id } = await anAssistant(world, person, [patch, say('Refused.'), patch, say('Done.')], {
      tools: [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }],
    });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const approval = page.getByTestId('approval');
    const file = () => readFileOf(world.service, person, 'notes/plan.md');

    await ask(page, 'Renew the plan');
    await approval.getByText('renewed').waitFor();
    const told = await approval.textContent();
    await approval.getByRole('button', { name: 'Do not allow' }).click();
    await answered(page);
    const before = await file();
    const denied = await page.locator('[data-state=denied]').count();
    await ask(page, 'Please do');
    await approval.getByText('renewed').waitFor();
    await approval.getByRole('button', { name: 'Allow', exact: true }).click();
    await shows(page, 'Done.');

    expect(told)
      .to.include('"new_content": "new"')
      .and.match(/\d+ (?:sec|min).* left/);
    expect(before).to.equal('old\n');
    expect(denied).to.equal(1);
    expect(await file()).to.equal('new\n');
    expect(await approval.count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('send pictures to whoever can see them, made small', async () => {
    const { page, person: guest, complaints } = kept();
    const owner = await aColleagueOf(world.service, guest);
    const { id, model } = await anAssistant(world, owner, [say('A white field.')], {
      metadata: { capabilities: { vision: true } },
    });
    await shareWith(world.service, id, guest);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const big = await page.evaluate<string>(
      `(() => { const c = document.createElement('canvas'); c.width = 3200; c.height = 800;
         c.getContext('2d').fillRect(0, 0, 9, 9); return c.toDataURL('image/png').split(',')[1]; })()`,
    );

    await page.getByTestId('picture-input').setInputFiles([
      { name: 'field.png', mimeType: 'image/png', buffer: Buffer.from(big, 'base64') },
      { name: 'evil.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    ]);
    await page.getByTestId('toast').getByText('“evil.svg” is no picture').waitFor();
    await page.getByRole('img', { name: 'Picture 1' }).waitFor();
    await ask(page, 'What is this?');
    await shows(page, 'A white field.');
    const size = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[data-testid=question] img')].flatMap((i) => [i.naturalWidth, i.naturalHeight])`,
    );
    const sent = (await world.model.ledger(model))[0]!.body.messages.at(-1)!.content;

    expect(size).to.deep.equal([1600, 400]);
    expect(JSON.stringify(sent)).to.include('data:image/jpeg;base64,');
    expect(complaints).to.deep.equal([]);
  });

  it('take what somebody thinks of an answer with one press, with a reason if they like, and still know it after a reload', async () => {
    const { page, person, complaints } = kept();
    const { id } = await anAssistant(world, person, [say('A room.')]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    await ask(page, 'What is a cell?');
    const rating = page.getByRole('group', { name: 'Was this answer helpful?' });
    const down = rating.getByRole('button', { name: 'Not helpful' });

    await down.click();
    await rating.getByRole('button', { name: 'Say why' }).click();
    await page.getByLabel('What was good, or what was wrong?').fill('Too short.');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByTestId('toast').getByText('Thank you.').waitFor();
    const violations = await axeFaults(page.mainFrame());
    await page.reload();
    await down.waitFor();

    expect(await down.getAttribute('aria-pressed')).to.equal('true');
    const { json } = await world.service.request<Told>(`/lamb/v1/assistants/${String(id)}/feedback`, {
      ...{ key: person.key },
    });
    expect(json).to.deep.include({ up: 0, down: 1 });
    expect(json.comments.map(({ comment }) => comment)).to.deep.equal(['Too short.']);
    expect([violations, complaints]).to.deep.equal([[], []]);
  });
});
