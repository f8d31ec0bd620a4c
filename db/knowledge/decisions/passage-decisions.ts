import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { PassageDecision, StoredDecision, StoredPassage } from '../../../src/core/knowledge/passage.js';
import type { DocumentStore } from '../../../src/core/knowledge/stores.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { isRowId, now, storable } from '../../query/values.js';
import { documentsIn, waitingFor } from '../document-rows.js';
import { livePassages } from '../passage-rows.js';
import { indexableTerms, joinTerms } from '../terms.js';
import { applyDecisions, passagesThatSay, rewritePassages } from './rewrite-passages.js';

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
  const rows = await passagesThatSay(trx, document.edition, original);
  // The document was read anew in this very moment, and says something else now.
  if (rows.length === 0) return undefined;
  await keep(trx, { ...about, collection_seq: document.collection_seq }, { passage, original, decision });
  const lacksVectors = await rewritePassages(trx, document, {
    rows,
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
