import type { Knex } from 'knex';
import type { LexicalCandidate, TermStatistics } from '../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { type CandidateQuery, candidateQueries, ftsQuoted, scoped, tsQuoted, type Wanted } from './terms.js';

interface Search {
  readonly seqs: readonly number[];
  readonly wanted: CandidateQuery;
  readonly statistics: TermStatistics;
  readonly limit: number;
}

export function createLexicalSearch(
  db: Knex,
  seqsOf: (collectionIds: readonly string[]) => Promise<readonly number[]>,
): Pick<PassageIndex, 'lexical'> {
  const find = isPostgres(db) ? findInPostgres : findInSqlite;

  return {
    async lexical({ collectionIds, groups, statistics, limit }) {
      const queries = candidateQueries(groups, statistics);
      const seqs = queries.length === 0 ? [] : await seqsOf(collectionIds);
      if (seqs.length === 0) return [];
      const found = new Map<number, FoundRow>();
      for (const wanted of queries) {
        if (found.size >= limit * ENOUGH) break;
        for (const row of await find(db, { seqs, wanted, statistics, limit })) {
          if (!found.has(row.id)) found.set(row.id, row);
        }
      }
      return [...found.values()].slice(0, limit).map(toCandidate);
    },
  };
}

/** The share of what may be found that is worth no second look. */
const ENOUGH = 0.2;

interface FoundRow {
  readonly id: number;
  readonly terms: string;
}

/** What is not shown takes places as well: a little more is looked for, and much more while it is too little. */
const SPARE = 1.1;
const MUCH_MORE = 4;

async function findInSqlite(db: Knex, { seqs, wanted, limit }: Search): Promise<readonly FoundRow[]> {
  const anyOf = (forms: readonly string[]) =>
    forms.flatMap((form) => seqs.map((seq) => ftsQuoted(scoped(seq, form)))).join(' OR ');
  const allOf = (words: Wanted) => words.map((forms) => `(${anyOf(forms)})`).join(' AND ');
  const match = wanted.map((words) => `(${allOf(words)})`).join(' OR ');
  for (let looked = Math.ceil(limit * SPARE); ; looked *= MUCH_MORE) {
    const rows = await rawRows<FoundRow & { readonly live: number }>(db, FIND, [match, looked]);
    const live = rows.filter((row) => row.live);
    if (live.length >= limit || rows.length < looked) return live;
  }
}

const FIND = `
  SELECT passages.id, passages.terms, editions.live
  FROM (
    SELECT rowid AS id, rank AS place FROM passage_index WHERE passage_index MATCH ? ORDER BY rank LIMIT ?
  ) AS found
  JOIN passages ON passages.id = found.id
  JOIN editions ON editions.id = passages.edition
  ORDER BY found.place, passages.id`;

async function findInPostgres(
  db: Knex,
  { seqs, wanted, statistics, limit }: Search,
): Promise<readonly FoundRow[]> {
  const queryOf = (form: string) => seqs.map((seq) => tsQuoted(scoped(seq, form))).join(' | ');
  const anyOf = (forms: readonly string[]) => `(${forms.map(queryOf).join(' | ')})`;
  const match = wanted.map((words) => `(${words.map(anyOf).join(' & ')})`).join(' | ');
  const forms = [...new Set(wanted.flat(2))];
  return rawRows<FoundRow>(
    db,
    `SELECT passages.id, passages.terms
     FROM passages JOIN editions ON editions.id = passages.edition AND editions.live
     WHERE passages.lexemes @@ ?::tsquery
     ORDER BY ${forms.map(() => WORTH).join(' + ')} DESC, passages.id LIMIT ?`,
    [match, ...forms.flatMap((form) => [rarity(statistics, form), queryOf(form)]), limit],
  );
}

/** Whatever the length of a passage: to ask for it takes as long as all the rest, and the finer ranking does. */
const WORTH = '?::float8 * ts_rank(passages.lexemes, ?::tsquery)';

/** What a word says about a passage: the less, the more passages have it. */
function rarity({ passages, frequencies }: TermStatistics, form: string): number {
  const frequency = frequencies.get(form) ?? 0;
  return Math.log(1 + Math.max(passages - frequency + 0.5, 0.5) / (frequency + 0.5));
}

function toCandidate({ id, terms }: FoundRow): LexicalCandidate {
  return { passageId: id, terms };
}
