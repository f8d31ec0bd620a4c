import type { Knex } from 'knex';
import type { VerdictStore } from '../../../src/core/scenarios/suite-run.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { isRowId, now } from '../../query/values.js';

interface VerdictRow {
  readonly assistant_id: number;
  readonly version: number;
  readonly content_hash: string;
  readonly passed: boolean | number;
  readonly created_at: Timestamp;
}

export function createVerdictStore(db: Knex): VerdictStore {
  return {
    async put({ assistantId, version, contentHash, passed }) {
      await db('suite_verdicts')
        .insert({
          ...{ assistant_id: assistantId, version, content_hash: contentHash, passed, created_at: now() },
        })
        .onConflict('assistant_id')
        .merge();
    },

    async of(assistantIds) {
      const ids = assistantIds.filter(isRowId);
      if (ids.length === 0) return new Map();
      const rows = await db<VerdictRow>('suite_verdicts').whereIn('assistant_id', ids);
      return new Map(
        rows.map(({ assistant_id, version, content_hash, passed, created_at }) => [
          assistant_id,
          {
            ...{ assistantId: assistant_id, version, contentHash: content_hash },
            ...{ passed: Boolean(passed), at: created_at },
          },
        ]),
      );
    },
  };
}
