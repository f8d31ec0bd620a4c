import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { upload, type FileList } from '../../../http/support/file-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { drop, signedIn, type Visitor } from '../../support/page-fixture.js';

const HOSTILE = `"><img src=x onerror=window.hacked=1><svg onload=window.hacked=1> javascript:alert(1) %2e%2e.md`;

describeInBrowser('the Files pages', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const aFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

  it('take files in, keep them in folders, replace only when told to, give them back, delete and undo', async () => {
    visitor = await signedIn(world.service, '/files');
    const { page, complaints, person } = visitor;
    const file = (name: string) => page.getByTestId('file').filter({ hasText: name });
    const list = async () => {
      const { json } = await world.service.request<FileList>('/lamb/v1/files', person);
      return json.data.map(({ path, size }) => [path, size]);
    };

    await page.getByText('No files yet').waitFor();
    await drop(page, { name: 'syllabus.md', text: 'one' }, { name: 'rules.md', text: 'four' });
    await file('syllabus.md').waitFor();
    await file('rules.md').waitFor();
    await page.getByTestId('file-input').setInputFiles(aFile('rules.md', 'another'));
    const question = page.getByRole('dialog');
    const asked = await question.textContent();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const untouched = await list();
    await page.getByTestId('file-input').setInputFiles(aFile('rules.md', 'another'));
    const replaced = page.waitForResponse((response) => response.status() === 201);
    await question.getByRole('button', { name: 'Replace' }).click();
    await replaced;
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('week 1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'week 1', level: 1 }).waitFor();
    await page.getByTestId('file-input').setInputFiles(aFile('notes.txt', 'deep'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download notes.txt' }).click(),
    ]);
    await page.getByRole('link', { name: 'All files' }).click();
    await page.getByTestId('folder').getByText('week 1').waitFor();
    await page.getByLabel('Search files').fill('NOTES');
    await file('week 1/notes.txt').waitFor();
    await page.getByLabel('Search files').fill('');
    await page.getByRole('button', { name: 'Delete syllabus.md' }).click();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete rules.md' }).click();
    await file('rules.md').waitFor({ state: 'detached' });
    // Whoever uploads a new one under the name of one that is being deleted keeps the new one.
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.method());
    });
    await page.getByTestId('file-input').setInputFiles(aFile('rules.md', 'the third'));
    await file('rules.md').waitFor();

    expect(changes).to.deep.equal(['DELETE', 'POST']);
    expect(asked).to.include('rules.md');
    expect(untouched).to.deep.include(['rules.md', 4]);
    expect(await readFile(await download.path(), 'utf8')).to.equal('deep');
    expect(download.suggestedFilename()).to.equal('notes.txt');
    expect(await list()).to.deep.equal([
      ['rules.md', 9],
      ['syllabus.md', 3],
      ['week 1/notes.txt', 4],
    ]);
    expect(complaints).to.deep.equal([]);
  });

  it('show names as text, whoever thought of them, and say why a file was not taken', async () => {
    const person = await aPerson(world.service);
    await upload(world.service, `${HOSTILE.replace('.md', '')}/${HOSTILE}`, 'x', { key: person.key });
    visitor = await signedIn(world.service, '/files', { as: person });
    const { page, complaints } = visitor;

    await page.getByTestId('folder').getByRole('link').click();
    await page.getByTestId('file').waitFor();
    const name = await page.getByTestId('file').textContent();
    await page.getByRole('button', { name: /^Delete "/ }).click();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download "/ }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    await page.route('**/lamb/v1/files', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 413, json: { error: { message: 'All your files may take 1 MB.' } } })
        : route.fallback(),
    );
    await page.getByTestId('file-input').setInputFiles(aFile('large.bin', 'x'));
    await page.getByTestId('upload').getByText('All your files may take 1 MB.').waitFor();

    expect(name).to.include('onerror');
    expect(text).to.equal('x');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints.filter((each) => !each.includes('413'))).to.deep.equal([]);
  });
});
