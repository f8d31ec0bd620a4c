import type { Knex } from 'knex';
import type { LtiKey, LtiKeyStore } from '../../../src/core/lti/launch-stores.js';
import { now } from '../../query/values.js';

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: string;
  readonly private_key: string;
  readonly created_at: string;
  readonly retired_at: string | null;
}

export function createLtiKeyStore(db: Knex): LtiKeyStore {
  return {
    async list() {
      const rows = await db<KeyRow>('lti_keys').orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'kid', order: 'desc' },
      ]);
      return rows.map(toKey);
    },

    async add({ kid, publicJwk, privateKey }) {
      const at = now();
      await db.transaction(async (trx) => {
        await trx('lti_keys').whereNull('retired_at').update({ retired_at: at });
        await trx('lti_keys').insert({
          kid,
          public_jwk: publicJwk,
          private_key: privateKey,
          created_at: at,
        });
      });
    },

    async sweep(before) {
      return db('lti_keys').where('retired_at', '<', before).del();
    },
  };
}

function toKey(row: KeyRow): LtiKey {
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    privateKey: row.private_key,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  };
}
