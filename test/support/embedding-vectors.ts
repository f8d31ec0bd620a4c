const DIMENSIONS = 256;
const GRAM = 3;

/** Words that mean the same have one name here, so that tests can show what meaning adds to words. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  [
    ['car', 'automobile', 'vehicle'],
    ['doctor', 'physician', 'medic'],
    ['begin', 'start', 'commence'],
    ['holiday', 'vacation'],
    ['plant', 'vegetation', 'flora'],
    ['buy', 'purchase', 'acquire'],
    ['exam', 'examination', 'test'],
  ].flatMap(([name = '', ...others]) => [name, ...others].map((word): [string, string] => [word, name])),
);

/** The same for the same text, and near for texts with words that are alike or mean the same. Not of length one. */
export function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    for (const gram of gramsOf(SYNONYMS.get(word) ?? word)) {
      const place = hash(gram);
      const at = place % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + (place & 0x100 ? 1 : -1);
    }
  // A text without words has a direction as well.
  return vector.some((value) => value !== 0) ? vector : vector.map((_, i) => (i === 0 ? 1 : 0));
}

function gramsOf(word: string): string[] {
  const padded = `^${word}$`;
  return Array.from({ length: Math.max(1, padded.length - GRAM + 1) }, (_, i) => padded.slice(i, i + GRAM));
}

/** FNV-1a, stirred so that the low bits depend on all of it. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (value ^ (value >>> 13)) >>> 0;
}
