import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { giveBack, makeKey, type SigningKey } from './signing.js';

/** What is to happen with the platform's keys. */
export const KeyChange = z.object({
  /** A new key to sign with from now on. */
  rotate: z.boolean().default(false),
  /** Whether the key before it stays published. */
  keepOld: z.boolean().default(true),
  /** Whether what signs now is published; a key that is not is a kid that nobody can find. */
  publish: z.boolean().default(true),
  /** Keys that are published and sign nothing. */
  strangers: z.number().default(0),
});

export type Keyring = Awaited<ReturnType<typeof createKeyring>>;

export async function createKeyring() {
  const all: SigningKey[] = [];
  const newKey = async () => {
    const key = await makeKey(randomBytes(10).toString('hex'));
    all.push(key);
    return key;
  };
  let signing = await newKey();
  let published: readonly SigningKey[] = [signing];
  return {
    signing: () => signing,
    published: () =>
      published.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'RS256', use: 'sig', kty: 'RSA' })),
    async change({ rotate, keepOld, publish, strangers }: z.output<typeof KeyChange>): Promise<SigningKey> {
      const before = signing;
      if (rotate) signing = await newKey();
      const others = await Promise.all(Array.from({ length: strangers }, newKey));
      published = [...others, ...(rotate && keepOld ? [before] : []), ...(publish ? [signing] : [])];
      return signing;
    },
    /** Nothing is signed any more. */
    close: () => {
      giveBack(all.splice(0));
    },
  };
}
