import { seededRandom } from '../seeded-random.js';

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Shorter words are seldom mistyped without being noticed. */
const SHORTEST = 6;
const WORD = /\p{L}+/gu;

type Mistake = (word: string, at: number, random: () => number) => string;

const MISTAKES: readonly Mistake[] = [
  function dropped(word, at) {
    return word.slice(0, at) + word.slice(at + 1);
  },
  function doubled(word, at) {
    return word.slice(0, at + 1) + word.slice(at);
  },
  function swapped(word, at) {
    return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
  },
  function neighbouring(word, at, random) {
    const keys = neighboursOf(word.charAt(at).toLowerCase());
    return word.slice(0, at) + (keys[Math.floor(random() * keys.length)] ?? '') + word.slice(at + 1);
  },
];

/** One mistake in each second word that is long enough, one at least; never in its first letter. The same for the same seed. */
export function createMistyping(seed: number): (text: string) => string {
  const random = seededRandom(seed);
  const mistyped = (word: string) => {
    const mistake = MISTAKES[Math.floor(random() * MISTAKES.length)];
    const at = 1 + Math.floor(random() * (word.length - 2));
    return mistake?.(word, at, random) ?? word;
  };
  return (text) => {
    let long = 0;
    return text.replace(WORD, (word) => {
      if (word.length < SHORTEST) return word;
      long += 1;
      return long % 2 === 1 ? mistyped(word) : word;
    });
  };
}

function neighboursOf(key: string): readonly string[] {
  for (const row of ROWS) {
    const at = row.indexOf(key);
    if (at >= 0) return [row[at - 1], row[at + 1]].filter((near) => near !== undefined);
  }
  return ['e'];
}
