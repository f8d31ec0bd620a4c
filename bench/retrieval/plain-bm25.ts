import snowball from 'snowball-stemmers';
import type { TestDocument } from './beir.js';

const K1 = 0.9;
const B = 0.4;

// The words Lucene leaves out of English.
const STOP_WORDS = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
  was will with`.split(/\s+/),
);

/** The documents for a question, best first. */
export type Rank = (question: string, most: number) => readonly string[];

/**
 * What everything is compared with: BM25 over whole documents, title and text as one field, words of English stemmed by
 * Porter. Nothing of it is shared with the service.
 */
export function createPlainBm25(documents: readonly TestDocument[]): Rank {
  const analyse = createAnalysis();
  const postings = new Map<string, { readonly document: number; readonly count: number }[]>();
  const lengths = documents.map(({ title, text }, document) => {
    const terms = analyse(`${title} ${text}`);
    for (const [term, count] of counted(terms)) {
      const list = postings.get(term) ?? [];
      list.push({ document, count });
      postings.set(term, list);
    }
    return terms.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (question, most) => {
    const scores = new Map<number, number>();
    for (const [term, times] of counted(analyse(question))) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
      for (const { document, count } of list) {
        const saturation = K1 * (1 - B + (B * (lengths[document] ?? 0)) / average);
        const score = (times * rarity * count) / (count + saturation);
        scores.set(document, (scores.get(document) ?? 0) + score);
      }
    }
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, most)
      .map(([document]) => documents[document]?.id ?? '');
  };
}

function createAnalysis(): (text: string) => string[] {
  const porter = snowball.newStemmer('porter');
  const stems = new Map<string, string>();
  return (text) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? [])
      .map((word) => word.replace(/['’]s$/, ''))
      .filter((word) => !STOP_WORDS.has(word))
      .map((word) => {
        const stem = stems.get(word) ?? porter.stem(word);
        stems.set(word, stem);
        return stem;
      });
}

function counted(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
