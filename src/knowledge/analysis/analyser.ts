import type { TermGroup } from '../../core/knowledge/passage.js';
import { languageOf, likelyLanguages } from './detect-language.js';
import { UNSURE } from './languages.js';
import { createStem, type Stem } from './stem.js';
import { wordsIn } from './words.js';

const REMEMBERED_WORDS = 32_768;
const MAX_GROUPS = 128;

/** Turns texts and questions into the terms by which they meet. */
export interface Analyser {
  /** ISO 639-1, or `und`. */
  languageOf(text: string): string;
  /** In order and with repeats: folded, stemmed, without function words; letters, digits and marks only. */
  termsOf(text: string, language: string): string[];
  /**
   * Each word once, in the forms it has in texts of these languages; said more often it counts more. A question that has
   * few words of its own is about what was asked `before` it, the oldest first: those words join it, and count less.
   */
  questionTerms(question: string, languages: readonly string[], before?: readonly string[]): TermGroup[];
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
    questionTerms: (question, languages, before = []) =>
      questionTerms({ question, before }, languages, stemOf),
  };
}

function questionTerms(
  { question, before }: { readonly question: string; readonly before: readonly string[] },
  languages: readonly string[],
  stemOf: (language: string) => Stem,
): TermGroup[] {
  const searched = [...new Set(languages.length > 0 ? languages : [UNSURE])];
  const spoken = likelyLanguages([...before, question].join(' '), searched);
  const tongues = { searched, spoken, stemOf };
  const own = wordsMeant(question, tongues);
  const topic = before.length > 0 && leansOnTopic(question, own) ? topicOf(before, own, tongues) : [];
  if (own.length > 0) return [...own, ...topic];
  // A question of function words alone can still be about them.
  return topic.length > 0 ? topic : groupsOf([...wordsIn(question)], tongues);
}

/** A question with more words of its own says by itself what it is about, even one that points to something. */
const FEW_WORDS = 3;
/** What points to something said before, in the languages of the pages, or goes on from there. */
const POINTING =
  /^[¿¡\s]*(?:and|but|or|y|e|pero|i|però|eta|baina)\s|(?<!\p{L})(?:it|its|they|them|their|that|this|these|those|he|she|his|her|there|ones?|eso|esto|ello|ese|esa|esos|esas|su|sus|això|allò|aquest|aquesta|seu|seva|ho|hi|hori|hau|horrek|horiek|hura|haiek|bere)(?!\p{L})/iu;

function leansOnTopic(question: string, own: readonly TermGroup[]): boolean {
  return own.length <= 1 || (own.length <= FEW_WORDS && POINTING.test(question));
}

/** How much a word of the question before counts; half as much if it is of the one before that, and so on. */
const WORTH_OF_TOPIC = 0.3;
const MOST_OF_TOPIC = 8;

function topicOf(before: readonly string[], own: readonly TermGroup[], tongues: Tongues): TermGroup[] {
  const known = new Set(own.flatMap(({ forms }) => forms));
  return before
    .toReversed()
    .flatMap((question, ago) =>
      wordsMeant(question, tongues)
        .filter(({ forms }) => !forms.some((form) => known.has(form)))
        .map(({ forms, weight = 1 }) => ({
          ...{ forms, weight: weight * WORTH_OF_TOPIC * 0.5 ** ago, isTopic: true as const },
        })),
    )
    .slice(0, MOST_OF_TOPIC);
}

function wordsMeant(question: string, tongues: Tongues): TermGroup[] {
  const { searched, spoken, stemOf } = tongues;
  const isMeant = (word: string) =>
    // In another language it may well say something.
    spoken.every((language) => stemOf(language)(word) !== undefined) &&
    searched.some((language) => stemOf(language)(word) !== undefined);
  return groupsOf([...wordsIn(question)].filter(isMeant), tongues);
}

function groupsOf(words: readonly string[], tongues: Tongues): TermGroup[] {
  const said = new Map<string, { readonly forms: string[]; readonly times: number }>();
  for (const word of words) {
    const forms = formsOf(word, tongues);
    const key = forms.join(' ');
    said.set(key, { forms, times: (said.get(key)?.times ?? 0) + 1 });
  }
  return (
    [...said.values()]
      .sort((a, b) => b.times - a.times)
      .slice(0, MAX_GROUPS)
      // What several sentences come back to is what they are about; twice as often is not twice as much.
      .map(({ forms, times }) => ({ forms, weight: Math.sqrt(times) }))
  );
}

interface Tongues {
  readonly searched: readonly string[];
  readonly spoken: readonly string[];
  readonly stemOf: (language: string) => Stem;
}

function formsOf(word: string, { searched, spoken, stemOf }: Tongues): string[] {
  const isOwn = (language: string) =>
    language === UNSURE || spoken.includes(language) || spoken.includes(UNSURE);
  const forms = searched.flatMap((language) => {
    const form = stemOf(language)(word);
    return form !== undefined && (isOwn(language) || isMostOf(form, word)) ? form : [];
  });
  return forms.length > 0 ? [...new Set(forms)].sort() : [stemOf(UNSURE)(word) ?? word];
}

/** The rules of another language can leave a stump of a word that stands for something else there. */
function isMostOf(form: string, word: string): boolean {
  return form.length > (word.length * 2) / 3;
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
