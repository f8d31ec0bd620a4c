import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { aPerson } from '../test/http/people.js';
import { endAll } from '../test/support/at-the-end.js';
import { PROJECT_ROOT } from '../test/support/child-process.js';
import { startService, type Service } from '../test/support/service.js';
import { aCollection, signedIn, type SomeDocument } from '../test/web/visiting.js';

/** Makes the pictures of the pages that the documentation shows, of a service that holds a small course. */
const FOLDER = join(PROJECT_ROOT, 'docs/images');
const COURSE: readonly SomeDocument[] = [
  {
    name: 'photosynthesis.md',
    text: '# Photosynthesis\n\n## Light reactions\n\nChlorophyll absorbs light in the thylakoids. Water is split, oxygen is set free, and the energy is kept in ATP and NADPH.\n\n## Calvin cycle\n\nIn the stroma, plants turn carbon dioxide into sugar with the energy of ATP and NADPH. No light is needed for this step itself.',
  },
  {
    name: 'cells.md',
    text: '# Cells\n\nCells are the smallest units of life. Plant cells have chloroplasts, where light becomes sugar; animal cells have none.\n\n# Respiration\n\nMitochondria burn sugar with oxygen, which gives the cell its energy.',
  },
  { name: 'timetable.csv', text: 'week,topic\n1,Cells\n2,Photosynthesis\n3,Respiration\n' },
  { name: 'empty.pdf', text: 'not a PDF at all' },
];

await mkdir(FOLDER, { recursive: true });
const service = await startService({ RATE_LIMIT: '0' });
try {
  for (const theme of ['light', 'dark'] as const) await picture(service, theme);
} finally {
  await endAll();
  await service.stop();
}

async function picture(of: Service, theme: 'light' | 'dark'): Promise<void> {
  const person = await aPerson(of);
  const names = ['Biology 101', 'Chemistry lab safety', 'Història contemporània'];
  const made = [];
  for (const name of names) made.push(await named(of, { person, name }, name === names[0] ? COURSE : []));
  const [biology = ''] = made;
  const { page, close } = await signedIn(of, '/knowledge', { as: person, theme });

  await page.getByTestId('collection-card').first().waitFor();
  await keep(page, `knowledge-${theme}`);
  await page.goto(`/knowledge/${biology}`);
  await page.getByTestId('document').first().waitFor();
  await keep(page, `knowledge-documents-${theme}`);
  await page.goto(
    `/knowledge/${biology}/ask?question=${encodeURIComponent('How do plants turn light into sugar?')}`,
  );
  await page.getByTestId('finding').first().waitFor();
  await keep(page, `knowledge-ask-${theme}`);
  await page.getByTestId('open-passage').first().click();
  await page.locator('[data-testid=passage][aria-current]').waitFor();
  await keep(page, `knowledge-passage-${theme}`);
  await close();
}

async function named(
  of: Service,
  { person, name }: { readonly person: Awaited<ReturnType<typeof aPerson>>; readonly name: string },
  documents: readonly SomeDocument[],
): Promise<string> {
  const { id } = await aCollection(of, person, documents);
  const body = { name, description: 'Notes and slides of the first term.' };
  await of.request(`/lamb/v1/collections/${id}`, { method: 'PUT', key: person.key, body });
  return id;
}

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
