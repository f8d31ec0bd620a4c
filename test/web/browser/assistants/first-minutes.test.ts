import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import type { Service } from '../../../support/service.js';
import { sharedDemoService } from '../../../support/test-service.js';
import { CELLS, fillIn } from '../../support/page-fixture.js';

const TEACHER = { email: 'first-minutes@example.test', password: 'a password of their own', name: 'Nerea' };
const MOST_CLICKS = 12;

describeInBrowser('the first minutes of a teacher', function () {
  this.timeout(120_000);
  let service: Service;
  let visiting: Visit;
  before(async () => {
    service = await sharedDemoService();
    await service.request('/lamb/v1/users', { body: { ...TEACHER, role: 'creator' } });
  });
  afterEach(() => visiting.close());

  it('lead from signing in to an assistant on their own file, and to their students, in at most twelve clicks', async () => {
    visiting = await visit(service.url);
    const { page, complaints } = visiting;
    const clicks = counting(page);
    const titled = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

    await page.goto('/');
    await fillIn(page, TEACHER.email, TEACHER.password);
    await titled('Welcome, Nerea');
    await clicks.on('link', 'Build an assistant');
    await clicks.on('link', 'Course desk');
    await page.getByTestId('add-material').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await clicks.on('button', 'Choose files');
    const document = { name: CELLS.name, mimeType: 'text/markdown', buffer: Buffer.from(CELLS.text) };
    await (await choosing).setFiles(document);
    await page.getByText('1 of 1').waitFor();
    await clicks.on('button', 'Create assistant');
    await titled('Course desk');
    // Beside the form, where they are.
    await page.getByRole('textbox', { name: 'Your question' }).fill('Where do plants turn light into sugar?');
    await clicks.on('button', 'Send');
    await page.getByRole('link', { name: 'Details' }).waitFor();
    const answer = await page.getByRole('article').last().innerText();
    await clicks.on('link', 'Give it to students');
    await page.getByRole('heading', { name: 'Who can use it now' }).waitFor();

    expect(answer).to.include('Plants turn light into sugar in their chloroplasts');
    // The key that signs in counts like one.
    expect(clicks.made() + 1).to.be.at.most(MOST_CLICKS);
    expect(complaints).to.deep.equal([]);
  });
});

/** Presses what somebody would press, and counts. */
function counting(page: Page) {
  let made = 0;
  return {
    made: () => made,
    async on(role: 'link' | 'button', name: string): Promise<void> {
      made += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    },
  };
}
