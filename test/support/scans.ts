import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { PDFDocument } from 'pdf-lib';

/** Pictures of text, as a scanner or a telephone makes them; drawn with a font that comes along with pdf.js. */

const FONT = 'for scans';
const SIZE = 40;
/** Of a picture, as long as nothing else is asked for: room for three lines, as what is empty takes time to look through, too. */
const [WIDTH, HEIGHT] = [640, 280];
/** A page of it, on which the letters have the size of printed ones. */
const POINTS_PER_DOT = 0.48;

const require = createRequire(import.meta.url);

interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  readonly kind?: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** Lines in letters that are easy to read; the shorter the text, the faster it is recognised. */
export function aPictureOf(
  lines: readonly string[],
  { width = WIDTH, height = HEIGHT, kind = 'image/png' }: PictureOptions = {},
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
    context.fillText(line, SIZE, 2 * SIZE + at * SIZE * 1.5);
  });
  return kind === 'image/png' ? canvas.toBuffer(kind) : canvas.toBuffer(kind, 90);
}

/** A PDF of pages that are one picture each; `undefined` for an empty page. */
export async function aScan(pages: readonly (readonly string[] | undefined)[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const size = { width: WIDTH * POINTS_PER_DOT, height: HEIGHT * POINTS_PER_DOT };
  for (const lines of pages) {
    const page = pdf.addPage([size.width, size.height]);
    if (!lines) continue;
    const picture = await pdf.embedJpg(aPictureOf(lines, { kind: 'image/jpeg' }));
    page.drawImage(picture, { x: 0, y: 0, ...size });
  }
  return Buffer.from(await pdf.save());
}
