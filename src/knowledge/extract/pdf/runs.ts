import { directionOfMost } from './direction.js';
import { type FilledIn, filledIn } from './filled-in.js';
import type { PdfPage } from './open.js';

/** Some letters in a row on a page that is held so that they are upright; y grows downwards. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly isCode: boolean;
  /** Seen in a mirror, as a page is that is read from right to left: its lines and columns begin where x is least. */
  readonly isMirrored: boolean;
}

/** Text of one direction. */
export interface Layer {
  readonly runs: readonly Run[];
  /** How far the page reaches in this direction. */
  readonly height: number;
}

/** Farther from upright or from a quarter turn than this it is neither: a watermark, most likely. */
const ASKEW = Math.PI / 18;

/** The text of a page, what is written in the direction of most of it first. */
export async function layersOf(page: PdfPage): Promise<readonly Layer[]> {
  const { items, styles } = await page.getTextContent();
  const { transform, width, height } = page.getViewport({ scale: 1 });
  const turned = new Map<number, Run[]>();
  const written = items.filter((item) => 'str' in item).filter(({ str }) => str.trim() !== '');
  for (const item of [...written, ...(await typedInto(page, written))]) {
    if (item.str.trim() === '') continue;
    const { quarter, ...place } = placeOf(item.transform as number[], {
      transform: transform,
      width,
      height,
    });
    const run = {
      ...place,
      text: item.str,
      width: item.width,
      isCode: 'fontName' in item && styles[item.fontName]?.fontFamily === 'monospace',
      isMirrored: false,
    };
    const runs = turned.get(quarter);
    if (runs) runs.push(run);
    else turned.set(quarter, [run]);
  }
  return [...turned]
    .map(([quarter, runs]) => ({
      runs: directionOfMost(runs) === 'rtl' ? runs.map(inMirror) : runs,
      height: quarter % 2 === 0 ? height : width,
    }))
    .sort((a, b) => lettersIn(b) - lettersIn(a));
}

/** Nothing where the page itself says nothing: it is a scan, whatever was typed on it. */
async function typedInto(
  page: PdfPage,
  written: readonly { readonly height: number }[],
): Promise<readonly FilledIn[]> {
  const heights = written.map(({ height }) => height).filter((height) => height > 0);
  const usual = heights.sort((a, b) => a - b)[Math.floor(heights.length / 2)];
  return usual === undefined ? [] : await filledIn(page, usual);
}

function inMirror(run: Run): Run {
  return { ...run, x: -(run.x + run.width), isMirrored: true };
}

interface Sheet {
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

function placeOf(text: readonly number[], { transform, width, height }: Sheet) {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  const along = (x: number, y: number) => ({ x: a * x + c * y, y: b * x + d * y });
  const [ta = 1, tb = 0, tc = 0, td = 1, te = 0, tf = 0] = text;
  const direction = along(ta, tb);
  const up = along(tc, td);
  const at = along(te, tf);
  const x = at.x + e;
  const y = at.y + f;
  const size = Math.hypot(up.x, up.y) || 1;
  const angle = Math.atan2(direction.y, direction.x);
  const nearest = Math.round(angle / (Math.PI / 2));
  if (Math.abs(angle - nearest * (Math.PI / 2)) > ASKEW) return { x, y, size, quarter: 4 };
  const quarter = (nearest + 4) % 4;
  if (quarter === 1) return { x: y, y: width - x, size, quarter };
  if (quarter === 2) return { x: width - x, y: height - y, size, quarter };
  if (quarter === 3) return { x: height - y, y: x, size, quarter };
  return { x, y, size, quarter };
}

function lettersIn({ runs }: Layer): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}
