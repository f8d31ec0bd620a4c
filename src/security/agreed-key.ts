import { hkdfSync } from 'node:crypto';
import type { DatabaseTarget } from '../core/base/database-target.js';
import type { SecretKeyStore } from '../core/access/secret-key.js';

const FINGERPRINT_BYTES = 8;

/** Tells keys apart and nothing else of them: to guess a key by it is as hard as by anything that is sealed with it. */
export function fingerprintOf(key: Buffer): string {
  return Buffer.from(
    hkdfSync('sha256', key, '', 'bellwether key fingerprint v1', FINGERPRINT_BYTES),
  ).toString('hex');
}

interface KeySettings {
  readonly database: Pick<DatabaseTarget, 'kind'>;
  /** `SECRET_KEY_REPLACES`: the fingerprint of the key that this one takes the place of. */
  readonly secretKeyReplaces: string | undefined;
}

/**
 * Refuses to go on with another key than the first process on this database had. The key of SQLite lies beside it; on
 * PostgreSQL every machine makes its own unless somebody sees to it.
 */
export async function agreeOnKey(
  key: Buffer,
  { database, secretKeyReplaces }: KeySettings,
  store: SecretKeyStore,
): Promise<void> {
  if (database.kind === 'sqlite') return;
  const own = fingerprintOf(key);
  if (secretKeyReplaces !== undefined) await store.replace(secretKeyReplaces, own);
  const held = await store.agree(own);
  if (held !== own) throw new Error(otherKey(own, held).join('\n'));
}

/** For whoever looks after the service. */
export function otherKey(own: string, held: string): readonly string[] {
  return [
    `the secret key here (fingerprint ${own}) is not the one that is in use on this database (${held}):`,
    'what is sealed with the one cannot be opened with the other.',
    'Set the same SECRET_KEY at every machine, or put secret.key of the first one into DATA_DIR of this one.',
    `To change the key on purpose, stop every process, start one with SECRET_KEY_REPLACES=${held},`,
    'and enter the stored keys anew.',
  ];
}
