import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { aZip } from '../../../support/documents.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import type { OutboundWorld } from '../../../support/outbound-service.js';
import { theOutboundWorld } from '../../../support/test-service.js';
import {
  aCollection,
  drop,
  goTo,
  signedIn,
  type SomeDocument,
  type Visitor,
} from '../../support/page-fixture.js';

/** One page of documents, and two more; one of them comes in an archive. */
const MANY = 52;
const NOTES = Array.from({ length: MANY - 1 }, (_, n) => `n${String(n)}.md`);

describeInBrowser('documents are added', function () {
  this.timeout(120_000);
  let world: OutboundWorld;
  let visitor: Visitor;
  /** Where many have been added. */
  let many: string;
  before(async () => {
    world = await theOutboundWorld();
    visitor = await signedIn(world.service, '/knowledge');
  });
  after(() => visitor.close());

  /** In front of a collection of theirs; `complaints` are those of the pages from then on. */
  async function atACollection(documents: readonly SomeDocument[] = []) {
    const { page, person } = visitor;
    const collection = await aCollection(world.service, person, documents);
    const before = visitor.complaints.length;
    await goTo(page, `/knowledge/${collection.id}`);
    await page.getByRole('heading', { name: collection.name, level: 1 }).waitFor();
    return { ...collection, page, person, complaints: () => visitor.complaints.slice(before) };
  }

  it('by dropping files, several at once; what misses the place does not take the page away', async () => {
    const { name, page, complaints } = await atACollection();
    const texts = ['one', 'two', 'three'].map((text) => ({ name: `${text}.md`, text: `# ${text}` }));

    await page.getByText('Drop files here').waitFor();
    await page.getByTestId('drop-zone').dispatchEvent('dragenter', {
      dataTransfer: await page.evaluateHandle(
        '(() => { const d = new DataTransfer(); d.items.add(new File(["x"], "x")); return d; })()',
      ),
    });
    await page.getByText('Let go to add them').waitFor();
    await drop(page, ...texts);
    await page.locator('[data-status=ready]').nth(2).waitFor();
    const isPrevented = await page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x'));
      const missed = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return !document.querySelector('h1').dispatchEvent(missed);
    })()`);

    expect(await page.getByTestId('document').count()).to.equal(3);
    expect(isPrevented).to.equal(true);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(name);
    expect(complaints()).to.deep.equal([]);
  });

  it('by an address, which is checked before it is fetched', async () => {
    const { page, complaints } = await atACollection();
    const subject = uniqueName('notes');
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'Add a web page' }).click();
    await page.keyboard.type('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter an address that begins with http:// or https://.').waitFor();
    await dialog.getByLabel('Address').fill(`${world.http.url}/text/${subject}.txt`);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-status=ready]').waitFor();

    await page.getByRole('link', { name: `${subject}.txt` }).click();
    await page.getByTestId('passage').first().waitFor();
    expect(await page.getByTestId('passage').first().textContent()).to.include('Plain wörds.');
    expect(complaints()).to.deep.equal([]);
  });

  it('and found by their names, which may be words with blanks between them', async () => {
    const names = ['week one.md', 'week two.md'];
    const { page } = await atACollection(names.map((name) => ({ name, text: `# ${name}` })));
    const box = page.getByRole('searchbox', { name: 'Filter by name' });
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === 'week');

    await box.pressSequentially('week ');
    await asked;
    await box.pressSequentially('two');
    await page.getByTestId('document').nth(1).waitFor({ state: 'detached' });

    expect(await box.inputValue()).to.equal('week two');
    expect(await page.getByTestId('document').textContent()).to.include('week two.md');
  });

  it('by many files at once and by archives, with one progress; what is refused is named, and the rest goes on', async () => {
    const { id, page, person, complaints } = await atACollection();
    many = id;
    const file = (name: string, content: string | Buffer) => ({
      ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) },
    });
    const notes = NOTES.map((name) => file(name, `Note ${name}`));
    const zip = await aZip({ 'unit-1/a.md': 'In the archive', 'unit-1/b.exe': 'MZ' });
    let uploads = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/documents')) uploads += 1;
    });
    const progress = page.getByTestId('reading-progress');
    const seen = progress.waitFor();

    await page
      .getByTestId('file-input')
      .setInputFiles([file('virus.exe', 'MZ'), ...notes, file('course.zip', zip)]);
    await seen;
    await progress.waitFor({ state: 'detached' });
    const failed = page.getByTestId('upload').filter({ hasText: 'Not uploaded' });
    await failed.nth(1).waitFor();
    const { json } = await world.service.request<{ by_status: object }>(
      `/lamb/v1/collections/${id}/documents`,
      person,
    );

    // Two whole requests, and one whose twenty files went each by itself afterwards.
    expect(uploads).to.equal(3 + 20);
    expect((await failed.allTextContents()).join(' '))
      .to.contain('virus.exe')
      .and.contain('unit-1/b.exe');
    expect(json.by_status).to.deep.equal({ queued: 0, processing: 0, ready: MANY, failed: 0 });
    expect(complaints().filter((each) => !each.includes('415'))).to.deep.equal([]);
  });

  it('by the dozen: a page of them at first, the rest on demand, each once', async () => {
    const { page } = visitor;
    await goTo(page, `/knowledge/${many}`);
    const rows = page.getByTestId('document');
    const more = page.getByRole('button', { name: 'Show more' });

    await rows.nth(49).waitFor();
    const first = await rows.count();
    await more.click();
    await rows.nth(MANY - 1).waitFor();
    await more.waitFor({ state: 'detached' });
    const names = await rows.getByRole('link').allTextContents();

    expect(first).to.equal(50);
    expect([...names].sort()).to.deep.equal([...NOTES, 'unit-1/a.md'].sort());
  });
});
