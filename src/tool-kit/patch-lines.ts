/** One change of a patch, in the words of the model. Lines are those of the file as it was before the patch. */
export interface LineChange {
  /** From 1 on. */
  readonly line_start: number;
  /** Inclusive; one less than `line_start` inserts before it. */
  readonly line_end: number;
  readonly old_content: string;
  /** Whole lines; its own line endings do not matter, and nothing at all takes the lines away. */
  readonly new_content: string;
}

export type PatchOutcome =
  | { readonly ok: true; readonly text: string }
  /** `stale`: the lines are not what the change takes them for. */
  | { readonly ok: false; readonly stale: boolean; readonly reason: string };

interface Line {
  readonly text: string;
  /** Empty at the end of a text that does not end with a line break. */
  readonly ending: string;
}

interface Placed extends LineChange {
  /** How it is spoken of. */
  readonly name: string;
}

const BOM = '\uFEFF';

/** Applies all changes or none. Line endings, a byte order mark and how the text ends stay as they were. */
export function patchLines(original: string, changes: readonly LineChange[]): PatchOutcome {
  const bom = original.startsWith(BOM) ? BOM : '';
  const lines = linesOf(original.slice(bom.length));
  const ordered = inOrder(changes);
  const refusal = refusalOf(ordered, lines);
  if (refusal) return refusal;
  return { ok: true, text: bom + joined(changedLines(lines, ordered), endingsFor(lines, ordered)) };
}

/** Of changes at one place insertions come first, in the order they were given. */
function inOrder(changes: readonly LineChange[]): Placed[] {
  return changes
    .map((change, i) => ({ ...change, name: `Change ${String(i + 1)} (${rangeOf(change)})` }))
    .sort((a, b) => a.line_start - b.line_start || Number(isInsertion(b)) - Number(isInsertion(a)));
}

/** "line 3", "lines 3–5" or "before line 3". */
export function rangeOf({ line_start, line_end }: Pick<LineChange, 'line_start' | 'line_end'>): string {
  if (line_end === line_start) return `line ${String(line_start)}`;
  if (line_end === line_start - 1) return `before line ${String(line_start)}`;
  return `lines ${String(line_start)}–${String(line_end)}`;
}

function isInsertion({ line_start, line_end }: LineChange): boolean {
  return line_end === line_start - 1;
}

function refusalOf(ordered: readonly Placed[], lines: readonly Line[]): PatchOutcome | undefined {
  let free = 1;
  for (const change of ordered) {
    const reason = faultOf(change, lines.length, free);
    if (reason !== undefined) return { ok: false, stale: false, reason: `${change.name} ${reason}.` };
    if (!isAsExpected(change, lines)) {
      const reason = `${change.name}: the file does not hold old_content there. Read it again; line numbers are those of the file before the patch.`;
      return { ok: false, stale: true, reason };
    }
    free = Math.max(free, change.line_end + 1);
  }
  return undefined;
}

function faultOf(change: Placed, count: number, free: number): string | undefined {
  const { line_start, line_end, new_content } = change;
  if (!Number.isInteger(line_start) || !Number.isInteger(line_end)) return 'has no whole line numbers';
  if (line_start < 1) return 'begins before line 1';
  if (line_end < line_start - 1) return 'ends before it begins';
  if (line_end > count || line_start > count + 1)
    return `is outside the file, which has ${String(count)} ${count === 1 ? 'line' : 'lines'}`;
  if (line_start < free) return 'overlaps another change';
  if (/[\0\p{Cs}]/u.test(new_content)) return 'brings in what is no text';
  return undefined;
}

/** As the lines joined, with or without a line break at the end, in whatever style of line break. */
function isAsExpected(change: LineChange, lines: readonly Line[]): boolean {
  const expected = change.old_content.replace(/\r\n|\r/g, '\n');
  if (isInsertion(change)) return expected === '';
  const there = lines
    .slice(change.line_start - 1, change.line_end)
    .map(({ text }) => text)
    .join('\n');
  return expected === there || expected === `${there}\n`;
}

/** A new line takes the ending of the line it stands for; further ones have none of their own yet. */
function changedLines(lines: readonly Line[], ordered: readonly Placed[]): Line[] {
  const changed: Line[] = [];
  let done = 0;
  for (const { line_start, line_end, new_content } of ordered) {
    for (const line of lines.slice(done, line_start - 1)) changed.push(line);
    const replaced = lines.slice(line_start - 1, line_end);
    for (const [i, { text }] of linesOf(new_content).entries())
      changed.push({ text, ending: replaced[i]?.ending ?? '' });
    done = line_end;
  }
  for (const line of lines.slice(done)) changed.push(line);
  return changed;
}

interface Endings {
  /** For a line that has none and none before it. */
  readonly usual: string;
  /** Whether the text ends with a line break. */
  readonly atTheEnd: boolean;
}

/** An empty file has no style to keep: there it is that of what is put in. */
function endingsFor(lines: readonly Line[], ordered: readonly Placed[]): Endings {
  const added = ordered.flatMap(({ new_content }) => linesOf(new_content));
  const usual = [...lines, ...added].find(({ ending }) => ending !== '')?.ending ?? '\n';
  return { usual, atTheEnd: (lines.at(-1) ?? added.at(-1))?.ending !== '' };
}

function joined(lines: readonly Line[], { usual, atTheEnd }: Endings): string {
  let previous = usual;
  return lines
    .map(({ text, ending }, i) => {
      previous = ending || previous;
      return i === lines.length - 1 && !atTheEnd ? text : text + previous;
    })
    .join('');
}

/** Looks for line ends alone: an expression for whole lines keeps count of each character, and there is no room for millions. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, index), ending });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), ending: '' });
  return lines;
}
