import type { Knex } from 'knex';
import type { IngestedFacts, Work } from '../../src/core/knowledge/document.js';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { rawRows } from '../query/raw-rows.js';
import { storable, storableOrNull } from '../query/values.js';
import { mine } from './document-queue.js';
import { type DocumentRow, faultsToColumn, nothingToDo, READ, waitingFor } from './document-rows.js';
import { applyDecisions } from './decisions/rewrite-passages.js';

type Editions = Pick<DocumentStore, 'beginEdition' | 'publish'>;

export function createEditions(db: Knex): Editions {
  return {
    async beginEdition({ document, claim }) {
      const [edition] = await rawRows<{ readonly id: number }>(
        db,
        `INSERT INTO editions (collection_seq, document_seq, claim)
         SELECT collection_seq, seq, claim FROM documents WHERE id = ? AND claim = ? RETURNING id`,
        [document.id, claim],
      );
      return edition?.id;
    },

    publish: (work, edition, facts) => db.transaction((trx) => publish(trx, { work, edition, facts })),
  };
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
  await trx('editions').where('document_seq', document.seq).where('live', true).update({ live: false });
  await trx('editions')
    .where('id', edition)
    .update({ live: true, claim: null, off_until: document.off_until });
  const lacksVectors = await applyDecisions(trx, edition, { isPublished: true });
  // Decided while it was being embedded.
  if (lacksVectors && facts.embeddedWith !== undefined)
    await trx('documents').where('seq', document.seq).update(waitingFor('embed'));
  return true;
}

function columnsOf({ format, pages, language, faults, embeddedWith }: IngestedFacts) {
  return {
    format: storable(format),
    pages: pages ?? null,
    language: storable(language),
    faults: faultsToColumn(faults),
    embedded_with: storableOrNull(embeddedWith),
  };
}
