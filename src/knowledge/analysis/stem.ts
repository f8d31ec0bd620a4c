import { createRequire } from 'node:module';
import type snowball from 'snowball-stemmers';
import { stemBasque } from './basque-stem.js';
import { foldAccents } from './fold.js';
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
