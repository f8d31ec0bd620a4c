import type { Knex } from 'knex';
import type { LexicalCandidate, PassageIndex, TermStatistics } from '../../src/core/knowledge.js';
import { isPostgres, rawRows } from '../raw-rows.js';
import { candidateForms } from './candidate-forms.js';
import { ftsQuoted, indexableTerms, scoped, tsQuoted } from './index-terms.js';

type Lexical = PassageIndex['lexical'];

interface Search {
  readonly seqs: readonly number[];
  /** Never empty. */
  readonly forms: readonly string[];
  readonly statistics: TermStatistics;
  readonly limit: number;
}

export function createLexicalSearch(
  db: Knex,
  seqsOf: (collectionIds: readonly string[]) => Promise<readonly number[]>,
): Pick<PassageIndex, 'lexical'> {
  const find = isPostgres(db) ? findInPostgres : findInSqlite;
  const lexical: Lexical = async ({ collectionIds, groups, statistics, limit }) => {
    const forms = indexableTerms(candidateForms(groups, statistics));
    if (forms.length === 0) return [];
    const seqs = await seqsOf(collectionIds);
    return seqs.length === 0 ? [] : find(db, { seqs, forms, statistics, limit });
  };
  return { lexical };
}

/** What is not shown takes places as well: this much more is looked for at first, and ever more while it is too little. */
const MORE = 2;

async function findInSqlite(db: Knex, search: Search): Promise<readonly LexicalCandidate[]> {
  const { seqs, forms, limit } = search;
  const wanted = forms.flatMap((form) => seqs.map((seq) => ftsQuoted(scoped(seq, form)))).join(' OR ');
  for (let looked = limit * MORE; ; looked *= MORE * MORE) {
    const rows = await rawRows<FoundRow>(db, FIND, [wanted, looked]);
    const live = rows.filter((row) => row.live).slice(0, limit);
    if (live.length === limit || rows.length < looked) return live.map(toCandidate);
  }
}

interface FoundRow {
  readonly id: number;
  readonly terms: string;
  readonly live: boolean | number | null;
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
  { seqs, forms, statistics, limit }: Search,
): Promise<readonly LexicalCandidate[]> {
  const queryOf = (form: string) => seqs.map((seq) => tsQuoted(scoped(seq, form))).join(' | ');
  const worth = forms.map(() => '?::float8 * ts_rank(passages.lexemes, ?::tsquery)').join(' + ');
  const rows = await rawRows<FoundRow>(
    db,
    `SELECT passages.id, passages.terms
     FROM passages JOIN editions ON editions.id = passages.edition AND editions.live
     WHERE passages.lexemes @@ ?::tsquery
     ORDER BY ${worth} DESC, passages.id LIMIT ?`,
    [
      forms.map(queryOf).join(' | '),
      ...forms.flatMap((form) => [rarity(statistics, form), queryOf(form)]),
      limit,
    ],
  );
  return rows.map(toCandidate);
}

/** What a word says about a passage: the less, the more passages have it. */
function rarity({ passages, frequencies }: TermStatistics, form: string): number {
  const frequency = frequencies.get(form) ?? 0;
  return Math.log(1 + Math.max(passages - frequency + 0.5, 0.5) / (frequency + 0.5));
}

function toCandidate({ id, terms }: FoundRow): LexicalCandidate {
  return { passageId: id, terms };
}
