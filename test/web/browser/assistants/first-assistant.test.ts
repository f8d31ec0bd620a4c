import { expect } from 'chai';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import type { Service } from '../../../support/service.js';
import { sharedDemoService } from '../../../support/test-service.js';
import { CELLS, fillIn } from '../../support/page-fixture.js';

const NEWCOMER = { email: 'newcomer@example.test', password: 'a password of their own', name: 'Nerea' };

describeInBrowser('somebody new', function () {
  this.timeout(120_000);
  let service: Service;
  let visiting: Visit;
  before(async () => {
    service = await sharedDemoService();
    await service.request('/lamb/v1/users', { body: { ...NEWCOMER, role: 'creator' } });
  });
  afterEach(() => visiting.close());

  it('comes from signing in to an answer of their own assistant by following what the pages offer', async () => {
    visiting = await visit(service.url);
    const { page, complaints } = visiting;
    const button = (name: string) => page.getByRole('button', { name });
    const link = (name: string) => page.getByRole('link', { name });
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const titled = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    const dialog = page.getByRole('dialog');

    await page.goto('/');
    await fillIn(page, NEWCOMER.email, NEWCOMER.password);
    await titled('Welcome, Nerea');
    await link('Chat with Course desk').waitFor();

    await link('Add knowledge').click();
    await button('New collection').first().click();
    await field('Name').fill('Biology 101');
    await button('Create').click();
    await titled('Biology 101');
    const choosing = page.waitForEvent('filechooser');
    await button('Choose files').click();
    const document = { name: CELLS.name, mimeType: 'text/markdown', buffer: Buffer.from(CELLS.text) };
    await (await choosing).setFiles(document);
    await link('Build an assistant with it').waitFor();

    await link('Rubrics').click();
    await link('New rubric').first().click();
    await link('Essay').click();
    await button('Save').click();
    await titled('Essay');
    await link('Build an assistant with it').click();

    await field('Name').first().fill('Biology guide');
    await button('Add a tool').click();
    await dialog.getByRole('button', { name: /^Knowledge/ }).click();
    await button('Choose collections').click();
    await dialog.getByRole('button', { name: 'Biology 101' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await button('Create assistant').click();
    await titled('Biology guide');
    await link('Try it').click();
    // The form has a field for questions as well.
    await page.getByTestId('trial').waitFor({ state: 'detached' });
    await field('Your question').fill('Where do plants turn light into sugar?');
    await button('Send').click();
    await link('Details').waitFor();
    await button('2 steps').click();
    const answer = await page.getByRole('article').last().innerText();

    expect(answer).to.include('Plants turn light into sugar in their chloroplasts');
    expect(answer).to.match(/Reading the rubric Essay[^]*Looking in Biology 101/);
    expect(answer).to.match(/Sources\s+\d\s+(Essay\s+\d\s+)?cells\.md – .*Photosynthesis/);
    expect(complaints).to.deep.equal([]);
  });

  it('takes a collection along into a new assistant, once, whatever is reloaded', async () => {
    visiting = await visit(service.url);
    const { page, complaints } = visiting;
    await page.goto('/multi-tool-assistants/create?type=multi_tool&collection=of-nobody');
    await fillIn(page, NEWCOMER.email, NEWCOMER.password);
    const picked = page.getByTestId('picked');
    await picked.waitFor();
    await page.reload();
    await picked.waitFor();

    expect(await picked.count()).to.equal(1);
    expect(complaints.filter((each) => !each.includes('/lamb/v1/collections/of-nobody'))).to.deep.equal([]);
  });
});
