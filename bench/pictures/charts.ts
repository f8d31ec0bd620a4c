/** Small charts as SVG text. Colours and greys are chosen to be read on white and on black alike. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Drawn in the colour that stands out. */
  readonly isOurs?: boolean;
}

export interface BarChart {
  readonly title: string;
  /** What a number counts, such as `ms`; put behind it. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** Where values are far apart; the lengths are then no longer in proportion, which the title says. */
  readonly isLogarithmic?: boolean;
  /** A line across all bars. */
  readonly mark?: { readonly label: string; readonly value: number };
}

export interface Series {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export const WIDTH = 760;
const LABELS = 220;
const NUMBERS = 110;
const BAR_HEIGHT = 22;
const BAR_STEP = 32;
export const TOP = 48;
const OURS = '#2f81f7';
export const THEIRS = '#8b949e';
const MARK = '#d29922';
export const LINES = [OURS, '#d29922', '#3fb950', '#db61a2', '#a371f7'];

const STYLE = `<style>text{font:14px system-ui,sans-serif;fill:#6e7781}.title{font-weight:600;font-size:16px}@media(prefers-color-scheme:dark){text{fill:#adbac7}}</style>`;

/** Horizontal bars, in the order they are given. */
export function barChart({ title, unit, bars, isLogarithmic = false, mark }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value), mark?.value ?? 0);
  const least = Math.min(...bars.map(({ value }) => value), mark?.value ?? Infinity);
  const room = WIDTH - LABELS - NUMBERS;
  // The shortest bar of a logarithmic chart is still a bar.
  const floor = Math.log10(least) - 0.3;
  const lengthOf = (value: number) =>
    isLogarithmic ? (room * (Math.log10(value) - floor)) / (Math.log10(most) - floor) : (room * value) / most;
  const height = TOP + bars.length * BAR_STEP + (mark ? 24 : 8);
  const body = bars.map(({ label, value, isOurs }, i) => {
    const y = TOP + i * BAR_STEP;
    const length = Math.max(1, lengthOf(value));
    return [
      text(LABELS - 10, y + 16, label, 'end'),
      `<rect x="${String(LABELS)}" y="${String(y)}" width="${round(length)}" height="${String(BAR_HEIGHT)}" rx="3" fill="${isOurs ? OURS : THEIRS}"/>`,
      text(LABELS + length + 8, y + 16, `${significant(value)} ${unit}`),
    ].join('');
  });
  const line = mark ? markLine(mark.label, LABELS + lengthOf(mark.value), height) : '';
  const heading = isLogarithmic ? `${title} (logarithmic)` : title;
  return svg(height, heading, [...body, line].join('\n'));
}

export function svg(height: number, title: string, body: string): string {
  const size = `width="${String(WIDTH)}" height="${String(height)}" viewBox="0 0 ${String(WIDTH)} ${String(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}">\n${STYLE}\n<text x="8" y="22" class="title">${escaped(title)}</text>\n${body}\n</svg>\n`;
}

function markLine(label: string, x: number, height: number): string {
  return `<line x1="${round(x)}" x2="${round(x)}" y1="${String(TOP - 6)}" y2="${String(height - 18)}" stroke="${MARK}" stroke-width="2" stroke-dasharray="4 3"/>${text(x, height - 4, label, 'middle')}`;
}

export function text(x: number, y: number, words: string, anchor = 'start'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

export const round = (value: number) => String(Math.round(value * 10) / 10);

/** Three digits say all that a chart can. */
export function significant(value: number): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return String(Number(value.toFixed(Math.min(decimals, 6))));
}

export function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

function escaped(words: string): string {
  return words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
