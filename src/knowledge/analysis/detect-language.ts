import { memoizeByObject } from '../../core/base/memo.js';
import { FUNCTION_WORDS } from './function-words.js';
import { UNSURE } from './languages.js';

const SAMPLE = 6000;
const SAMPLES = 3;
const LEAST_WEIGHT = 1.5;
const LEAST_SHARE = 0.06;
const LEAST_LEAD = 1.15;
const WORD = /[\p{L}\p{M}]+/gu;

/** How much a word speaks for each language: less, the more of them have it. Worked out when the first text comes. */
const weightsIn = memoizeByObject(weighWords);

/** ISO 639-1, among the languages that are stemmed; `und` when there is too little to tell or it is none of them. */
export function languageOf(text: string): string {
  const { scores, words } = countIn(samplesOf(text));
  const [first, second] = [...scores].sort((a, b) => b[1] - a[1]);
  if (!first || first[1] < LEAST_WEIGHT || first[1] < words * LEAST_SHARE) return UNSURE;
  return first[1] >= LEAST_LEAD * (second?.[1] ?? 0) ? first[0] : UNSURE;
}

/**
 * The languages a few words may be of: the one they speak for most, or all of the `expected` that are as good as it, for
 * "de la" is as Spanish as it is Catalan; `und` alone when they speak for none.
 */
export function likelyLanguages(text: string, expected: readonly string[]): readonly string[] {
  const { scores } = countIn([text]);
  const [first] = [...scores].sort((a, b) => b[1] - a[1]);
  if (!first) return [UNSURE];
  const likely = expected.filter((language) => (scores.get(language) ?? 0) * LEAST_LEAD >= first[1]);
  return likely.length > 0 ? likely : [first[0]];
}

function countIn(texts: readonly string[]): {
  readonly scores: ReadonlyMap<string, number>;
  readonly words: number;
} {
  const weights = weightsIn(FUNCTION_WORDS);
  const scores = new Map<string, number>();
  let words = 0;
  for (const text of texts) {
    for (const [word] of text.normalize('NFC').toLowerCase().matchAll(WORD)) {
      words += 1;
      const known = weights.get(word);
      for (const language of known?.languages ?? [])
        scores.set(language, (scores.get(language) ?? 0) + (known?.weight ?? 0));
    }
  }
  return { scores, words };
}

/** From the beginning, the middle and the end: covers and indexes are no sentences. */
function samplesOf(text: string): string[] {
  if (text.length <= SAMPLE * SAMPLES) return [text];
  const step = (text.length - SAMPLE) / (SAMPLES - 1);
  return Array.from({ length: SAMPLES }, (_, i) => text.slice(i * step, i * step + SAMPLE));
}

function weighWords(
  wordsOf: typeof FUNCTION_WORDS,
): ReadonlyMap<string, { readonly languages: readonly string[]; readonly weight: number }> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(wordsOf))
    for (const word of words) languages.set(word, [...(languages.get(word) ?? []), language]);
  return new Map([...languages].map(([word, of]) => [word, { languages: of, weight: 1 / of.length }]));
}
