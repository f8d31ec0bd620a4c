import { hkdfSync } from 'node:crypto';
import type { SecretKeyStore } from '../core/access/secret-key.js';

const FINGERPRINT_BYTES = 8;

/** Tells keys apart and nothing else of them: to guess a key by it is as hard as by anything that is sealed with it. */
export function fingerprintOf(key: Buffer): string {
  return Buffer.from(
    hkdfSync('sha256', key, '', 'bellwether key fingerprint v1', FINGERPRINT_BYTES),
  ).toString('hex');
}

interface Asked {
  readonly store: SecretKeyStore;
  /** `SECRET_KEY_REPLACES`: of the key that this one takes the place of. */
  readonly replaces: string | undefined;
}

/** Refuses to go on with another key than the first process on this database had. */
export async function agreeOnKey(key: Buffer, { store, replaces }: Asked): Promise<void> {
  const own = fingerprintOf(key);
  if (replaces !== undefined) await store.replace(replaces, own);
  const held = await store.agree(own);
  if (held !== own) throw new Error(otherKey(own, held));
}

/** For whoever looks after the service. */
export function otherKey(own: string, held: string): string {
  return [
    `the secret key here (fingerprint ${own}) is not the one that is in use on this database (${held}):`,
    'what is sealed with the one cannot be opened with the other.',
    'Set the same SECRET_KEY at every machine, or put secret.key of the first one into DATA_DIR of this one.',
    `To change the key on purpose, stop every process, start one with SECRET_KEY_REPLACES=${held},`,
    'and enter the stored keys anew.',
  ].join('\n');
}
