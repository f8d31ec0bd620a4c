import { AppError } from '../../../core/errors.js';
import type { ReadFormat, Reading } from '../format.js';
import { pagesNotRecognised, pagesWithoutText, pageUnread } from '../part-faults.js';
import { hasTooManyPages, isDamaged, isScanned, ocrFoundNothing } from '../refusals.js';
import { cleanLine } from '../text.js';
import { linesInOrder } from './columns.js';
import type { LaidOutPage } from './headers-and-footers.js';
import { rowsOf } from './lines.js';
import { pagesToMarkdown } from './markdown.js';
import { openPdf, type Pdf, WHAT } from './open.js';
import { layersOf } from './runs.js';
import type { ScannedPages } from './scanned-pages.js';

/** After so many pages the fonts and objects that were kept for the next ones are let go. */
const PAGES_BETWEEN_CLEANUPS = 50;
/** In per cent: where reading the text that is there ends, and where recognising the rest does. */
const READ = 95;
const READ_BEFORE_OCR = 15;

export const readPdf: ReadFormat = async (reading) => {
  const pdf = await openPdf(reading.file.bytes);
  const { numPages } = pdf;
  if (numPages > reading.limits.pages) throw hasTooManyPages(numPages, reading.limits.pages);
  const { laidOut: read, unread } = await layOutAll(pdf, reading);
  if (unread.length === numPages) throw isDamaged(WHAT);

  const scans = reading.ocr ? await recogniseScans(pdf, read, reading) : NO_SCANS;
  const byPage = new Map(scans.recognised.map((page) => [page.page, page]));
  const laidOut = read.map((page) => byPage.get(page.page) ?? page);
  const withoutText = laidOut.filter(({ lines }) => lines.length === 0).map(({ page }) => page);
  if (withoutText.length + unread.length === numPages)
    throw reading.ocr ? ocrFoundNothing(numPages, scans.unread.length) : isScanned(numPages);

  const pages = pagesToMarkdown(laidOut)
    .filter(({ markdown }) => markdown !== '')
    .map((page) => (byPage.has(page.page) ? { ...page, origin: 'recognised' as const } : page));
  const heading = /^# (.+)$/m.exec(pages[0]?.markdown ?? '')?.[1];
  const title = (await titleIn(pdf)) ?? heading;
  const empty = withoutText.filter((page) => !scans.unread.includes(page));
  const faults = [
    ...unread.map(pageUnread),
    ...(scans.faults ?? pagesNotRecognised(scans.unread)),
    ...pagesWithoutText(empty, reading.ocr !== undefined),
  ];
  const needsOcr = !reading.ocr && empty.length > 0;
  return { format: 'pdf', title, pages, pageCount: numPages, faults, ...(needsOcr && { needsOcr }) };
};

async function layOutAll(
  pdf: Pdf,
  { onProgress, ocr }: Reading,
): Promise<{ readonly laidOut: readonly LaidOutPage[]; readonly unread: readonly number[] }> {
  const laidOut: LaidOutPage[] = [];
  const unread: number[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    try {
      laidOut.push(await layOut(pdf, page));
    } catch {
      unread.push(page);
    }
    if (page % PAGES_BETWEEN_CLEANUPS === 0) await pdf.cleanup();
    onProgress(((ocr ? READ_BEFORE_OCR : READ) * page) / pdf.numPages);
  }
  return { laidOut, unread };
}

const NO_SCANS: ScannedPages = { recognised: [], unread: [] };

async function recogniseScans(
  pdf: Pdf,
  read: readonly LaidOutPage[],
  { ocr: languages = [], limits, onProgress, onScans }: Reading,
): Promise<ScannedPages> {
  // Most PDFs have none, and are read without what draws pages.
  const { isProbablyScanned, recognisePages } = await import('./scanned-pages.js');
  const pages = read.filter(isProbablyScanned);
  if (pages.length === 0) return NO_SCANS;
  onScans(pages.length);
  try {
    return await recognisePages(pdf, pages, {
      languages,
      msAPage: limits.ocrSecondsAPage * 1_000,
      ms: 1_000 * Math.min(limits.ocrSeconds, pages.length * limits.ocrSecondsAPage),
      onPage: (done) => {
        onProgress(READ_BEFORE_OCR + ((READ - READ_BEFORE_OCR) * done) / pages.length);
      },
    });
  } catch (fault) {
    // What is not installed is no reason to leave the text that is there.
    const hasText = read.some(({ lines }) => lines.length > 0);
    if (!(fault instanceof AppError) || !hasText) throw fault;
    return { ...NO_SCANS, faults: [{ message: fault.message, code: fault.reason }] };
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
