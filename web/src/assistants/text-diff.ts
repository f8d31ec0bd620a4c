/** What became of a piece of a text: a line of it, or a word. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond this, looking for what two texts have in common takes longer than anybody waits. */
const MOST_CELLS = 4_000_000;

/** The fewest pieces taken out and put in that lead from one list to the other. */
export function diffLists(from: readonly string[], to: readonly string[]): readonly Piece[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return [
    ...as('same', from.slice(0, start)),
    ...diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...as('same', from.slice(from.length - end)),
  ];
}

const as = (kind: Piece['kind'], texts: readonly string[]): Piece[] => texts.map((text) => ({ kind, text }));

function diffMiddle(from: readonly string[], to: readonly string[]): readonly Piece[] {
  if (from.length * to.length > MOST_CELLS) return [...as('removed', from), ...as('added', to)];
  const common = longestCommon(from, to);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [before, after] = [from[i], to[j]];
    if (before !== undefined && before === after) {
      pieces.push({ kind: 'same', text: before });
      i += 1;
      j += 1;
    } else if (before !== undefined && (after === undefined || common(i + 1, j) >= common(i, j + 1))) {
      pieces.push({ kind: 'removed', text: before });
      i += 1;
    } else {
      pieces.push({ kind: 'added', text: after ?? '' });
      j += 1;
    }
  }
  return pieces;
}

/** How much is common to what is left of both, from any place on. */
function longestCommon(from: readonly string[], to: readonly string[]): (i: number, j: number) => number {
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
