import { getDocumentProxy } from 'unpdf';
import type { PartFault } from '../../../core/knowledge/document.js';
import type { ReadFormat } from '../format.js';
import { hasTooManyPages, isDamaged, isScanned, needsPassword } from '../refusals.js';
import { cleanLine } from '../text.js';
import { linesInOrder } from './columns.js';
import type { LaidOutPage } from './headers-and-footers.js';
import { rowsOf } from './lines.js';
import { pagesToMarkdown } from './markdown.js';
import { layersOf } from './runs.js';

const WHAT = 'PDF';
/** After so many pages the fonts and objects that were kept for the next ones are let go. */
const PAGES_BETWEEN_CLEANUPS = 50;

export const readPdf: ReadFormat = async ({ file, limits, onProgress }) => {
  const pdf = await open(file.bytes);
  if (pdf.numPages > limits.pages) throw hasTooManyPages(pdf.numPages, limits.pages);
  const laidOut: LaidOutPage[] = [];
  const unread: number[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    try {
      laidOut.push(await layOut(pdf, page));
    } catch {
      unread.push(page);
    }
    if (page % PAGES_BETWEEN_CLEANUPS === 0) await pdf.cleanup();
    onProgress((95 * page) / pdf.numPages);
  }
  if (unread.length === pdf.numPages) throw isDamaged(WHAT);
  const withoutText = laidOut.filter(({ lines }) => lines.length === 0).map(({ page }) => page);
  if (withoutText.length + unread.length === pdf.numPages) throw isScanned(pdf.numPages);

  const pages = pagesToMarkdown(laidOut).filter(({ markdown }) => markdown !== '');
  const heading = /^# (.+)$/m.exec(pages[0]?.markdown ?? '')?.[1];
  const title = (await titleIn(pdf)) ?? heading;
  const faults = [...unread.map(unreadPage), ...pagesWithoutText(withoutText)];
  return { format: 'pdf', title, pages, pageCount: pdf.numPages, faults };
};

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Buffer): Promise<Pdf> {
  try {
    // Nothing in it is run, and no font is looked for elsewhere.
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      ...{ isEvalSupported: false, useSystemFonts: false, disableFontFace: true, enableXfa: false },
      verbosity: 0,
    });
  } catch (fault) {
    throw fault instanceof Error && fault.name === 'PasswordException'
      ? needsPassword(WHAT)
      : isDamaged(WHAT);
  }
}

async function layOut(pdf: Pdf, number: number): Promise<LaidOutPage> {
  const page = await pdf.getPage(number);
  try {
    const layers = await layersOf(page);
    const lines = layers.flatMap(({ runs }) => linesInOrder(rowsOf(runs)));
    return { page: number, height: layers[0]?.height ?? 1, lines };
  } finally {
    page.cleanup();
  }
}

async function titleIn(pdf: Pdf): Promise<string | undefined> {
  try {
    const { info } = await pdf.getMetadata();
    const named = (info as { readonly Title?: unknown }).Title;
    const title = cleanLine(typeof named === 'string' ? named : '').replace(/^Microsoft \w+ - /, '');
    // Many programs put the name of the file they printed there.
    return /^(?:(?:untitled|unbenannt|document|dokument)\s*\d*|\S+\.\w{2,5})?$/i.test(title)
      ? undefined
      : title;
  } catch {
    return undefined;
  }
}

function unreadPage(page: number): PartFault {
  return { page, message: `Page ${String(page)} could not be read.` };
}

function pagesWithoutText(pages: readonly number[]): PartFault[] {
  if (pages.length === 0) return [];
  const has = pages.length === 1 ? 'has' : 'have';
  const message = `${pagesInWords(pages)} ${has} no text: empty, or a picture that needs text recognition (OCR) first.`;
  return [{ page: pages[0], message }];
}

const MOST_RANGES = 20;

/** Page numbers in order as words, such as "Pages 3–7, 9 and 12". */
function pagesInWords(pages: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .map(({ first, last }) => (first === last ? String(first) : `${String(first)}–${String(last)}`));
  if (ranges.length > MOST_RANGES) shown.push('others');
  const words =
    shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}` : shown.join('');
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${words}`;
}
