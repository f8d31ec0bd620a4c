/** Round numbers for an axis from nothing to at least `most`: at most five, the last is its end. */
export function ticksUpTo(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step - 1e-9);
  // Multiplied and not added up: 0.1 + 0.2 is not 0.3.
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** From so many times the next highest on, a bar would press all others flat. */
const OUTLIER = 5;

/** What an axis has to reach: the highest value, unless it is alone up there. Then it is drawn cut off. */
export function heightOf(values: readonly number[]): number {
  const [first = 0, second = 0] = [...values].sort((a, b) => b - a);
  return second > 0 && first > OUTLIER * second ? second * 1.25 : first;
}

export const averageOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / Math.max(values.length, 1);

/** Each with the average of the week around it, twice: a single high day is a hill and no table. */
export const smoothed = (values: readonly number[]): readonly number[] => weekly(weekly(values));

const weekly = (values: readonly number[]) =>
  values.map((_, i) => averageOf(values.slice(Math.max(i - 3, 0), i + 4)));

export type Point = readonly [x: number, y: number];

/** A line over rolling hills: it bends between the points, and never goes beyond them. */
export function hillsOver(points: readonly Point[]): string {
  return points
    .map(([x, y], i) => {
      const [fromX, fromY] = points[i - 1] ?? [x, y];
      const middle = (fromX + x) / 2;
      return i === 0 ? `M${drawn(x, y)}` : `C${drawn(middle, fromY, middle, y, x, y)}`;
    })
    .join('');
}

/** Stands on the ground, round above. */
export function barOn(ground: number, { x, y, width }: { x: number; y: number; width: number }): string {
  const round = Math.min(width / 2, 6, ground - y);
  const [left, right] = [drawn(x), drawn(x + width)];
  return `M${drawn(x, ground)}V${drawn(y + round)}Q${left} ${drawn(y, x + round, y)}H${drawn(x + width - round)}Q${right} ${drawn(y, x + width, y + round)}V${drawn(ground)}Z`;
}

/** How text at a place stays within the picture. */
export function anchorOf(
  x: number,
  room: number,
  { left, width }: { readonly left: number; readonly width: number },
): 'start' | 'middle' | 'end' {
  if (x + room > width) return 'end';
  return x - room < left ? 'start' : 'middle';
}

const drawn = (...numbers: readonly number[]) =>
  numbers.map((each) => String(Math.round(each * 10) / 10)).join(' ');
