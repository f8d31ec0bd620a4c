/** What became of the rows of one kind; the shape in which an import reports. */
export interface ReportedKind {
  readonly title: string;
  readonly imported: number;
  readonly present: number;
  readonly skipped: number;
  readonly reasons: readonly ReportedNote[];
  readonly remarks: readonly ReportedNote[];
  readonly renumbered?: readonly { readonly from: number; readonly to: number; readonly name: string }[];
}

interface ReportedNote {
  readonly text: string;
  readonly count: number;
  readonly examples: readonly string[];
}

const MOST_RENUMBERED = 100;
const HEAD = ['', 'imported', 'already there', 'skipped'];

/** The table a person reads at the end, with every reason below it. */
export function importSummary(report: readonly ReportedKind[]): string {
  const rows = report.map(({ title, imported, present, skipped }) =>
    [title, imported, present, skipped].map(String),
  );
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ')}`;

  return [
    line(HEAD),
    ...rows.map(line),
    ...section('Skipped, and why', report, ({ reasons }) => reasons),
    ...section('Good to know', report, ({ remarks }) => remarks),
    ...report.flatMap(newNumbers),
  ].join('\n');
}

/** For whoever has the old numbers in a script, or in other software. */
function newNumbers({ title, renumbered = [] }: ReportedKind): string[] {
  if (renumbered.length === 0) return [];
  const lines = renumbered
    .slice(0, MOST_RENUMBERED)
    .map(({ from, to, name }) => `  lamb_assistant.${String(from)} → lamb_assistant.${String(to)}   ${name}`);
  const more = renumbered.length - lines.length;
  return [
    '',
    `Another number here, because the old one is taken (${title})`,
    ...lines,
    ...(more > 0 ? [`  and ${String(more)} more: --report writes them all`] : []),
  ];
}

function section(
  title: string,
  report: readonly ReportedKind[],
  notesOf: (kind: ReportedKind) => readonly ReportedNote[],
): string[] {
  const lines = report.flatMap((kind) => notesOf(kind).map((note) => `  ${kind.title}: ${told(note)}`));
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function told({ text, count, examples }: ReportedNote): string {
  const more = count > examples.length ? ', …' : '';
  return `${String(count)} × ${text} (${examples.join(', ')}${more})`;
}
