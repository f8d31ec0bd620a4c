/** Which questions are about the same, by the words they share. No model is asked. */

/** As texts and questions meet in the knowledge of collections. */
export interface WordAnalysis {
  /** ISO 639-1, or `und` where the text says too little. */
  languageOf(text: string): string;
  /** Folded, stemmed and without function words. */
  termsOf(text: string, language: string): readonly string[];
}

export interface TermReader {
  /** Each once. */
  of(text: string): ReadonlySet<string>;
  /** By term, the words that stand for it in the text. */
  wordsOf(text: string): ReadonlyMap<string, string>;
}

/** More of one question is not looked at. */
const MOST_CHARS = 1_000;
const SAMPLE_CHARS = 20_000;
const UNSURE = 'und';
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’·-]*/gu;

/** A question is often too short to tell its language: then it is taken for one in the language of all of them. */
export function createTermReader(analysis: WordAnalysis, all: readonly string[]): TermReader {
  const usual = analysis.languageOf(all.join('\n').slice(0, SAMPLE_CHARS));
  const languageOf = (text: string) => {
    const own = analysis.languageOf(text);
    return own === UNSURE ? usual : own;
  };
  return {
    of(text) {
      const read = text.slice(0, MOST_CHARS);
      return new Set(analysis.termsOf(read, languageOf(read)));
    },
    wordsOf(text) {
      const read = text.slice(0, MOST_CHARS);
      const language = languageOf(read);
      const words = [...read.toLowerCase().matchAll(WORD)].map(([word]) => word);
      return new Map(words.flatMap((word) => analysis.termsOf(word, language).map((term) => [term, word])));
    },
  };
}

/** From 0 to 1: twice what they share, by what both have (Dice). */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const shared = [...one].filter((term) => other.has(term)).length;
  return (2 * shared) / (one.size + other.size);
}

/** Half of the words of both. */
export const ALIKE = 0.5;

/**
 * Groups of questions that are alike, the largest first. Each question joins the group whose first question is most like
 * it; only groups that share a word with it are compared, so that the work stays near the number of questions.
 */
export function clusterQuestions<Question extends { readonly terms: ReadonlySet<string> }>(
  questions: readonly Question[],
): readonly (readonly Question[])[] {
  const clusters: [Question, ...Question[]][] = [];
  const byTerm = new Map<string, number[]>();
  for (const question of questions) {
    const near = new Set([...question.terms].flatMap((term) => byTerm.get(term) ?? []));
    const best = [...near]
      .map((at) => ({ at, like: similarity(question.terms, clusters[at]?.[0].terms ?? new Set()) }))
      .reduce((most, each) => (each.like > most.like ? each : most), { at: -1, like: 0 });
    const found = best.like >= ALIKE ? clusters[best.at] : undefined;
    if (found) {
      found.push(question);
      continue;
    }
    for (const term of question.terms) byTerm.set(term, [...(byTerm.get(term) ?? []), clusters.length]);
    clusters.push([question]);
  }
  return clusters.sort((one, other) => other.length - one.length);
}
