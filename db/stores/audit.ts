import type { Knex } from 'knex';
import type { AuditEntry, AuditFilter, AuditRecord } from '../../src/core/access/audit.js';
import type { AuditStore, Timestamp } from '../../src/core/stores.js';
import { byTimeAndRow, pageOf } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { isRowId, now, storable, storableOrNull } from '../query/values.js';

interface AuditRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly organization_id: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: AuditEntry['outcome'];
  readonly reason: string;
  readonly run_id: string | null;
  readonly created_at: Timestamp;
  /** Looked up in users; null once there is nobody of that id. */
  readonly user_email: string | null;
}

const NEWEST_FIRST = byTimeAndRow<AuditRow>('created_at', (row) => [row.created_at, row.id]);

/** Read by the reader: a search may look at all that there is. */
export function createAuditStore(db: Knex, reader: Knex): AuditStore {
  return {
    async record(entry) {
      await db('audit').insert({
        user_id: entry.userId,
        organization_id: entry.organizationId,
        action: storable(entry.action),
        resource: storable(entry.resource),
        outcome: entry.outcome,
        reason: storable(entry.reason),
        run_id: storableOrNull(entry.runId),
        created_at: now(),
      });
    },

    async list(filter, page) {
      const email = reader('users').select('email').whereRaw('users.id = audit.user_id').as('user_email');
      const rows = narrowed(reader, reader('audit').select('audit.*', email), filter);
      const { data, nextCursor } = await pageOf(rows, NEWEST_FIRST, page);
      return { data: data.map(toRecord), nextCursor };
    },
  };
}

function narrowed(db: Knex, rows: Knex.QueryBuilder, filter: AuditFilter): Knex.QueryBuilder {
  const { organizationId, userId, outcome, q, since, before } = filter;
  if (organizationId !== undefined) rows.where('organization_id', organizationId);
  if (userId !== undefined) rows.where('user_id', isRowId(userId) ? userId : 0);
  if (outcome !== undefined) rows.where('outcome', outcome);
  if (since !== undefined) rows.where('created_at', '>=', since);
  if (before !== undefined) rows.where('created_at', '<', before);
  if (q !== undefined) {
    rows.where((any) => {
      const people = onlyContaining(db('users').select('id'), ['email'], q);
      onlyContaining(any, ['action', 'resource', 'reason'], q).orWhereIn('user_id', people);
    });
  }
  return rows;
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.created_at,
    userId: row.user_id,
    userEmail: row.user_email,
    organizationId: row.organization_id,
    action: row.action,
    resource: row.resource,
    outcome: row.outcome,
    reason: row.reason,
    runId: row.run_id,
  };
}
