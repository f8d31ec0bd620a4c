import type { Knex } from 'knex';
import type { PassageDecision } from '../../../src/core/knowledge/passage.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { storable } from '../../query/values.js';
import { changeCounts, joinTerms, scoped, splitTerms, tsvectorOf } from '../terms.js';

interface DecidedPassage {
  readonly id: number;
  readonly section_id: number;
  readonly terms: string;
  readonly text: string;
  readonly original: string | null;
  readonly off: boolean | number;
}

const PASSAGE_COLUMNS = ['id', 'section_id', 'terms', 'text', 'original', 'off'].map(
  (name) => `passages.${name}`,
);

export async function passagesThatSay(
  trx: Knex,
  edition: number,
  original: string,
): Promise<DecidedPassage[]> {
  return trx('passages')
    .where({ edition })
    .whereRaw('coalesce(original, text) = ?', [storable(original)])
    .select<DecidedPassage[]>(PASSAGE_COLUMNS);
}

type Wanted = Pick<PassageDecision, 'off' | 'pinned' | 'corrected' | 'terms'>;

interface Place {
  readonly collection_seq: number;
  readonly edition: number;
}

/** Has passages be as it was decided, index and all; true when some of them need vectors of their own now. */
export async function rewritePassages<Row extends DecidedPassage>(
  trx: Knex.Transaction,
  place: Place,
  { rows, wanted }: { readonly rows: readonly Row[]; readonly wanted: (row: Row) => Wanted },
): Promise<boolean> {
  let lacksVectors = false;
  const sections = new Set<number>();
  for (const row of rows) {
    const want = wanted(row);
    await trx('pinned_passages').where('passage_id', row.id).del();
    if (want.pinned) await trx('pinned_passages').insert({ passage_id: row.id, edition: place.edition });
    const isSame = want.off === Boolean(row.off) && (want.corrected ?? row.original ?? row.text) === row.text;
    if (isSame) continue;
    await rewrite(trx, place, { row, want });
    sections.add(row.section_id);
    lacksVectors ||= !want.off;
  }
  for (const id of sections) await editSection(trx, place.edition, id);
  return lacksVectors;
}

async function rewrite(
  trx: Knex.Transaction,
  { collection_seq: collectionSeq }: Place,
  { row, want }: { readonly row: DecidedPassage; readonly want: Wanted },
): Promise<void> {
  const original = row.original ?? row.text;
  const text = want.corrected === undefined ? original : storable(want.corrected);
  const before = splitTerms(row.terms);
  const terms = text === row.text ? before : want.terms;
  await trx('passages')
    .where('id', row.id)
    .update({
      text,
      original: text === original ? null : original,
      terms: joinTerms(terms),
      off: want.off,
    });
  if (terms !== before) {
    await changeCounts(trx, { collectionSeq, terms: [before], by: -1 });
    await changeCounts(trx, { collectionSeq, terms: [terms], by: 1 });
  }
  // What an outline still leads to has no vector, and so is not found by it.
  await trx('passage_vectors').where('passage_id', row.id).del();
  if (isPostgres(trx)) {
    const lexemes = want.off ? null : tsvectorOf(collectionSeq, terms);
    await trx.raw('UPDATE passages SET lexemes = ?::tsvector WHERE id = ?', [lexemes, row.id]);
    return;
  }
  await trx('passage_index').where('rowid', row.id).del();
  if (want.off) return;
  const indexed = joinTerms(terms.map((term) => scoped(collectionSeq, term)));
  await trx.raw('INSERT INTO passage_index (rowid, terms) VALUES (?, ?)', [row.id, indexed]);
}

interface SectionPart {
  readonly start_at: number;
  readonly end_at: number;
  readonly off: boolean | number;
  readonly text: string;
}

/** The text of a section as a model may read it around a passage. */
async function editSection(trx: Knex, edition: number, id: number): Promise<void> {
  const section = await trx('sections')
    .where({ id })
    .first<{ readonly start_at: number; readonly text: string } | undefined>('start_at', 'text');
  if (!section) return;
  const parts: SectionPart[] = await trx('passages')
    .where({ edition, section_id: id })
    .where((decided) => void decided.where('off', true).orWhereNotNull('original'))
    .orderBy('position')
    .select('start_at', 'end_at', 'off', 'text');
  let edited = '';
  let at = 0;
  for (const part of parts) {
    const from = Math.max(at, part.start_at - section.start_at);
    const to = Math.min(part.end_at - section.start_at, section.text.length);
    if (to <= from) continue;
    edited += section.text.slice(at, from) + (part.off ? '' : part.text);
    at = to;
  }
  edited += section.text.slice(at);
  await trx('sections')
    .where({ id })
    .update({ edited: parts.length === 0 ? null : edited });
}

interface MatchedPassage extends DecidedPassage {
  readonly decision: number;
  readonly want_off: boolean | number;
  readonly want_pinned: boolean | number;
  readonly corrected: string | null;
  readonly corrected_terms: string | null;
}

/**
 * Has an edition be as it was decided about the texts of its document; true when some of it needs vectors of its own now.
 * Once it is published the decisions that fit nothing in it are told from the others.
 */
export async function applyDecisions(
  trx: Knex.Transaction,
  edition: number,
  { isPublished }: { readonly isPublished: boolean },
): Promise<boolean> {
  const [place] = await rawRows<Place & { readonly document_seq: number }>(
    trx,
    `SELECT editions.id AS edition, collection_seq, document_seq FROM editions
     WHERE id = ? AND EXISTS (
       SELECT 1 FROM passage_decisions WHERE passage_decisions.document_seq = editions.document_seq
     )`,
    [edition],
  );
  if (!place) return false;
  const rows = await rawRows<MatchedPassage>(
    trx,
    `SELECT ${PASSAGE_COLUMNS.join(', ')}, decided.id AS decision, decided.off AS want_off,
       decided.pinned AS want_pinned, decided.corrected, decided.corrected_terms
     FROM passages JOIN passage_decisions AS decided
       ON decided.document_seq = ? AND decided.original = coalesce(passages.original, passages.text)
     WHERE passages.edition = ?`,
    [place.document_seq, edition],
  );
  if (isPublished) {
    const matched = rows.map(({ decision }) => decision);
    const decisions = () => trx('passage_decisions').where('document_seq', place.document_seq);
    await decisions().whereIn('id', matched).update({ applies: true });
    await decisions().whereNotIn('id', matched).update({ applies: false });
  }
  return rewritePassages(trx, place, {
    rows,
    wanted: (row) => ({
      off: Boolean(row.want_off),
      pinned: Boolean(row.want_pinned),
      corrected: row.corrected ?? undefined,
      terms: splitTerms(row.corrected_terms ?? ''),
    }),
  });
}
