import { diffArrays } from 'diff';

/** What became of a piece of a text: a line of it, or a word. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** With more changes than this, looking for what two texts have in common takes longer than anybody waits. */
const MOST_CHANGES = 1_000;

/** The fewest pieces taken out and put in that lead from one list to the other. */
export function diffLists(from: readonly string[], to: readonly string[]): readonly Piece[] {
  const found = diffArrays([...from], [...to], { maxEditLength: MOST_CHANGES });
  if (!found) return [...as('removed', from), ...as('added', to)];
  return found.flatMap(({ value, added, removed }) =>
    as(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}

const as = (kind: Piece['kind'], texts: readonly string[]): Piece[] => texts.map((text) => ({ kind, text }));
