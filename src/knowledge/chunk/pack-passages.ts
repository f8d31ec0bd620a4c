import type { Piece } from './pieces.js';
import { lengthOf, PASSAGE_MAX, PASSAGE_SMALL, PASSAGE_TARGET, type Span } from './spans.js';

/** A passage that is whole. */
export interface PackedPassage extends Span {
  /** The head of the table it begins in the middle of. */
  readonly head?: Span;
  /** Where its text begins below the headings it begins with; undefined while it is headings alone. */
  readonly body?: number;
}

/** Puts pieces together to passages of about one size. */
export interface Packer {
  /** Gives back a passage once the next is under way. */
  add(piece: Piece): PackedPassage | undefined;
  /** The rest, before a page begins. Headings at the foot of a page stay, and go with the text they stand above. */
  finishPage(): PackedPassage[];
  /** The rest, before something begins that shares no passage with it. */
  finish(): PackedPassage[];
}

export function createPacker(): Packer {
  // The one before the last is kept, so that a small rest can still go with it.
  let before: PackedPassage | undefined;
  let last: PackedPassage | undefined;
  const finish = () => {
    const rest =
      before && last && isSmall(last) && withRest(before, last)
        ? [{ ...before, end: last.end }]
        : [before, last];
    before = undefined;
    last = undefined;
    return rest.filter((passage) => passage !== undefined);
  };
  return {
    add(piece) {
      if (last && fits(last, piece)) {
        last = { ...last, end: piece.end, ...bodyWith(last, piece) };
        return undefined;
      }
      const whole = before;
      before = last;
      last = begin(piece, before);
      return whole;
    },
    finishPage() {
      if (!last || last.body !== undefined) return finish();
      const whole = before;
      before = undefined;
      return whole ? [whole] : [];
    },
    finish,
  };
}

function begin(piece: Piece, before: PackedPassage | undefined): PackedPassage {
  const { start, end, head, repeatFrom } = piece;
  // A sentence that was a passage by itself is not said twice.
  const repeats = repeatFrom !== undefined && before !== undefined && repeatFrom > before.start;
  return { start: repeats ? repeatFrom : start, end, ...(head && { head }), ...bodyWith({}, piece) };
}

function bodyWith({ body }: Pick<PackedPassage, 'body'>, piece: Piece): Pick<PackedPassage, 'body'> {
  if (body !== undefined) return { body };
  return piece.isHeading ? {} : { body: piece.start };
}

function fits(passage: PackedPassage, piece: Span): boolean {
  return sizeOf({ ...passage, end: piece.end }) <= (isSmall(passage) ? PASSAGE_MAX : PASSAGE_TARGET);
}

function withRest(before: PackedPassage, rest: PackedPassage): boolean {
  return sizeOf({ ...before, end: rest.end }) <= PASSAGE_MAX;
}

function isSmall(passage: PackedPassage): boolean {
  return lengthOf(passage) < PASSAGE_SMALL;
}

export function sizeOf(passage: PackedPassage): number {
  return lengthOf(passage) + (passage.head ? lengthOf(passage.head) + 1 : 0);
}
