import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { aColleagueOf, inDatabase } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aTeacher } from '../../support/run-fixture.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

const HOSTILE = `<img src=x onerror="window.hacked=1"><b>Tutor`;

const INDENTS = `[...document.querySelectorAll('tbody th')].map((cell) => parseFloat(getComputedStyle(cell).paddingInlineStart))`;
const NARROWEST_BAR = `Math.min(...[...document.querySelectorAll('rect.model')].map((bar) => bar.getBoundingClientRect().width))`;

describeInBrowser('the pages of runs and usage', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('lead from the list to every step of a run, nested as they were called', async () => {
    const { person, tutor, helper, ask } = await aTeacher(world, { name: HOSTILE });
    await ask();
    visitor = await signedIn(world.service, '/runs', { as: person });
    const { page, complaints } = visitor;
    const listed = page.getByTestId('run');

    await listed.nth(1).waitFor();
    const all = await listed.count();
    await page.getByRole('button', { name: 'Assistant: All assistants' }).click();
    await page.getByTestId('assistant-choice').getByRole('button', { name: HOSTILE, exact: true }).click();
    await page.getByText('called by another run').waitFor({ state: 'detached' });
    const narrowed = await listed.allTextContents();
    await page.reload();
    await listed.getByRole('link', { name: HOSTILE, exact: true }).click();
    await page.getByRole('heading', { name: 'Steps' }).waitFor();
    const lines = await page.getByTestId('waterfall-line').allInnerTexts();
    const indents = await page.evaluate<number[]>(INDENTS);
    const narrowest = await page.evaluate<number>(NARROWEST_BAR);

    expect(all).to.equal(2);
    expect(narrowed).to.have.length(1);
    const found = lines.map((line) => line.split('\n')[0]!.trim());
    expect(found[0]).to.equal(HOSTILE);
    expect(found).to.include.members(['Round 1', 'Round 2', `${tutor.model} model`, 'Weather tool']);
    const called = found.indexOf('Another assistant tool');
    expect(found.slice(called + 1, called + 3)).to.deep.equal([
      `${HOSTILE}’s helper`,
      `${helper.model} model`,
    ]);
    expect(indents[called + 1]).to.be.greaterThan(indents[called]!);
    expect(narrowest).to.be.greaterThan(0);
    expect(lines.find((line) => line.startsWith(tutor.model)))
      .to.match(/1,500,000/)
      .and.to.match(/€4\.00/);
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('show all runs again to whoever goes there anew', async () => {
    const { person, tutor, ask } = await aTeacher(world);
    await ask();
    visitor = await signedIn(world.service, `/runs?assistant_id=${String(tutor.id)}`, { as: person });
    const { page } = visitor;

    await page.getByTestId('run').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByTestId('run').nth(1).waitFor();

    await page.getByRole('button', { name: 'Assistant: All assistants' }).waitFor();
  });

  it('can be narrowed to any assistant, also one that is far down the list', async () => {
    const { person, tutor, ask } = await aTeacher(world, { name: 'PARA MAÑANA' });
    await ask();
    for (let n = 0; n < 25; n += 1)
      await world.service.createAssistant({ name: `Newer ${String(n)}` }, person);
    visitor = await signedIn(world.service, '/runs', { as: person });
    const { page } = visitor;

    await page.getByTestId('run').nth(1).waitFor();
    await page.getByRole('button', { name: 'Assistant: All assistants' }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('para mañana');
    await page.getByRole('dialog').getByRole('button', { name: 'PARA MAÑANA', exact: true }).click();
    await page.waitForURL(new RegExp(`assistant_id=${String(tutor.id)}$`));
    await page.getByText('called by another run').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Assistant: PARA MAÑANA' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'All assistants' }).click();
    await page.getByTestId('run').nth(1).waitFor();
  });

  it('say what was used and what it cost, what has no price, and give it away as CSV', async () => {
    const { person, tutor, helper, ask } = await aTeacher(world, {
      name: `=1+1 ${HOSTILE}`,
      role: 'org_admin',
    });
    await ask();
    visitor = await signedIn(world.service, '/usage', { as: person });
    const { page, complaints } = visitor;
    const card = (name: string) => page.getByRole('region', { name });

    await page.getByTestId('day-chart').waitFor();
    const summary = await page.getByTestId('day-chart').getAttribute('aria-label');
    const totals = await page.getByLabel('Totals').innerText();
    const toldAtRest = await page.getByTestId('told-day').textContent();
    const reading = card('Per day').getByRole('slider');
    await reading.focus();
    const today = await reading.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    const yesterday = await reading.getAttribute('aria-valuetext');
    const told = await page.getByTestId('told-day').textContent();
    await page.getByLabel('Show', { exact: true }).selectOption('cost');
    const models = await card('Per model').getByTestId('bar-list').innerText();
    const people = await card('Per person').getByTestId('bar-list').innerText();
    await card('Per day').getByText('Show as a table').click();
    const days = await card('Per day').getByRole('row').count();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Per assistant' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    await page.getByRole('link', { name: 'Set prices' }).click();
    await page
      .getByLabel(`${helper.model}: Tokens in`)
      .or(page.getByLabel('Another model'))
      .first()
      .waitFor();

    expect(summary).to.match(/^Tokens per day from .* to .*: 4,500,000 in total/);
    expect(toldAtRest).to.include('4,500,000');
    expect(today).to.match(/: 4,500,000$/);
    expect(yesterday).to.match(/: 0$/);
    expect(told).to.include(yesterday?.split(': ')[0]);
    expect(totals)
      .to.match(/Runs\s+2\s/)
      .and.to.match(/€8\.00/);
    expect(models).to.include(tutor.model).and.to.include('€8.00').and.to.include('No price known');
    expect(people).to.include(person.email);
    expect(days).to.equal(31);
    expect(csv).to.include(`"'=1+1 <img src=x onerror=""window.hacked=1""><b>Tutor"`);
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('say of a run that was interrupted what is known of it, and nothing of what it came to', async () => {
    const { person, ask } = await aTeacher(world);
    const id = await ask();
    await inDatabase(world.service, async (_stores, db) => {
      await db('runs').where({ id }).update({ status: 'failed', error_code: 'interrupted' });
    });
    visitor = await signedIn(world.service, `/runs/${id}`, { as: person });
    const { page } = visitor;

    await page.getByText('ended in the middle of this run').waitFor();
    const facts = await page.getByLabel('About this run').innerText();

    expect(facts).to.include('Duration').and.not.to.include('Tokens').and.not.to.include('Cost');
  });

  it('show an owner that somebody used their assistant, and not who', async () => {
    const { person, tutor } = await aTeacher(world);
    const colleague = await aColleagueOf(world.service, person);
    await world.service.request(`/lamb/v1/assistants/${String(tutor.id)}/publish`, {
      ...{ key: person.key, body: { published: true } },
    });
    await world.model.script(tutor.model, [{ say: 'Hello.' }]);
    await world.service.chat(tutor.id, 'Hello?', { key: colleague.key });
    visitor = await signedIn(world.service, '/runs', { as: person });
    const { page } = visitor;

    await page.getByTestId('run').waitFor();
    const listed = await page.getByTestId('run').innerText();
    await goTo(page, '/usage');
    await page.getByTestId('day-chart').waitFor();
    const people = await page.getByRole('region', { name: 'Per person' }).count();
    await goTo(page, '/admin/users');
    await page.getByText('Nothing here').waitFor();

    expect(listed).to.include('by somebody else');
    expect(people).to.equal(0);
  });
});
