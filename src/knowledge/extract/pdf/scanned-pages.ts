import { OPS } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import type { PartFault } from '../../../core/knowledge/document.js';
import type { OcrLanguage } from '../../../core/knowledge/extracted.js';
import { loadCanvas } from '../ocr/picture.js';
import { createRecogniser } from '../ocr/recogniser.js';
import { layOutWords } from '../ocr/words.js';
import type { LaidOutPage } from './headers-and-footers.js';
import type { Pdf } from './open.js';

/** A4 at 300 dots per inch; on larger sheets letters are larger, or there are too many of them to read anyway. */
const DOTS_PER_POINT = 300 / 72;
const MOST_DOTS = 9_000_000;
const LONGEST_SIDE = 10_000;
/** A stamp such as "Scanned with …" or a page number is not what is written on the page. */
const FEW_LETTERS = 60;
const MUCH_MORE = 2;

export function isProbablyScanned(page: LaidOutPage): boolean {
  return lettersOn(page) <= FEW_LETTERS;
}

export interface ScannedPages {
  /** Those on which more was recognised than stood on them as text. */
  readonly recognised: readonly LaidOutPage[];
  /** Those for which no time was left, or that could not be drawn. */
  readonly unread: readonly number[];
  /** Why none was tried. */
  readonly faults?: readonly PartFault[];
}

export interface RecognisingOptions {
  readonly languages: readonly OcrLanguage[];
  /** For a page, and for all of them. */
  readonly msAPage: number;
  readonly ms: number;
  readonly onPage: (done: number) => void;
}

/** Draws pages and reads what is written on the pictures, until the time is up. */
export async function recognisePages(
  pdf: Pdf,
  pages: readonly LaidOutPage[],
  { languages, msAPage, ms, onPage }: RecognisingOptions,
): Promise<ScannedPages> {
  const recogniser = createRecogniser(languages);
  const until = Date.now() + ms;
  const recognised: LaidOutPage[] = [];
  const unread: number[] = [];
  try {
    for (const [at, page] of pages.entries()) {
      onPage(at);
      if (page.lines.length > 0 && !(await hasPicture(pdf, page.page))) continue;
      const left = Math.min(msAPage, until - Date.now());
      const found = left > 0 ? await recognise(pdf, page, { recogniser, ms: left }) : undefined;
      if (!found) unread.push(page.page);
      else if (lettersOn(found) > MUCH_MORE * lettersOn(page)) recognised.push(found);
    }
    onPage(pages.length);
  } finally {
    recogniser.close();
  }
  return { recognised, unread };
}

const PICTURES: readonly number[] = [
  ...[OPS.paintImageXObject, OPS.paintImageXObjectRepeat, OPS.paintInlineImageXObject],
  ...[OPS.paintInlineImageXObjectGroup, OPS.paintImageMaskXObject, OPS.paintImageMaskXObjectGroup],
];

/** A page with few words and no picture has few words. */
async function hasPicture(pdf: Pdf, number: number): Promise<boolean> {
  try {
    const { fnArray } = await (await pdf.getPage(number)).getOperatorList();
    return fnArray.some((operator) => PICTURES.includes(operator));
  } catch {
    return false;
  }
}

async function recognise(
  pdf: Pdf,
  { page }: LaidOutPage,
  { recogniser, ms }: { readonly recogniser: ReturnType<typeof createRecogniser>; readonly ms: number },
): Promise<LaidOutPage | undefined> {
  const until = Date.now() + ms;
  const drawn = await draw(pdf, page, ms).catch(() => undefined);
  const words = drawn && (await recogniser.read(drawn.png, until - Date.now()));
  return words && { page, ...layOutWords(words, drawn) };
}

interface DrawnPage {
  readonly png: Buffer;
  /** In dots. */
  readonly height: number;
}

async function draw(pdf: Pdf, number: number, ms: number): Promise<DrawnPage> {
  const { createCanvas } = await loadCanvas();
  const page = await pdf.getPage(number);
  try {
    const { width, height } = page.getViewport({ scale: 1 });
    const dotsPerPoint = Math.min(
      DOTS_PER_POINT,
      Math.sqrt(MOST_DOTS / (width * height)),
      LONGEST_SIDE / Math.max(width, height),
    );
    const viewport = page.getViewport({ scale: dotsPerPoint });
    const canvas = createCanvas(
      Math.max(1, Math.ceil(viewport.width)),
      Math.max(1, Math.ceil(viewport.height)),
    );
    // Their types are those of a browser, which this one has the methods of.
    const drawing = page.render({ canvas: canvas as never, viewport, background: '#ffffff' });
    const timer = setTimeout(() => {
      drawing.cancel();
    }, ms);
    await drawing.promise.finally(() => {
      clearTimeout(timer);
    });
    return { png: canvas.toBuffer('image/png'), height: canvas.height };
  } finally {
    page.cleanup();
  }
}

function lettersOn({ lines }: LaidOutPage): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}
