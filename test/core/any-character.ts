import fc from 'fast-check';

const FIRST_HALF = 0xd800;
const HALVES = 0x800;
const LAST = 0x10ffff;

/**
 * Any character but the halves of one, as fast-check's own `binary` for a `unit`. That makes a table of all of them first,
 * which takes a second in every process that tries a text.
 */
export const anyCharacter = fc
  .nat({ max: LAST - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES), placeOf);

function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
  const isHalf = code >= FIRST_HALF && code < FIRST_HALF + HALVES;
  if (code < 0 || isHalf || String.fromCodePoint(code) !== character)
    throw new Error('It is none, or more than one.');
  return code < FIRST_HALF ? code : code - HALVES;
}
