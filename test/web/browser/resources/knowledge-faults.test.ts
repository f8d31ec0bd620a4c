import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { aPdf, aZip } from '../../../support/documents.js';
import { collectionsOf } from '../../../http/support/collection-client.js';
import { sourcesOf, startPlaces } from '../../../http/support/source-client.js';
import { aPerson, inDatabase } from '../../../http/support/users-fixture.js';
import { createTestService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('what a knowledge base could not take in', function () {
  this.timeout(120_000);
  let world: TestService;
  let places: Awaited<ReturnType<typeof startPlaces>>;
  let visitor: Visitor;
  before(async () => {
    places = await startPlaces();
    const allowed = [places.site, places.git].map(({ url }) => new URL(url).host);
    world = await createTestService({ OUTBOUND_ALLOW: allowed.join(',') });
  });
  afterEach(() => visitor.close());
  after(async () => {
    await world.service.stop();
    await Promise.all([places.stop(), world.model.stop(), world.weather.stop()]);
  });

  it('is said in the language of the page, and in English where only that was kept', async () => {
    const person = await aPerson(world.service);
    const of = collectionsOf(world.service, person.key);
    const { id } = await of.make();
    const document = await of.takeIn(id, 'scan.pdf', await aPdf(['Text.', '', '', 'More.', '']));
    places.pages.set('/moved', { body: '', status: 302, location: 'http://127.0.0.1:9/x' });
    const sources = sourcesOf(world.service, person.key, id);
    await sources.make({ kind: 'web', settings: { url: `${places.site.url}/moved` } });
    const url = `${places.git.url}/school/notes.git`;
    await sources.make({ kind: 'git', settings: { url, branch: 'apuntes' } });

    visitor = await signedIn(world.service, `/knowledge/${id}`, { as: person, locale: 'es-ES' });
    const { page, complaints } = visitor;
    const said = (words: string) => page.getByText(words).filter({ visible: true }).waitFor();
    await page.getByText('1 observación').click();
    await said('Páginas sin texto: 2–3, 5. Están vacías, o son imágenes');
    await goTo(page, `/knowledge/${id}/documents/${document.id}`);
    await said('Páginas sin texto: 2–3, 5. Están vacías, o son imágenes');
    await goTo(page, `/knowledge/${id}/sources`);
    await said('El repositorio no tiene la rama «apuntes».');
    await page.getByText('Qué ha cambiado').click();
    await said('Se ha trasladado a otro lugar (127.0.0.1:9). Escribe esa dirección, si es la correcta.');
    const faults = await faultsInBothThemes(page);

    await inDatabase(world.service, async (_stores, db) => {
      await db('source_runs').update({ error_code: null, error_values: null });
    });
    await page.reload();
    await said('The branch "apuntes" of the repository was not found.');

    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('is said in the language of the page of files that were not taken at all, alone or in an archive', async () => {
    const person = await aPerson(world.service);
    const { id } = await collectionsOf(world.service, person.key).make();
    const inner = await aZip({ 'a.md': 'Text' });
    const mixed = await aZip({ 'a.md': 'Text', 'b.exe': 'MZ', 'c.zip': inner });
    visitor = await signedIn(world.service, `/knowledge/${id}`, { as: person, locale: 'es-ES' });
    const { page } = visitor;
    const uploaded = page.getByTestId('upload');
    const why: Record<string, string> = {};
    for (const [name, content, refused] of [
      ['virus.exe', Buffer.from('MZ'), ['virus.exe']],
      ['mixed.zip', mixed, ['b.exe', 'c.zip']],
      ['broken.zip', inner.subarray(0, 50), ['broken.zip']],
      ['nothing.zip', await aZip({ 'a.exe': 'MZ', 'b.zip': inner }), ['nothing.zip']],
    ] as const) {
      const file = { name, mimeType: 'application/octet-stream', buffer: content };
      await page.getByTestId('file-input').setInputFiles(file);
      for (const filename of refused) {
        const entry = uploaded.filter({ hasText: 'No enviado' }).filter({ hasText: filename });
        why[filename] = (await entry.getByRole('paragraph').textContent()) ?? '';
      }
    }

    expect(why).to.deep.equal({
      'virus.exe': 'No se admiten archivos de este tipo.',
      'b.exe': 'No se admiten archivos de este tipo.',
      'c.zip': 'Un archivo comprimido dentro de otro no se descomprime. Súbelo por separado.',
      'broken.zip':
        'El archivo está dañado o incompleto. Ábrelo en el programa con el que se hizo, guárdalo de nuevo y vuelve a enviarlo.',
      'nothing.zip': 'No se ha podido incorporar nada de este archivo comprimido.',
    });
  });
});
