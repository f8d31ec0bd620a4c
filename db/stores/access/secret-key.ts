import type { Knex } from 'knex';
import type { SecretKeyStore } from '../../../src/core/access/secret-key.js';

export function createSecretKeyStore(db: Knex): SecretKeyStore {
  const row = () => db<{ readonly id: number; readonly fingerprint: string }>('secret_key');
  return {
    async agree(fingerprint) {
      await row().insert({ id: 1, fingerprint }).onConflict('id').ignore();
      return (await row().first('fingerprint'))?.fingerprint ?? fingerprint;
    },
    async replace(held, fingerprint) {
      await row().where({ fingerprint: held }).update({ fingerprint });
    },
  };
}
