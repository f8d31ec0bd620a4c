import { diffLists, type Piece } from './text-diff.ts';

export interface DiffLine {
  readonly kind: Piece['kind'];
  /** What of the line is new or gone, where most of it stayed. */
  readonly parts: readonly { readonly text: string; readonly isChanged: boolean }[];
}

export interface DiffGap {
  readonly kind: 'gap';
  readonly lines: number;
}

/** Lines that stayed, shown around those that did not. */
const CONTEXT = 2;
/** Of two lines, so much must be common before words are compared: below that it only confuses. */
const ALIKE = 0.4;
const LONGEST_LINE = 5_000;
/** Words, what is between them, and each sign by itself. */
const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** A change of a text, line by line, with the words that changed marked and what stayed folded. */
export function diffText(from: string, to: string): readonly (DiffLine | DiffGap)[] {
  return folded(inBlocks(diffLists(linesOf(from), linesOf(to))));
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r?\n/));

/** All that is gone in one place, then all that came for it, each beside its like. */
function inBlocks(pieces: readonly Piece[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const close = () => {
    const pairs = removed.map((text, i) => wordsOf(text, added[i]));
    lines.push(
      ...removed.map((text, i) => lineOf('removed', text, pairs[i])),
      ...added.map((text, i) => lineOf('added', text, pairs[i])),
    );
    [removed, added] = [[], []];
  };
  for (const { kind, text } of pieces) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      close();
      lines.push(lineOf('same', text));
    }
  }
  close();
  return lines;
}

function wordsOf(before: string, after: string | undefined): readonly Piece[] | undefined {
  if (after === undefined || Math.max(before.length, after.length) > LONGEST_LINE) return undefined;
  const pieces = diffLists(before.match(WORDS) ?? [], after.match(WORDS) ?? []);
  const stayed = pieces.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  return stayed >= ALIKE * Math.max(before.length, after.length) ? pieces : undefined;
}

function lineOf(kind: Piece['kind'], text: string, words?: readonly Piece[]): DiffLine {
  if (!words) return { kind, parts: [{ text, isChanged: false }] };
  const parts = words
    .filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map((piece) => ({ text: piece.text, isChanged: piece.kind !== 'same' }));
  return { kind, parts };
}

function folded(lines: readonly DiffLine[]): readonly (DiffLine | DiffGap)[] {
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: (DiffLine | DiffGap)[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    let end = i;
    while (end < lines.length && !isNear[end]) end += 1;
    const line = lines[i];
    // A fold takes a line itself, so one line alone is shown.
    if (end - i > 1) {
      shown.push({ kind: 'gap', lines: end - i });
      i = end - 1;
    } else if (line) shown.push(line);
  }
  return shown;
}
