import { randomBytes, type ScryptOptions, scryptSync, timingSafeEqual } from 'node:crypto';

const BLOCKS = { r: 8, p: 1 } as const;
const KEY_LENGTH = 32;
const MAX_MEMORY = 64 * 1024 * 1024;

/** As other installations store them. A hash that would take minutes to check is none of theirs. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/;

/** `cost` is scrypt's N. Keeps its thread busy, usually for a tenth of a second: only for the threads of `passwords.ts`. */
export function hashPassword(password: string, cost: number): string {
  const salt = randomBytes(16);
  return stored(salt, derive(password, salt, { N: cost, ...BLOCKS }), cost);
}

/** Takes as long to check as a real one, and no password is right. */
export function nobodysHash(cost: number): string {
  return stored(randomBytes(16), randomBytes(KEY_LENGTH), cost);
}

/** Keeps its thread busy, too: for seconds where the hash came from elsewhere. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  if (isOutdated(hash)) {
    const { default: bcrypt } = await import('bcryptjs');
    return bcrypt.compareSync(password, hash);
  }
  const [kind, N, r, p, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  try {
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const actual = derive(password, Buffer.from(salt, 'base64'), cost);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  } catch {
    // Costs that scrypt will not take: no hash of ours.
    return false;
  }
}

/** A hash that came from elsewhere is replaced by one of ours as soon as its password is known again. */
export function isOutdated(hash: string): boolean {
  return BCRYPT.test(hash);
}

function stored(salt: Buffer, key: Buffer, cost: number): string {
  const { r, p } = BLOCKS;
  return ['scrypt', cost, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Buffer {
  // The same letters typed on another keyboard are the same password.
  return scryptSync(password.normalize('NFC'), salt, KEY_LENGTH, { ...cost, maxmem: MAX_MEMORY });
}
