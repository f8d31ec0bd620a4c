import type { Knex } from 'knex';
import type { IngestedFacts, Work } from '../../src/core/knowledge/document.js';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { rawRows } from '../query/raw-rows.js';
import { storable, storableOrNull } from '../query/values.js';
import { mine } from './document-queue.js';
import { applyDecisions } from './decisions/rewrite-passages.js';
import { type DocumentRow, faultsToColumn, nothingToDo, READ, waitingFor } from './document-rows.js';
import { writeInto } from './edition-writing.js';

type Editions = Pick<DocumentStore, 'beginEdition' | 'publish' | 'publishAtOnce'>;

export function createEditions(db: Knex): Editions {
  return {
    beginEdition: (work) => begin(db, work),

    publish: (work, edition, facts) => db.transaction((trx) => publish(trx, { work, edition, facts })),

    publishAtOnce: (work, part, facts) =>
      db.transaction(async (trx) => {
        const edition = await begin(trx, work);
        if (edition === undefined) return false;
        await writeInto(trx, edition, part);
        return await publish(trx, { work, edition, facts });
      }),
  };
}

async function begin(db: Knex, { document, claim }: Work): Promise<number | undefined> {
  const [edition] = await rawRows<{ readonly id: number }>(
    db,
    `INSERT INTO editions (collection_seq, document_seq, claim)
     SELECT collection_seq, seq, claim FROM documents WHERE id = ? AND claim = ? RETURNING id`,
    [document.id, claim],
  );
  return edition?.id;
}

interface Publication {
  readonly work: Work;
  readonly edition: number;
  readonly facts: IngestedFacts;
}

/** The row of the document decides: whoever deletes or queues it at the same time comes before this or after it. */
async function publish(trx: Knex.Transaction, { work, edition, facts }: Publication): Promise<boolean> {
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
        ...nothingToDo(),
      },
      ['seq', 'off_until'],
    );
  if (!document) return false;
  await trx.raw(
    `UPDATE editions SET live = (id = ?), claim = CASE id WHEN ? THEN NULL ELSE claim END,
       off_until = CASE id WHEN ? THEN ? ELSE off_until END
     WHERE document_seq = ? AND (live OR id = ?)`,
    [edition, edition, edition, document.off_until, document.seq, edition],
  );
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
