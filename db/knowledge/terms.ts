import type { Knex } from 'knex';
import type { TermGroup, TermStatistics } from '../../src/core/knowledge/passage.js';
import { isPostgres } from '../query/raw-rows.js';

/** Nobody looks for a longer word, and no database can index one without end. */
const LONGEST_TERM = 128;

/** U+0000, half a surrogate pair, and what parts one term from the next. */
const NO_TERM = /[\0\s\p{Surrogate}]/u;

/** PostgreSQL counts no further; what comes later stands at the last place. */
const LAST_POSITION = 16_383;

/** The terms that are stored, counted and found, all in the same words. */
export function indexableTerms(terms: readonly string[]): readonly string[] {
  return terms.filter((term) => term !== '' && term.length <= LONGEST_TERM && !NO_TERM.test(term));
}

export const joinTerms = (terms: readonly string[]): string => terms.join(' ');

export const splitTerms = (joined: string): readonly string[] => (joined === '' ? [] : joined.split(' '));

/** As a term stands in the index: each collection has words of its own there. */
export const scoped = (collectionSeq: number, term: string): string => `${String(collectionSeq)}_${term}`;

/** Written out instead of parsed from text, so that no dictionary of the database changes a term. */
export function tsvectorOf(collectionSeq: number, terms: readonly string[]): string {
  const positions = new Map<string, number[]>(terms.map((term) => [term, []]));
  terms.forEach((term, index) => positions.get(term)?.push(Math.min(index + 1, LAST_POSITION)));
  return [...positions]
    .map(([term, at]) => `${tsQuoted(scoped(collectionSeq, term))}:${at.join(',')}`)
    .join(' ');
}

/** One lexeme, as a tsvector or a tsquery is written. */
export const tsQuoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`;

/** One term, as a query of FTS5 is written. */
export const ftsQuoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** Stands for all passages of a collection; what it has in `total` is the length of all of them together. */
export const EVERY_PASSAGE = '';

interface CountChange {
  readonly collectionSeq: number;
  /** Of each passage that comes or goes. */
  readonly terms: readonly (readonly string[])[];
  readonly by: 1 | -1;
}

/**
 * Keeps the counts in step with the rows that are there, in the transaction that writes or deletes them. Always in one
 * order: who changes the same collection waits for all passages or for some term, and nobody in a circle.
 */
export async function changeCounts(trx: Knex, { collectionSeq, terms, by }: CountChange): Promise<void> {
  const counts = new Map([[EVERY_PASSAGE, by * terms.length]]);
  for (const passage of terms)
    for (const term of new Set(passage)) counts.set(term, (counts.get(term) ?? 0) + by);
  const length = terms.reduce((sum, passage) => sum + passage.length, 0);
  const changes = `{${[...counts.keys()]
    .sort()
    .map((term) => `${JSON.stringify(term)}:${String(counts.get(term))}`)
    .join()}}`;
  const { each, integer } = isPostgres(trx) ? POSTGRES : SQLITE;
  await trx.raw(
    `INSERT INTO term_counts (collection_seq, term, passages, total)
     SELECT ?${integer}, key, value${integer}, CASE key WHEN '${EVERY_PASSAGE}' THEN ?${integer} ELSE 0 END
     FROM ${each} WHERE true
     ON CONFLICT (collection_seq, term) DO UPDATE SET
       passages = term_counts.passages + excluded.passages, total = term_counts.total + excluded.total`,
    [collectionSeq, by * length, changes],
  );
  if (by > 0) return;
  await trx.raw(
    `DELETE FROM term_counts WHERE collection_seq = ? AND passages = 0 AND term IN (SELECT key FROM ${each})`,
    [collectionSeq, changes],
  );
}

const SQLITE = { each: 'json_each(?)', integer: '' };
const POSTGRES = { each: 'jsonb_each_text(?::jsonb)', integer: '::integer' };

/**
 * How many places in the index one search ranks, and how many it passes by to find those that have two words. A word that
 * is in every other passage costs the most to look for and tells the least, so the rarest words come first. Of the
 * commoner ones, passages count that have two of them: they are fewer, and better than those with one. The finer ranking
 * afterwards sees all words.
 */
const MOST_RANKED = 4_000;
const MOST_PASSED = 12_000;

export interface Word {
  readonly forms: readonly string[];
  /** In how many passages it is, at most. */
  readonly frequency: number;
}

/** Passages that have at least one form of each word. */
export type Wanted = readonly Word[];

/** What candidates are looked for by: passages that are wanted one way or the other. */
export type CandidateQuery = readonly Wanted[];

/** One after the other, until there are enough. */
export function candidateQueries(
  groups: readonly TermGroup[],
  { passages, frequencies }: Pick<TermStatistics, 'passages' | 'frequencies'>,
): readonly CandidateQuery[] {
  const words = knownWords(groups, frequencies);
  let ranked = 0;
  const rare = words.filter(({ frequency }) => (ranked += frequency) <= MOST_RANKED);
  const common = words.slice(rare.length);
  const first = [...rare.map((word) => [word]), ...affordablePairs(common, passages)];
  const [next] = common;
  if (!next) return first.length > 0 ? [first] : [];
  if (first.length > 0) return next.frequency <= MOST_PASSED ? [first, [[next]]] : [first];
  return [...(common.length > 1 ? [[common]] : []), [[next]]];
}

/** Rarest first. */
function knownWords(groups: readonly TermGroup[], frequencies: ReadonlyMap<string, number>): readonly Word[] {
  return groups
    .map(({ forms: all }) => {
      const forms = all.filter((form) => frequencies.has(form));
      return { forms, frequency: forms.reduce((sum, form) => sum + (frequencies.get(form) ?? 0), 0) };
    })
    .filter(({ forms }) => forms.length > 0)
    .sort((a, b) => a.frequency - b.frequency);
}

/** Those that are together least often, first. */
function affordablePairs(words: readonly Word[], passages: number): CandidateQuery {
  const pairs = words.flatMap((one, i) =>
    words.slice(i + 1).map((other) => ({
      wanted: [one, other],
      passed: one.frequency,
      ranked: (one.frequency * other.frequency) / Math.max(passages, 1),
    })),
  );
  let [passed, ranked] = [0, 0];
  return pairs
    .sort((a, b) => a.ranked - b.ranked)
    .filter((pair) => (passed += pair.passed) <= MOST_PASSED && (ranked += pair.ranked) <= MOST_RANKED)
    .map(({ wanted }) => wanted);
}
