/** What one storm came to: for the table at the end of `npm run test:replicas`. */
export interface Figures {
  readonly what: string;
  readonly blows: number;
  readonly told: number;
  readonly refused: number;
  readonly torn: number;
  readonly lost: number;
  readonly doubled: number;
}

const HEADINGS: Readonly<Record<keyof Figures, string>> = {
  ...{ what: 'of three replicas', blows: 'times', told: 'acknowledged', refused: '503' },
  ...{ torn: 'torn', lost: 'lost', doubled: 'doubled' },
};

export function tableOf(rows: readonly Figures[]): string {
  const keys = Object.keys(HEADINGS) as (keyof Figures)[];
  const lines = [HEADINGS, ...rows].map((row) => keys.map((key) => String(row[key])));
  const widths = keys.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))))
    .map((cells) => cells.join('  '))
    .join('\n');
}
