import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Work } from '../../src/core/knowledge/document.js';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { now, storable, wholeNumber } from '../query/values.js';
import {
  type DocumentRow,
  faultsToColumn,
  nothingToDo,
  orSameDocument,
  READ,
  toDocument,
  UNREAD,
} from './document-rows.js';

type DocumentWork = Pick<DocumentStore, 'claim' | 'claimMore' | 'report' | 'release' | 'postpone' | 'fail'>;

export function createDocumentWork(db: Knex): DocumentWork {
  const claimed = claimingStatement(isPostgres(db));
  const giveBack = async (work: Work, leaseUntil: string | null) => {
    await mine(db, work).update({
      ...(work.kind === 'ingest' ? UNREAD : READ),
      claim: null,
      lease_until: leaseUntil,
      attempts: work.attempts - 1,
      updated_at: now(),
    });
  };

  return {
    async claim({ ms }) {
      const at = now();
      const [row] = await rawRows<ClaimedRow>(db, claimed, [at, randomUUID(), at, until(ms), at, at]);
      return row && toWork(row);
    },

    async claimMore({ document }, most, { ms }) {
      const at = now();
      const endings = most.extensions.map((extension) => `%.${extension}`);
      const rows = await rawRows<ClaimedRow>(db, claimingMore(isPostgres(db), endings.length), [
        ...[randomUUID(), at, until(ms), at],
        ...[document.id, most.bytes, ...endings, at, most.documents],
      ]);
      return rows.map(toWork);
    },

    async report(work, { stage, progress, bytes, sha256, filename }, { ms }) {
      const count = await mine(db, work)
        .update({
          stage,
          progress: Math.min(wholeNumber(progress), 100),
          ...(bytes === undefined ? {} : { bytes }),
          ...(sha256 === undefined ? {} : { sha256: storable(sha256) }),
          ...(filename === undefined ? {} : { filename: storable(filename) }),
          lease_until: until(ms),
          updated_at: now(),
        })
        .catch(orSameDocument);
      return count > 0;
    },

    release: (work) => giveBack(work, null),

    postpone: (work, { ms }) => giveBack(work, until(ms)),

    async fail(work, error, faults, { needsOcr = false, errorCode } = {}) {
      await mine(db, work).update({
        // Without vectors it can still be found by its words.
        ...(work.kind === 'ingest' ? { status: 'failed' } : READ),
        error: storable(error),
        error_code: errorCode ?? null,
        faults: faultsToColumn(faults),
        needs_ocr: needsOcr,
        ...nothingToDo(),
      });
    },
  };
}

/** The document of a claim, unless it is gone or somebody else's by now. */
export function mine(db: Knex, { document, claim }: Work): Knex.QueryBuilder {
  return db('documents').where({ id: document.id, claim });
}

type ClaimedRow = DocumentRow & {
  readonly claim: string;
  readonly collection_id: string;
  readonly organization_id: number;
  readonly owner_id: number;
  /** SQLite has no truth of its own. */
  readonly ocr: boolean | number;
};

/** So many may ask at the same moment for the work of one collection before one of them goes away with nothing. */
const AT_ONCE = 8;

/**
 * One statement, so that of many who ask at once each gets another. Whose turn it is goes round: among the owners with
 * work that waits the one whose last turn is longest ago, among their collections likewise, and of those the oldest. Five
 * hundred documents keep nobody else waiting for more than one of them, nor another collection of the same owner.
 * Goes from collection to collection along the index, and never through all that waits in one.
 */
function claimingStatement(postgres: boolean): string {
  // SQLite, which knows no sizes, would go along another index through all that has been read.
  const waiting = postgres ? 'documents' : 'documents INDEXED BY documents_waiting';
  const next = `SELECT seq FROM ${waiting}
    WHERE work IS NOT NULL AND documents.collection_seq = busy.collection_seq
      AND (lease_until IS NULL OR lease_until < ?)
    ORDER BY queued_at, seq LIMIT`;
  return `
    WITH RECURSIVE busy (collection_seq) AS (
      SELECT min(collection_seq) FROM ${waiting} WHERE work IS NOT NULL
      UNION ALL
      SELECT (
        SELECT min(collection_seq) FROM ${waiting}
        WHERE work IS NOT NULL AND documents.collection_seq > busy.collection_seq
      ) FROM busy WHERE busy.collection_seq IS NOT NULL
    ),
    next (seq) AS ${
      postgres
        ? `(SELECT of_one.seq FROM busy CROSS JOIN LATERAL (${next} ${String(AT_ONCE)}) AS of_one)`
        : `MATERIALIZED (SELECT (${next} 1) FROM busy)`
    }
    ${CLAIM}
    WHERE seq = (
      SELECT waiting.seq FROM next CROSS JOIN documents AS waiting
      WHERE waiting.seq = next.seq
        AND waiting.work IS NOT NULL AND (waiting.lease_until IS NULL OR waiting.lease_until < ?)
      ORDER BY
        coalesce((SELECT max(claimed_at) FROM documents WHERE documents.owner_id = waiting.owner_id), ''),
        coalesce((SELECT max(claimed_at) FROM documents WHERE documents.collection_seq = waiting.collection_seq), ''),
        waiting.queued_at, waiting.seq
      LIMIT 1 ${postgres ? 'FOR UPDATE OF waiting SKIP LOCKED' : ''}
    )
    ${CLAIMED}`;
}

const CLAIM = `UPDATE documents SET
  claim = ? || '.' || seq, claimed_at = ?, lease_until = ?, attempts = attempts + 1,
  status = CASE work WHEN 'ingest' THEN 'processing' ELSE status END, updated_at = ?`;

const CLAIMED = `RETURNING *,
  (SELECT id FROM collections WHERE collections.seq = documents.collection_seq) AS collection_id,
  (SELECT ocr FROM collections WHERE collections.seq = documents.collection_seq) AS ocr,
  (SELECT organization_id FROM collections WHERE collections.seq = documents.collection_seq) AS organization_id`;

/** Nothing over which somebody may have died. */
function claimingMore(postgres: boolean, endings: number): string {
  return `${CLAIM}
    WHERE seq IN (
      SELECT seq FROM ${postgres ? 'documents' : 'documents INDEXED BY documents_waiting'}
      WHERE collection_seq = (SELECT collection_seq FROM documents WHERE id = ?)
        AND work IS NOT NULL AND work = 'ingest' AND attempts = 0 AND source_url IS NULL AND bytes <= ?
        AND (${Array.from({ length: endings }, () => 'lower(filename) LIKE ?').join(' OR ')})
        AND (lease_until IS NULL OR lease_until < ?)
      ORDER BY queued_at, seq LIMIT ? ${postgres ? 'FOR UPDATE SKIP LOCKED' : ''}
    )
    ${CLAIMED}`;
}

function toWork(row: ClaimedRow): Work {
  return {
    kind: row.work ?? 'ingest',
    document: toDocument(row, row.collection_id),
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    ocr: Boolean(row.ocr),
    attempts: row.attempts,
    claim: row.claim,
  };
}

function until(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
