import type { Knex } from 'knex';
import type { LexicalCandidate, TermStatistics } from '../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { now } from '../query/values.js';
import { FINDABLE, IS_PINNED } from './passage-rows.js';
import { type CandidateQuery, candidateQueries, ftsQuoted, scoped, tsQuoted, type Wanted } from './terms.js';

interface Search {
  readonly seqs: readonly number[];
  readonly wanted: CandidateQuery;
  readonly statistics: TermStatistics;
  readonly limit: number;
  readonly tags: readonly string[];
}

export function createLexicalSearch(
  db: Knex,
  seqsOf: (collectionIds: readonly string[]) => Promise<readonly number[]>,
): Pick<PassageIndex, 'lexical'> {
  const find = isPostgres(db) ? findInPostgres : findInSqlite;

  return {
    async lexical({ collectionIds, groups, statistics, limit, tags = [] }) {
      const queries = candidateQueries(groups, statistics);
      const seqs = queries.length === 0 ? [] : await seqsOf(collectionIds);
      if (seqs.length === 0) return [];
      const found = new Map<number, FoundRow>();
      for (const wanted of queries) {
        if (found.size >= limit * ENOUGH) break;
        for (const row of await find(db, { seqs, wanted, statistics, limit, tags })) {
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
  readonly pinned: boolean | number;
}

/** What is not shown takes places as well: a little more is looked for, and much more while it is too little. */
const SPARE = 1.1;
const MUCH_MORE = 4;

async function findInSqlite(db: Knex, { seqs, wanted, limit, tags }: Search): Promise<readonly FoundRow[]> {
  const anyOf = (forms: readonly string[]) =>
    forms.flatMap((form) => seqs.map((seq) => ftsQuoted(scoped(seq, form)))).join(' OR ');
  const allOf = (words: Wanted) => words.map((forms) => `(${anyOf(forms)})`).join(' AND ');
  const match = wanted.map((words) => `(${allOf(words)})`).join(' OR ');
  if (tags.length > 0) return rawRows<FoundRow>(db, FIND_TAGGED, [match, now(), JSON.stringify(tags), limit]);
  for (let looked = Math.ceil(limit * SPARE); ; looked *= MUCH_MORE) {
    const rows = await rawRows<FoundRow & { readonly live: number }>(db, FIND, [now(), match, looked]);
    const live = rows.filter((row) => row.live);
    if (live.length >= limit || rows.length < looked) return live;
  }
}

const FIND = `
  SELECT passages.id, passages.terms, ${FINDABLE} AS live, ${IS_PINNED} AS pinned
  FROM (
    SELECT rowid AS id, rank AS place FROM passage_index WHERE passage_index MATCH ? ORDER BY rank LIMIT ?
  ) AS found
  JOIN passages ON passages.id = found.id
  JOIN editions ON editions.id = passages.edition
  ORDER BY found.place, passages.id`;

/** In the order of the index, and no further than it must: what has none of the tags takes no place. */
const FIND_TAGGED = `
  SELECT passages.id, passages.terms, ${IS_PINNED} AS pinned
  FROM passage_index
  CROSS JOIN passages ON passages.id = passage_index.rowid
  CROSS JOIN editions ON editions.id = passages.edition
  WHERE passage_index MATCH ? AND ${FINDABLE} AND ${taggedEdition('SELECT value FROM json_each(?)')}
  ORDER BY passage_index.rank LIMIT ?`;

/** Holds for an edition whose document has one of the tags. */
function taggedEdition(tags: string): string {
  return `EXISTS (
    SELECT 1 FROM document_tags
    WHERE document_tags.document_seq = editions.document_seq AND document_tags.tag IN (${tags})
  )`;
}

async function findInPostgres(
  db: Knex,
  { seqs, wanted, statistics, limit, tags }: Search,
): Promise<readonly FoundRow[]> {
  const queryOf = (form: string) => seqs.map((seq) => tsQuoted(scoped(seq, form))).join(' | ');
  const anyOf = (forms: readonly string[]) => `(${forms.map(queryOf).join(' | ')})`;
  const match = wanted.map((words) => `(${words.map(anyOf).join(' & ')})`).join(' | ');
  const forms = [...new Set(wanted.flat(2))];
  return rawRows<FoundRow>(
    db,
    `SELECT passages.id, passages.terms, ${IS_PINNED} AS pinned
     FROM passages JOIN editions ON editions.id = passages.edition AND ${FINDABLE}
     WHERE passages.lexemes @@ ?::tsquery
       ${tags.length > 0 ? `AND ${taggedEdition(tags.map(() => '?').join(', '))}` : ''}
     ORDER BY ${forms.map(() => WORTH).join(' + ')} DESC, passages.id LIMIT ?`,
    [now(), match, ...tags, ...forms.flatMap((form) => [rarity(statistics, form), queryOf(form)]), limit],
  );
}

/** Whatever the length of a passage: to ask for it takes as long as all the rest, and the finer ranking does. */
const WORTH = '?::float8 * ts_rank(passages.lexemes, ?::tsquery)';

/** What a word says about a passage: the less, the more passages have it. */
function rarity({ passages, frequencies }: TermStatistics, form: string): number {
  const frequency = frequencies.get(form) ?? 0;
  return Math.log(1 + Math.max(passages - frequency + 0.5, 0.5) / (frequency + 0.5));
}

function toCandidate({ id, terms, pinned }: FoundRow): LexicalCandidate {
  return { passageId: id, terms, isPinned: Boolean(pinned) };
}
