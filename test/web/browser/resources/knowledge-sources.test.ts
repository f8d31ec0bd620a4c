import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { startPlaces } from '../../../http/support/source-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { createTestService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCollection, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('sources of a collection', function () {
  this.timeout(120_000);
  let world: TestService;
  let places: Awaited<ReturnType<typeof startPlaces>>;
  let visitor: Visitor;
  before(async () => {
    places = await startPlaces();
    world = await createTestService({ OUTBOUND_ALLOW: new URL(places.git.url).host });
  });
  after(async () => {
    await visitor.close();
    await world.service.stop();
    await Promise.all([places.stop(), world.model.stop(), world.weather.stop()]);
  });

  it('are added in plain words, say what they brought and when, and ask nothing while nothing happens', async () => {
    places.repository.files = new Map([
      ['notes/cells.md', 'Vacuoles store water.'],
      ['notes/dna.md', 'Helicase unwinds.'],
      ['notes/film.mp4', 'film'],
    ]);
    const person = await aPerson(world.service);
    const { id } = await aCollection(world.service, person);
    visitor = await signedIn(world.service, `/knowledge/${id}`, { as: person });
    const { page, complaints } = visitor;
    await page.clock.install();
    const source = page.getByTestId('source');
    const dialog = page.getByRole('dialog');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    await page.getByRole('link', { name: 'Sources' }).click();
    await page.getByRole('button', { name: 'Add a source' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Enter the address of a course').waitFor();
    await dialog.getByText('Moodle needs a token.').waitFor();
    await dialog.getByLabel('Git repository').check();
    await dialog.getByLabel('Address of the repository').fill(`${places.git.url}/school/notes.git`);
    const faults = await faultsInBothThemes(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await source.waitFor();
    await page.clock.runFor(5_000);
    await page.locator('[data-testid=source][data-state=idle]').waitFor();
    const first = await page.getByTestId('source-outcome').textContent();
    places.repository.files = new Map([['notes/cells.md', 'Vacuoles store sugar.']]);
    await source.getByRole('button', { name: 'Update now: school/notes' }).click();
    await page
      .getByTestId('source-outcome')
      .waitFor({ state: 'detached' })
      .catch(() => undefined);
    await page.clock.runFor(5_000);
    await page.getByText('1 changed, 1 removed').waitFor();
    await source.getByText('What changed').click();
    const told = await source.locator('details').innerText();
    faults.push(...(await faultsInBothThemes(page)));
    const before = asked.length;
    await page.clock.runFor(60_000);

    expect(first?.trim()).to.equal('now: 2 new');
    expect(told.split('\n').filter((line) => line.trim() !== '')).to.deep.equal([
      ...['What changed', 'Changed', 'cells.md', 'Removed', 'dna.md'],
    ]);
    expect(asked.slice(before)).to.deep.equal([]);
    await source.getByRole('button', { name: 'More about school/notes' }).click();
    await page.getByRole('menuitem', { name: 'Delete source' }).click();
    await dialog.getByLabel('Remove them').check();
    await dialog.getByRole('button', { name: 'Delete source' }).click();
    await page.getByText('No sources yet').waitFor();
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
