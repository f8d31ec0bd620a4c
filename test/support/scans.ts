import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { PDFDocument } from 'pdf-lib';

/** Pictures of text, as a scanner or a telephone makes them; drawn with a font that comes along with pdf.js. */

const FONT = 'for scans';
const SIZE = 40;

const require = createRequire(import.meta.url);

interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  readonly kind?: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** Lines in letters that are easy to read; the shorter the text, the faster it is recognised. */
export function aPictureOf(
  lines: readonly string[],
  { width = 1_240, height = 500, kind = 'image/png' }: PictureOptions = {},
): Buffer {
  if (!GlobalFonts.has(FONT))
    GlobalFonts.registerFromPath(
      require.resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
      FONT,
    );
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#222222';
  context.font = `${String(SIZE)}px "${FONT}"`;
  lines.forEach((line, at) => {
    context.fillText(line, 80, 100 + at * SIZE * 1.5);
  });
  return kind === 'image/png' ? canvas.toBuffer(kind) : canvas.toBuffer(kind, 90);
}

/** A PDF of pages that are one picture each; `undefined` for an empty page. */
export async function aScan(pages: readonly (readonly string[] | undefined)[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (const lines of pages) {
    const page = pdf.addPage([595, 240]);
    if (!lines) continue;
    const picture = await pdf.embedJpg(aPictureOf(lines, { kind: 'image/jpeg' }));
    page.drawImage(picture, { x: 0, y: 0, width: 595, height: 240 });
  }
  return Buffer.from(await pdf.save());
}
