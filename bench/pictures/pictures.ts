import { type Bar, barChart, significant } from './charts.js';
import { OURS } from '../contenders.js';
import type { Results } from '../results.js';

export interface Picture {
  /** In `docs/images/`. */
  readonly file: string;
  readonly svg: string;
  /** What it shows, for those who cannot see it. */
  readonly alt: string;
}

interface Wanted {
  readonly file: string;
  readonly measure: string;
  readonly title: string;
  readonly unit: string;
  readonly isLogarithmic?: boolean;
}

const WANTED: readonly Wanted[] = [
  {
    ...{ file: 'bench-burst.svg', measure: 'burstMs', unit: 'ms', isLogarithmic: true },
    title: 'CPU for a streamed chat of 200 chunks in one write',
  },
  {
    ...{ file: 'bench-paced.svg', measure: 'pacedUs', unit: 'µs' },
    title: 'CPU for one chunk of a paced stream',
  },
  {
    ...{ file: 'bench-tools.svg', measure: 'threeToolsMs', unit: 'ms', isLogarithmic: true },
    title: 'CPU for a chat that calls three tools',
  },
  {
    ...{ file: 'bench-first-token.svg', measure: 'firstChatMs', unit: 'ms' },
    title: 'How much later the first word of a chat comes',
  },
  {
    ...{ file: 'bench-memory.svg', measure: 'streamKb', unit: 'KB' },
    title: 'Memory for each of 500 open streams',
  },
  { file: 'bench-start.svg', measure: 'startMs', unit: 'ms', title: 'From being started to listening' },
];

export function picturesOf({ measures, titles }: Results): Picture[] {
  return WANTED.flatMap(({ file, measure, title, unit, isLogarithmic = false }) => {
    const figures = measures[measure];
    if (!figures) return [];
    const bars = Object.entries(figures)
      .map(([name, value]): Bar => ({ label: titles[name] ?? name, value, isOurs: name === OURS }))
      // Nothing that took no time can be drawn to a logarithmic scale.
      .filter(({ value }) => value > 0)
      .sort((a, b) => a.value - b.value);
    const told = bars.map(({ label, value }) => `${label} ${significant(value)} ${unit}`).join(', ');
    return [{ file, svg: barChart({ title, unit, bars, isLogarithmic }), alt: `${title}: ${told}` }];
  });
}
