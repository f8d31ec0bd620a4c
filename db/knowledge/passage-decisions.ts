import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { PassageDecision, StoredDecision, StoredPassage } from '../../src/core/knowledge/passage.js';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import type { Timestamp } from '../../src/core/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { isRowId, now, storable } from '../query/values.js';
import { documentsIn, waitingFor } from './document-rows.js';
import { livePassages } from './passage-rows.js';
import { changeCounts, indexableTerms, joinTerms, scoped, splitTerms, tsvectorOf } from './terms.js';

type Decisions = Pick<
  DocumentStore,
  'decide' | 'applyDecisions' | 'decisions' | 'forgetDecision' | 'positions'
>;
type OnePassage = DocumentStore['passage'];

export function createPassageDecisions(db: Knex, passageAt: OnePassage): Decisions {
  return {
    async decide(passage, decision, { mostPinned }) {
      const outcome = await db.transaction((trx) => decide(trx, passage, { decision, mostPinned }));
      if (outcome !== 'done') return outcome;
      return passageAt(passage.collectionId, passage.documentId, passage.position);
    },

    async applyDecisions(edition) {
      await db.transaction((trx) => applyDecisions(trx, edition, { isPublished: false }));
    },

    async decisions(collectionId, id) {
      const rows = (await decisionsOf(db, collectionId, id).orderBy('id')) as DecisionRow[];
      return rows.map(toDecision);
    },

    async forgetDecision(collectionId, id, decision) {
      if (!isRowId(decision)) return false;
      const stale = decisionsOf(db, collectionId, id).where({ id: decision, applies: false });
      return (await stale.del()) > 0;
    },

    async positions(collectionId, id, originals) {
      if (originals.length === 0) return [];
      return (await livePassages(db)
        .where({ 'documents.id': storable(id), 'collections.id': storable(collectionId) })
        .whereRaw(`coalesce(passages.original, passages.text) IN (${originals.map(() => '?').join(', ')})`, [
          ...originals.map(storable),
        ])
        .clearSelect()
        .select('passages.position', db.raw('coalesce(passages.original, passages.text) AS original'))
        .orderBy('passages.position')) as { readonly original: string; readonly position: number }[];
    },
  };
}

interface DecisionRow {
  readonly id: number;
  readonly original: string;
  readonly page: number | null;
  readonly off: boolean | number;
  readonly pinned: boolean | number;
  readonly corrected: string | null;
  readonly applies: boolean | number;
  readonly updated_at: Timestamp;
}

function decisionsOf(db: Knex, collectionId: string, id: string): Knex.QueryBuilder {
  const document = documentsIn(db, collectionId).where('id', storable(id)).select('seq');
  return db('passage_decisions').where('document_seq', document);
}

function toDecision(row: DecisionRow): StoredDecision {
  return {
    id: row.id,
    original: row.original,
    page: row.page ?? undefined,
    off: Boolean(row.off),
    pinned: Boolean(row.pinned),
    corrected: row.corrected ?? undefined,
    applies: Boolean(row.applies),
    updatedAt: row.updated_at,
  };
}

interface DecidedDocument {
  readonly seq: number;
  readonly collection_seq: number;
  readonly edition: number;
  readonly embedded_with: string | null;
  readonly work: string | null;
}

async function decide(
  trx: Knex.Transaction,
  passage: StoredPassage,
  { decision, mostPinned }: { readonly decision: PassageDecision; readonly mostPinned: number },
): Promise<'done' | 'too many pinned' | undefined> {
  // Locked: whoever publishes or deletes it comes before this or after it.
  const [document]: DecidedDocument[] = await documentsIn(trx, passage.collectionId)
    .where('id', storable(passage.documentId))
    .whereNotNull('edition')
    .update({ updated_at: now() }, ['seq', 'collection_seq', 'edition', 'embedded_with', 'work']);
  if (!document) return undefined;

  const original = passage.original ?? passage.text;
  const about = { document_seq: document.seq, original_hash: hashOf(original) };
  if (decision.pinned && (await pinnedBeside(trx, document.collection_seq, about)) >= mostPinned)
    return 'too many pinned';
  await keep(trx, { ...about, collection_seq: document.collection_seq }, { passage, original, decision });
  const lacksVectors = await bringInto(trx, document, {
    rows: await passagesThatSay(trx, document.edition, original),
    wanted: () => ({ ...decision, terms: indexableTerms(decision.terms) }),
  });
  // What is being read anew gets its vectors with the rest.
  if (lacksVectors && document.embedded_with !== null && document.work !== 'ingest')
    await trx('documents').where('seq', document.seq).update(waitingFor('embed'));
  return 'done';
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function pinnedBeside(
  trx: Knex,
  collectionSeq: number,
  about: { readonly document_seq: number; readonly original_hash: string },
): Promise<number> {
  const [counted]: { readonly others: number | string }[] = await trx('passage_decisions')
    .where({ collection_seq: collectionSeq, pinned: true, applies: true })
    .whereRaw('NOT (document_seq = ? AND original_hash = ?)', [about.document_seq, about.original_hash])
    .count({ others: '*' });
  return Number(counted?.others ?? 0);
}

async function keep(
  trx: Knex,
  key: { readonly document_seq: number; readonly original_hash: string; readonly collection_seq: number },
  told: { readonly passage: StoredPassage; readonly original: string; readonly decision: PassageDecision },
): Promise<void> {
  const { off, pinned, corrected, terms } = told.decision;
  if (!off && !pinned && corrected === undefined) {
    await trx('passage_decisions').where(key).del();
    return;
  }
  await trx('passage_decisions')
    .insert({
      ...key,
      original: storable(told.original),
      page: told.passage.page ?? null,
      ...{ off, pinned, applies: true, updated_at: now() },
      corrected: corrected === undefined ? null : storable(corrected),
      corrected_terms: corrected === undefined ? null : joinTerms(indexableTerms(terms)),
    })
    .onConflict(['document_seq', 'original_hash'])
    .merge();
}

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

async function passagesThatSay(trx: Knex, edition: number, original: string): Promise<DecidedPassage[]> {
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
async function bringInto<Row extends DecidedPassage>(
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
  return bringInto(trx, place, {
    rows,
    wanted: (row) => ({
      off: Boolean(row.want_off),
      pinned: Boolean(row.want_pinned),
      corrected: row.corrected ?? undefined,
      terms: splitTerms(row.corrected_terms ?? ''),
    }),
  });
}
