import type { Canvas, Image } from '@napi-rs/canvas';
import { pictureFormat, pictureSize } from '../../../core/base/picture-format.js';
import type { ExtractedPage, PictureToDescribe } from '../../../core/knowledge/extracted.js';
import type { ReadFormat } from '../format.js';
import { pagesToMarkdown } from '../pdf/markdown.js';
import {
  hasNoTextInPicture,
  isDamaged,
  isPicture,
  isTooLargeAPicture,
  ocrIsNotInstalled,
  takesTooLong,
} from '../refusals.js';
import { createRecogniser } from './recogniser.js';
import { layOutWords } from './words.js';

const WHAT = 'picture';
/** What is larger takes hundreds of megabytes once it is unpacked, whatever the file has. */
const MOST_DOTS = 50_000_000;
const LONGEST_SIDE = 10_000;
/** A4 at 300 dots per inch: letters are read no better with more. */
const DOTS_TO_READ = 9_000_000;
/** Smaller letters are read better when they are made larger. */
const LARGEST_ZOOM = 2;
/** Models look at no more than that. */
const SIDE_TO_DESCRIBE = 1_568;

/** A picture as a document: what is written in it, and itself for a model that describes it. */
export const readPicture: ReadFormat = async ({ file, limits, onProgress, ocr, describe = false }) => {
  if (!ocr && !describe) throw isPicture();
  const size = soundSize(file.bytes);
  const { createCanvas, loadImage } = await loadCanvas();
  const image = await loadImage(file.bytes).catch(() => undefined);
  if (!image) throw isDamaged(WHAT);
  const drawn = (zoom: number) => draw(image, createCanvas, zoom);
  onProgress(20);
  const zoom = Math.min(LARGEST_ZOOM, Math.sqrt(DOTS_TO_READ / (size.width * size.height)));
  const pages: ExtractedPage[] = [];
  if (ocr) {
    const markdown = await textIn(drawn(zoom), { languages: ocr, ms: limits.ocrSecondsAPage * 1_000 });
    if (markdown !== '') pages.push({ page: undefined, markdown, origin: 'recognised' });
  }
  if (pages.length === 0 && !describe) throw hasNoTextInPicture();
  onProgress(90);
  const small = Math.min(1, SIDE_TO_DESCRIBE / Math.max(size.width, size.height));
  const picture: PictureToDescribe | undefined = describe
    ? { bytes: drawn(small).toBuffer('image/jpeg') }
    : undefined;
  return {
    ...{ format: 'picture', title: undefined, pages, pageCount: undefined, faults: [] },
    ...(picture && { picture }),
    ...(ocr ? {} : { needsOcr: true }),
  };
};

/** What draws is a package that may be missing. */
export async function loadCanvas(): Promise<typeof import('@napi-rs/canvas')> {
  try {
    return await import('@napi-rs/canvas');
  } catch {
    throw ocrIsNotInstalled();
  }
}

/** Half of a picture is drawn without a word, or ends the process: so it is looked at first whether it is whole. */
function soundSize(bytes: Buffer): { readonly width: number; readonly height: number } {
  const size = pictureSize(bytes);
  if (!size || size.width < 1 || size.height < 1) throw isDamaged(WHAT);
  const { width, height } = size;
  if (Math.max(width, height) > LONGEST_SIDE || width * height > MOST_DOTS)
    throw isTooLargeAPicture(width, height);
  if (!isWhole(bytes)) throw isDamaged(WHAT);
  return size;
}

function isWhole(bytes: Buffer): boolean {
  const kind = pictureFormat(bytes)?.extension;
  if (kind === 'png') return bytes.includes('IEND');
  // The end of the picture, after the last of its data.
  if (kind === 'jpg') return bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') > lastScanIn(bytes);
  return bytes.length >= bytes.readUInt32LE(4) + 8;
}

function lastScanIn(bytes: Buffer): number {
  const at = bytes.lastIndexOf('\xff\xda', undefined, 'latin1');
  return at < 0 ? bytes.length : at;
}

function draw(image: Image, create: (width: number, height: number) => Canvas, zoom: number): Canvas {
  const width = Math.max(1, Math.round(image.width * zoom));
  const height = Math.max(1, Math.round(image.height * zoom));
  const canvas = create(width, height);
  const context = canvas.getContext('2d');
  // Where nothing is painted, paper is white.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}

async function textIn(
  canvas: Canvas,
  { languages, ms }: { readonly languages: Parameters<typeof createRecogniser>[0]; readonly ms: number },
): Promise<string> {
  const recogniser = createRecogniser(languages);
  try {
    const words = await recogniser.read(canvas.toBuffer('image/png'), ms);
    if (!words) throw takesTooLong();
    return pagesToMarkdown([{ page: 1, ...layOutWords(words, canvas) }])[0]?.markdown ?? '';
  } finally {
    recogniser.close();
  }
}
