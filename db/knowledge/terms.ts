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
