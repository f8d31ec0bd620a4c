import type { Line } from './lines.js';

/** One page's lines, with how high it is. */
export interface LaidOutPage {
  readonly page: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

const FEWEST_PAGES = 3;
/** Less than half, as left and right pages may differ. */
const SHARE_OF_PAGES = 0.4;
/** So many lines at the top and at the bottom may be such. */
const EDGE = 3;
const LARGEST = 1.1;
const LONGEST = 200;
/** Of the height of a page. */
const MARGIN = 0.08;

/** Takes away headers, footers and page numbers: small lines at the same edge of many pages that go with the pages. */
export function dropRunningLines(pages: readonly LaidOutPage[], bodySize: number): readonly LaidOutPage[] {
  const keys = pages.map(
    (page) => new Map(edgesOf(page, bodySize).map((line) => [line, keysOf(line, page)] as const)),
  );
  const counts = new Map<string, number>();
  for (const key of keys.flatMap((each) => [...new Set([...each.values()].flat())])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = Math.max(FEWEST_PAGES, SHARE_OF_PAGES * pages.length);
  const runsAlong = (key: string) => (counts.get(key) ?? 0) >= enough;
  return pages.map((page, at) => ({
    ...page,
    lines: page.lines.filter((line) => keys[at]?.get(line)?.some(runsAlong) !== true),
  }));
}

function edgesOf({ lines }: LaidOutPage, bodySize: number): readonly Line[] {
  const sorted = [...lines].sort((a, b) => a.y - b.y);
  const edges = new Set([...sorted.slice(0, EDGE), ...sorted.slice(-EDGE)]);
  return [...edges].filter((line) => line.size <= bodySize * LARGEST);
}

/** Lines of two pages share one if they stand at the same height and say the same, but for a number that counts the pages. */
function keysOf(line: Line, { page, height }: LaidOutPage): readonly string[] {
  const place = String(Math.round((50 * line.y) / height));
  const relative = (number: string) => `<${String(Number(number) - page)}>`;
  const keys = [/^[ivxlc]{1,7}$/i.test(line.text) ? `${place} in Roman` : `${place} ${line.text}`];
  // Beside other words too, if it stands apart from them.
  const apart = [line.pieces[0], line.pieces.at(-1)].find((piece) => /^\d{1,5}$/.test(piece?.text ?? ''));
  if (apart) keys.push(`${place} beside ${relative(apart.text)}`);
  // Elsewhere a line such as "Exercise 3" may be worth reading.
  if (line.y < MARGIN * height || line.y > (1 - MARGIN) * height) {
    for (const { 0: number, index } of line.text.slice(0, LONGEST).matchAll(/\d{1,5}/g)) {
      const after = line.text.slice(index + number.length);
      keys.push(`${place} ${line.text.slice(0, index)}${relative(number)}${after}`);
    }
  }
  return keys;
}
