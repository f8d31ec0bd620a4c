import { createRequire } from 'node:module';
import type snowball from 'snowball-stemmers';
import { FUNCTION_WORDS } from './function-words.js';
import { INFLECTIONS, UNSURE } from './languages.js';

const MAX_TERM = 64;
const NOT_IN_TERMS = /[^\p{L}\p{N}\p{M}]/gu;
const DIGIT = /\p{N}/u;

/** From a word in lower case to what it is found by; undefined for words nobody is searched for by. */
export type Stem = (word: string) => string | undefined;

/** The result is the same with and without accents. */
export function createStem(language: string): Stem {
  const { stemmer, endings } = INFLECTIONS[language] ??
    INFLECTIONS[UNSURE] ?? { stemmer: 'english', endings: [] };
  const reduce = stemmerNamed(stemmer);
  const stopWords = new Set([...(FUNCTION_WORDS[language] ?? [])].map(foldAccents));
  return (word) => {
    const folded = foldAccents(word);
    if (stopWords.has(folded)) return undefined;
    if (DIGIT.test(folded) || folded.length > MAX_TERM) return cutTerm(folded);
    const ending = endings.find(([bare]) => folded.endsWith(bare) && folded.length > bare.length + 1);
    const known = ending ? folded.slice(0, -ending[0].length) + ending[1] : folded;
    const stemmed = foldAccents(reduce(known)).replace(NOT_IN_TERMS, '');
    return cutTerm(stemmed === '' ? folded : stemmed);
  };
}

function stemmerNamed(name: string): (word: string) => string {
  if (name === 'basque') return stemBasque;
  // Takes a while to load: not before somebody needs it.
  const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as typeof snowball;
  const stemmer = newStemmer(name);
  return (word) => stemmer.stem(word);
}

function cutTerm(term: string): string {
  if (term.length <= MAX_TERM) return term;
  const cut = term.slice(0, MAX_TERM);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

// Longest first, so that the whole of an ending goes.
const ENDINGS =
  `arentzat entzako etakoak etarako entzat etatik arekin etako etara erako ekiko tzeko rako ekin etan arik aren etik koak
  rik eko tik koa era ari ean atu ra ko an ak ek en ei tu z`.split(/\s+/);
const LEAST = 3;
// In azterketan and its like the vowel belongs to the noun.
const OWN_VOWEL = /(?<=ket)a(?:n|ko|tik|ra|rako)$/;
const LAST_VOWELS = /(?<=.{3})(?:ea|[ae])$/;

/** Takes the endings of case and number off; Snowball's rules leave the forms of one noun apart. */
function stemBasque(word: string): string {
  const noun = word.replace(OWN_VOWEL, '');
  if (noun !== word) return noun;
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= LEAST);
  const bare = ending === undefined ? word : word.slice(0, -ending.length);
  // The article, and the noun's own vowel, which some endings swallow.
  return bare.replace(LAST_VOWELS, '');
}

const ASCII = /^[\x20-\x7e]*$/;
// Marks of other scripts are letters in their own right.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ё: 'е',
};
const SPECIAL = /[ßæœøđðħıłþё]/g;

/** Without accents, in lower case already: as somebody writes who does not bother. */
function foldAccents(word: string): string {
  if (ASCII.test(word)) return word;
  const plain = word.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
  return plain.normalize('NFD').replace(MARKED, '$1').normalize('NFC');
}
