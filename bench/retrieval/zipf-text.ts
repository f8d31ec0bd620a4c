import { FUNCTION_WORDS } from '../../src/knowledge/analysis/function-words.js';
import { seededRandom } from '../seeded-random.js';

const VOCABULARY = 50_000;
const SENTENCE = 13;
const PARAGRAPH = 6;
const PARAGRAPHS_A_SECTION = 8;
const CONSONANTS = 'bcdfghjklmnprstvw';
const VOWELS = 'aeiou';

export interface ZipfText {
  /** Markdown with headings, of about so many characters. */
  document(characters: number): string;
  /** A few words that say something, as people ask. */
  question(): string;
}

/** Texts whose words are as common as those of real ones: the word of rank r occurs 1/r as often as the first. */
export function createZipfText(seed: number): ZipfText {
  const random = seededRandom(seed);
  const common = [...(FUNCTION_WORDS['en'] ?? [])].slice(0, 100);
  const words = [...common, ...Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))];
  const word = (from = 0): string => words[rankOf(random(), from, words.length)] ?? '';
  const sentence = () => `${Array.from({ length: SENTENCE }, () => word()).join(' ')}.`;
  const paragraph = () => Array.from({ length: PARAGRAPH }, sentence).join(' ');
  const heading = () => `## ${word(common.length)} ${word(common.length)}`;
  return {
    document(characters) {
      const blocks: string[] = [];
      for (let length = 0; length < characters;) {
        const block = blocks.length % (PARAGRAPHS_A_SECTION + 1) === 0 ? heading() : paragraph();
        blocks.push(block);
        length += block.length + 2;
      }
      return blocks.join('\n\n');
    },
    question: () => Array.from({ length: 3 + Math.floor(random() * 4) }, () => word(common.length)).join(' '),
  };
}

/** By the inverse of the harmonic sum, near enough for large vocabularies. */
function rankOf(random: number, from: number, to: number): number {
  return Math.floor((from + 1) * ((to + 1) / (from + 1)) ** random) - 1;
}

/** Pronounceable, and different for every rank. */
function wordOf(rank: number): string {
  let rest = rank + 80;
  let word = '';
  while (rest > 0) {
    const syllable = rest % (CONSONANTS.length * VOWELS.length);
    word +=
      CONSONANTS.charAt(syllable % CONSONANTS.length) +
      VOWELS.charAt(Math.floor(syllable / CONSONANTS.length));
    rest = Math.floor(rest / (CONSONANTS.length * VOWELS.length));
  }
  return word;
}
