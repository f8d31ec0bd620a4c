import type { Knex } from 'knex';
import type { AuditStore } from '../../src/core/stores.js';
import { storable, storableOrNull } from '../column-values.js';
import { now } from '../now.js';

export function createAuditStore(db: Knex): AuditStore {
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
  };
}
