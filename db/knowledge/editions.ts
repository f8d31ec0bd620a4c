import type { Knex } from 'knex';
import type { IngestedFacts, Work } from '../../src/core/knowledge/document.js';
import type { DocumentStore, Publication } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { storable, storableOrNull } from '../query/values.js';
import { mine } from './document-queue.js';
import { applyDecisions } from './decisions/rewrite-passages.js';
import { type DocumentRow, faultsToColumn, nothingToDo, READ, waitingFor } from './document-rows.js';
import { countTerms, writeRows, type WrittenText } from './edition-writing.js';

type Editions = Pick<DocumentStore, 'beginEdition' | 'publish' | 'publishAtOnce'>;

export function createEditions(db: Knex): Editions {
  return {
    beginEdition: async (work) => (await begin(db, work, NOTHING_YET))?.id,

    publish: (work, edition, facts) => db.transaction((trx) => publish(trx, { work, edition, facts })),

    publishAtOnce: (publications) =>
      db.transaction(async (trx) => {
        const written: Publishing[] = [];
        const texts: WrittenText[] = [];
        for (const { work, part, facts } of publications) {
          const begun = await begin(trx, work, part);
          if (!begun) continue;
          const { id: edition, collection_seq: collectionSeq } = begun;
          texts.push(await writeRows(trx, { edition, collectionSeq, section: 0, passage: 0 }, part));
          written.push({ work, edition, facts });
        }
        await countTerms(trx, texts);
        for (const each of written) await publish(trx, each);
      }),
  };
}

const NOTHING_YET: Publication['part'] = { sections: [], passages: [] };

/** With as many rows as will be in it right away. */
async function begin(
  db: Knex,
  { document, claim }: Work,
  { sections, passages }: Publication['part'],
): Promise<{ readonly id: number; readonly collection_seq: number } | undefined> {
  const number = isPostgres(db) ? '?::integer' : '?';
  const [edition] = await rawRows<{ readonly id: number; readonly collection_seq: number }>(
    db,
    `INSERT INTO editions (collection_seq, document_seq, claim, sections, passages)
     SELECT collection_seq, seq, claim, ${number}, ${number} FROM documents WHERE id = ? AND claim = ?
     RETURNING id, collection_seq`,
    [sections.length, passages.length, document.id, claim],
  );
  return edition;
}

interface Publishing {
  readonly work: Work;
  readonly edition: number;
  readonly facts: IngestedFacts;
}

/** The row of the document decides: whoever deletes or queues it at the same time comes before this or after it. */
async function publish(trx: Knex.Transaction, { work, edition, facts }: Publishing): Promise<boolean> {
  const written = trx('editions').where({ id: edition, claim: work.claim });
  const [document]: Pick<DocumentRow, 'seq' | 'off_until'>[] = await mine(trx, work)
    .whereExists(written.clone())
    .update(
      {
        edition,
        passages: written.clone().select('passages'),
        ...columnsOf(facts),
        ...READ,
        error: null,
        error_code: null,
        ...nothingToDo(),
      },
      ['seq', 'off_until'],
    );
  if (!document) return false;
  const [published] = await rawRows<{ readonly decided: boolean | number }>(
    trx,
    `UPDATE editions SET live = (id = ?), claim = CASE id WHEN ? THEN NULL ELSE claim END,
       off_until = CASE id WHEN ? THEN ? ELSE off_until END
     WHERE document_seq = ? AND (live OR id = ?)
     RETURNING EXISTS (
       SELECT 1 FROM passage_decisions WHERE passage_decisions.document_seq = editions.document_seq
     ) AS decided`,
    [edition, edition, edition, document.off_until, document.seq, edition],
  );
  if (!published?.decided) return true;
  const lacksVectors = await applyDecisions(trx, edition, { isPublished: true });
  // Decided while it was being embedded.
  if (lacksVectors && facts.embeddedWith !== undefined)
    await trx('documents').where('seq', document.seq).update(waitingFor('embed'));
  return true;
}

function columnsOf({ format, pages, language, faults, embeddedWith, needsOcr = false }: IngestedFacts) {
  return {
    format: storable(format),
    pages: pages ?? null,
    language: storable(language),
    faults: faultsToColumn(faults),
    embedded_with: storableOrNull(embeddedWith),
    needs_ocr: needsOcr,
  };
}
