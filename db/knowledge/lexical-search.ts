import type { Knex } from 'knex';
import type { LexicalCandidate, TermStatistics } from '../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { now } from '../query/values.js';
import { FINDABLE, IS_PINNED } from './passage-rows.js';
import {
  type CandidateQuery,
  candidateQueries,
  ftsQuoted,
  scoped,
  tsQuoted,
  type Wanted,
  type Word,
} from './terms.js';

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

async function findInSqlite(db: Knex, search: Search): Promise<readonly FoundRow[]> {
  const { limit, tags } = search;
  const scores = await scoresOf(db, search);
  const found: FoundRow[] = [];
  for (let most = Math.ceil(limit * SPARE); scores.size > 0 && found.length < limit; most *= MUCH_MORE) {
    const ids = takeBest(scores, most);
    const rows = await rawRows<FoundRow>(db, tags.length > 0 ? FIND_TAGGED : FIND, [
      ...[JSON.stringify(ids), now()],
      ...(tags.length > 0 ? [JSON.stringify(tags)] : []),
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    found.push(...ids.flatMap((id) => byId.get(id) ?? []));
  }
  return found.slice(0, limit);
}

const FIND = `
  SELECT passages.id, passages.terms, ${IS_PINNED} AS pinned
  FROM json_each(?) AS place
  CROSS JOIN passages ON passages.id = place.value
  CROSS JOIN editions ON editions.id = passages.edition
  WHERE ${FINDABLE}`;

const FIND_TAGGED = `${FIND} AND ${taggedEdition('SELECT value FROM json_each(?)')}`;

/** So many places of one word count: what is everywhere tells nothing. */
const MOST_PLACES = 50_000;

/** The passages of each word, as often as it stands there, and of those words that are wanted together. */
const PLACES = `
  SELECT (
    SELECT json_group_array(doc)
    FROM (SELECT doc FROM passage_places WHERE term = word.value LIMIT ${String(MOST_PLACES)})
  ) AS ids, word.key AS number, false AS together
  FROM json_each(?) AS word
  UNION ALL
  SELECT (
    SELECT json_group_array(rowid)
    FROM (SELECT rowid FROM passage_index WHERE passage_index MATCH words.value LIMIT ${String(MOST_PLACES)})
  ), words.key, true
  FROM json_each(?) AS words`;

interface PlacesRow {
  readonly ids: string;
  readonly number: number;
  readonly together: 0 | 1;
}

/**
 * The passages that have what is wanted, with their BM25 as if all were equally long. Counted here, since FTS5 would look
 * up the length of each passage and all places of all words in it.
 */
async function scoresOf(db: Knex, { seqs, wanted, statistics }: Search): Promise<Map<number, number>> {
  const isPlain = (words: Wanted) =>
    words.length === 1 && words.every(({ forms }) => forms.every(isOneToken));
  const alone = wanted.filter(isPlain).flat();
  const together = wanted.filter((words) => !isPlain(words));
  const places = alone.flatMap((word) =>
    word.forms.flatMap((form) => seqs.map((seq) => ({ words: [word], term: scoped(seq, form) }))),
  );
  const anyOf = ({ forms }: Word) =>
    `(${forms.flatMap((form) => seqs.map((seq) => ftsQuoted(scoped(seq, form)))).join(' OR ')})`;
  const rows = await rawRows<PlacesRow>(db, PLACES, [
    JSON.stringify(places.map(({ term }) => term)),
    JSON.stringify(together.map((words) => words.map(anyOf).join(' AND '))),
  ]);
  const scores = new Map<number, number>();
  for (const { ids, number, together: isTogether } of rows) {
    const words = (isTogether ? together[number] : places[number]?.words) ?? [];
    const worth = words.reduce((sum, { frequency }) => sum + rarity(statistics, frequency), 0);
    addScores(scores, JSON.parse(ids) as readonly number[], worth);
  }
  return scores;
}

/** Best first. Of many thousand only those are put in order. */
function takeBest(scores: Map<number, number>, most: number): readonly number[] {
  const sorted = Float64Array.from(scores.values()).sort();
  const least = sorted[sorted.length - most] ?? 0;
  const best: [id: number, score: number][] = [];
  const last: [id: number, score: number][] = [];
  for (const [id, score] of scores) if (score >= least) (score > least ? best : last).push([id, score]);
  const taken = [...best, ...last.slice(0, most - best.length)].sort(([a, x], [b, y]) => y - x || a - b);
  for (const [id] of taken) scores.delete(id);
  return taken.map(([id]) => id);
}

/** The index parts what it is given at every other sign of ASCII: such a word is several in a row there. */
const isOneToken = (form: string) => /^[\w\u0080-\u{10ffff}]+$/u.test(form);

/** As the finer ranking has it for a passage of average length. */
const SATURATION = 0.9;

/** A passage comes once for each place of the word in it, one after the other. */
function addScores(scores: Map<number, number>, ids: readonly number[], worth: number): void {
  for (let from = 0, to = 0; from < ids.length; from = to) {
    const id = ids[from] ?? 0;
    while (ids[to] === id) to++;
    const times = to - from;
    scores.set(id, (scores.get(id) ?? 0) + (worth * times) / (times + SATURATION));
  }
}

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
  const anyOf = ({ forms }: Word) => `(${forms.map(queryOf).join(' | ')})`;
  const match = wanted.map((words) => `(${words.map(anyOf).join(' & ')})`).join(' | ');
  const forms = [...new Set(wanted.flat().flatMap((word) => word.forms))];
  return rawRows<FoundRow>(
    db,
    `SELECT passages.id, passages.terms, ${IS_PINNED} AS pinned
     FROM passages JOIN editions ON editions.id = passages.edition AND ${FINDABLE}
     WHERE passages.lexemes @@ ?::tsquery
       ${tags.length > 0 ? `AND ${taggedEdition(tags.map(() => '?').join(', '))}` : ''}
     ORDER BY ${forms.map(() => WORTH).join(' + ')} DESC, passages.id LIMIT ?`,
    [
      now(),
      match,
      ...tags,
      ...forms.flatMap((form) => [rarity(statistics, statistics.frequencies.get(form) ?? 0), queryOf(form)]),
      limit,
    ],
  );
}

/** Whatever the length of a passage: to ask for it takes as long as all the rest, and the finer ranking does. */
const WORTH = '?::float8 * ts_rank(passages.lexemes, ?::tsquery)';

/** What a word says about a passage: the less, the more passages have it. */
function rarity({ passages }: TermStatistics, frequency: number): number {
  return Math.log(1 + Math.max(passages - frequency + 0.5, 0.5) / (frequency + 0.5));
}

function toCandidate({ id, terms, pinned }: FoundRow): LexicalCandidate {
  return { passageId: id, terms, isPinned: Boolean(pinned) };
}
