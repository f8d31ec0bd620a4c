import type { PartFault } from '../../core/knowledge/document.js';
import type { ExtractedPage } from '../../core/knowledge/extracted.js';
import type { ReadFormat } from './format.js';
import { readXml, relationsOf, titleOf } from './office-xml.js';
import { openZip, type SafeZip } from './office-zip.js';
import { hasTooManyPages, isDamaged } from './refusals.js';
import { notesToMarkdown, slideToMarkdown } from './slide-to-markdown.js';
import { cleanLine } from './text.js';

const WHAT = 'PowerPoint presentation';

/** One page for each slide, in the order in which they are shown. */
export const readPptx: ReadFormat = async ({ file, limits, onProgress }) => {
  const zip = await openZip(file.path, { most: limits.unpackedBytes, what: WHAT });
  try {
    const slides = await slidesOf(zip);
    if (slides.length > limits.pages) throw hasTooManyPages(slides.length, limits.pages, 'slides');
    const pages: ExtractedPage[] = [];
    const faults: PartFault[] = [];
    let broken: unknown;
    for (const [at, part] of slides.entries()) {
      const page = at + 1;
      try {
        pages.push({ page, markdown: await readSlide(zip, part) });
      } catch (fault) {
        broken ??= fault;
        faults.push({ page, message: `Slide ${String(page)} could not be read.` });
      }
      onProgress((100 * page) / slides.length);
    }
    if (pages.length === 0 && broken !== undefined) throw broken as Error;
    const heading = /^# (.+)$/m.exec(pages[0]?.markdown ?? '')?.[1];
    const title = (await titleOf(zip)) ?? heading;
    return { format: 'pptx', title, pages, pageCount: slides.length, faults };
  } finally {
    zip.close();
  }
};

async function slidesOf(zip: SafeZip): Promise<readonly string[]> {
  const main = (await relationsOf(zip, '')).find(({ kind }) => kind === 'officeDocument')?.target;
  if (main === undefined || !zip.has(main)) throw isDamaged(WHAT);
  const targets = new Map((await relationsOf(zip, main)).map(({ id, target }) => [id, target]));
  const $ = await readXml(zip, main);
  return $('p\\:sldIdLst > p\\:sldId')
    .toArray()
    .map((each) => targets.get($(each).attr('r:id') ?? '') ?? '');
}

async function readSlide(zip: SafeZip, part: string): Promise<string> {
  const relations = await relationsOf(zip, part);
  const drawings = await Promise.all(
    relations
      .filter(({ kind, target }) => kind === 'diagramData' && zip.has(target))
      .map(async ({ id, target }) => [id, await drawingTexts(zip, target)] as const),
  );
  const slide = slideToMarkdown(await readXml(zip, part), new Map(drawings));
  const notes = relations.find(({ kind, target }) => kind === 'notesSlide' && zip.has(target));
  const said = notes ? notesToMarkdown(await readXml(zip, notes.target)) : '';
  return [slide, said].filter((text) => text !== '').join('\n\n');
}

/** The texts in the shapes of a drawing, which lies in a file of its own. */
async function drawingTexts(zip: SafeZip, part: string): Promise<readonly string[]> {
  const $ = await readXml(zip, part);
  return $('dgm\\:t')
    .toArray()
    .map((each) => cleanLine($(each).text()))
    .filter((text) => text !== '');
}
