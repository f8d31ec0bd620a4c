import { safeLabel } from '../../src/core/base/text.js';

/** What became of one row. */
export interface RowResult {
  readonly outcome: 'imported' | 'present' | 'skipped';
  /** Names the row to whoever looks for it. */
  readonly example: string;
  /** Why it was skipped. */
  readonly reason?: string;
  /** What is worth knowing about a row that came over. */
  readonly remarks: readonly string[];
}

export interface Note {
  readonly text: string;
  readonly count: number;
  /** The first few it is about. */
  readonly examples: readonly string[];
}

/** Came over under another number than it had. */
export interface Renumbered {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

export interface KindReport {
  readonly title: string;
  readonly imported: number;
  readonly present: number;
  readonly skipped: number;
  readonly reasons: readonly Note[];
  readonly remarks: readonly Note[];
  /** Of all imports from this installation, where numbers mean anything to others. */
  readonly renumbered?: readonly Renumbered[];
}

export type ImportReport = readonly KindReport[];

const MOST_EXAMPLES = 5;

/** Counts, with a few examples of each reason: as small for a million rows as for ten. */
export interface Tally {
  add(result: RowResult): void;
  remark(text: string, example: string): void;
  report(): KindReport;
}

export function createTally(title: string): Tally {
  const counts = { imported: 0, present: 0, skipped: 0 };
  const reasons = createNotes();
  const remarks = createNotes();
  return {
    add({ outcome, example, reason, remarks: worthKnowing }) {
      counts[outcome]++;
      if (reason !== undefined) reasons.add(reason, example);
      for (const remark of worthKnowing) remarks.add(remark, example);
    },
    remark: remarks.add,
    report: () => ({ title, ...counts, reasons: reasons.all(), remarks: remarks.all() }),
  };
}

function createNotes() {
  const notes = new Map<string, { count: number; examples: string[] }>();
  return {
    add(text: string, example: string) {
      const note = notes.get(text) ?? { count: 0, examples: [] };
      note.count++;
      if (note.examples.length < MOST_EXAMPLES) note.examples.push(safeLabel(example));
      notes.set(text, note);
    },
    all: (): Note[] => [...notes].map(([text, note]) => ({ text, ...note })),
  };
}
