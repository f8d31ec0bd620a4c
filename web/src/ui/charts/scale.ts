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
