import type { TermGroup } from '../../core/knowledge.js';
import { languageOf, likeliestLanguage } from './language-of.js';
import { UNSURE } from './languages.js';
import { createStem, type Stem } from './stem.js';
import { wordsIn } from './words.js';

const REMEMBERED_WORDS = 32_768;
const MAX_GROUPS = 64;

/** Turns texts and questions into the terms by which they meet. */
export interface Analyser {
  /** ISO 639-1, or `und`. */
  languageOf(text: string): string;
  /** In order and with repeats: folded, stemmed, without function words; letters, digits and marks only. */
  termsOf(text: string, language: string): string[];
  /** Each word once, in the forms it has in texts of these languages. */
  questionTerms(question: string, languages: readonly string[]): TermGroup[];
}

export function createAnalyser(): Analyser {
  const stems = new Map<string, Stem>();
  const stemOf = (language: string): Stem => {
    const known = stems.get(language) ?? remembering(createStem(language));
    stems.set(language, known);
    return known;
  };
  return {
    languageOf,
    termsOf(text, language) {
      const stem = stemOf(language);
      const terms: string[] = [];
      for (const word of wordsIn(text)) {
        const term = stem(word);
        if (term !== undefined) terms.push(term);
      }
      return terms;
    },
    questionTerms: (question, languages) => questionTerms(question, languages, stemOf),
  };
}

function questionTerms(
  question: string,
  languages: readonly string[],
  stemOf: (language: string) => Stem,
): TermGroup[] {
  const searched = [...new Set(languages.length > 0 ? languages : [UNSURE])];
  const words = [...new Set(wordsIn(question))];
  // The language it is asked in decides which words say nothing: in another they may well say something.
  const spoken = stemOf(likeliestLanguage(question, searched));
  const meant = words.filter(
    (word) => spoken(word) !== undefined && searched.some((language) => stemOf(language)(word) !== undefined),
  );
  // A question of function words alone can still be about them.
  const groups = (meant.length > 0 ? meant : words).map((word) => formsOf(word, searched, stemOf));
  const told = new Map(
    groups.filter((forms) => forms.length > 0).map((forms) => [forms.join(' '), { forms }]),
  );
  return [...told.values()].slice(0, MAX_GROUPS);
}

function formsOf(word: string, languages: readonly string[], stemOf: (language: string) => Stem): string[] {
  const forms = new Set(languages.flatMap((language) => stemOf(language)(word) ?? []));
  return forms.size > 0 ? [...forms].sort() : [stemOf(UNSURE)(word) ?? word];
}

/** Stems are dear and words come again: keeps those of late, in two generations so that forgetting is cheap. */
function remembering(stem: Stem): Stem {
  let young = new Map<string, string | undefined>();
  let old = young;
  return (word) => {
    if (young.has(word)) return young.get(word);
    const term = old.has(word) ? old.get(word) : stem(word);
    if (young.size >= REMEMBERED_WORDS) {
      old = young;
      young = new Map();
    }
    young.set(word, term);
    return term;
  };
}
