import { type CryptoKey, importJWK } from 'jose';
import { z } from 'zod';
import { unusableAnswer, upstreamRefused } from '../core/errors.js';
import { ask, jsonIn, type Reply } from './exchange.js';

export type PlatformKeys = ReadonlyMap<string, CryptoKey>;

/** The keys by which platforms sign, by the address of the set. */
export interface KeySets {
  /** Undefined when the platform has no such key. Throws when its keys cannot be had at all. */
  find(url: string, kid: string): Promise<CryptoKey | undefined>;
}

interface Deps {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A key the platform has withdrawn is believed no longer than this. */
const FRESH_MS = 10 * 60_000;
/** When the platform cannot be reached, known keys go on working and it is left alone for this long. */
const PAUSE_MS = 60_000;
/** Anybody can send made-up key ids: a few questions at once, then one in ten seconds. Each brings a new key to light. */
const MOST_QUESTIONS = 3;
const MS_PER_QUESTION = 10_000;
const MOST_KEYS = 100;
const SMALLEST_MODULUS_BYTES = 256;

interface KeySet {
  keys: PlatformKeys | undefined;
  fetchedAt: number;
  triedAt: number;
  questions: number;
  countedAt: number;
  asking: Promise<void> | undefined;
}

export function createKeySets({ fetch, now }: Deps): KeySets {
  const keySets = new Map<string, KeySet>();

  return {
    async find(url, kid) {
      const keySet = keySetOf(url);
      const known = keySet.keys?.get(kid);
      if (known && !isDue(keySet, now())) return known;
      const mayAsk = keySet.asking !== undefined || takeQuestion(keySet, now());
      if (mayAsk) await refresh(url, keySet);
      else if (!keySet.keys) throw unusableAnswer('The keys of the learning platform could not be had.');
      return keySet.keys?.get(kid);
    },
  };

  function keySetOf(url: string): KeySet {
    const blank = { keys: undefined, asking: undefined, fetchedAt: -Infinity, triedAt: -Infinity };
    const keySet = keySets.get(url) ?? { ...blank, questions: MOST_QUESTIONS, countedAt: now() };
    keySets.set(url, keySet);
    return keySet;
  }

  /** Whoever comes while the question is open waits for the same answer. */
  async function refresh(url: string, keySet: KeySet): Promise<void> {
    keySet.asking ??= readInto(url, keySet).finally(() => {
      keySet.asking = undefined;
    });
    await keySet.asking;
  }

  async function readInto(url: string, keySet: KeySet): Promise<void> {
    keySet.triedAt = now();
    try {
      keySet.keys = await readKeySet(fetch, url);
      keySet.fetchedAt = now();
    } catch (fault) {
      if (!keySet.keys) throw fault;
    }
  }
}

function isDue({ fetchedAt, triedAt }: KeySet, now: number): boolean {
  return now - fetchedAt > FRESH_MS && now - triedAt > PAUSE_MS;
}

function takeQuestion(keySet: KeySet, now: number): boolean {
  const earned = (now - keySet.countedAt) / MS_PER_QUESTION;
  keySet.questions = Math.min(MOST_QUESTIONS, keySet.questions + Math.max(0, earned));
  keySet.countedAt = now;
  if (keySet.questions < 1) return false;
  keySet.questions -= 1;
  return true;
}

const Jwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1).max(255),
  n: z.string().max(2_000),
  e: z.string().max(20),
  alg: z.literal('RS256').nullish(),
  use: z.literal('sig').nullish(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes('verify'))
    .nullish(),
});
const JwkSet = z.object({ keys: z.array(z.unknown()) });

/** The keys of a set that can verify RS256 and have a name; others are none of ours. */
async function readKeySet(fetch: typeof globalThis.fetch, url: string): Promise<PlatformKeys> {
  return await keysIn(await askForKeySet(fetch, url));
}

export async function askForKeySet(fetch: typeof globalThis.fetch, url: string): Promise<Reply> {
  return await ask(fetch, { url, headers: { accept: 'application/jwk-set+json, application/json' } });
}

export async function keysIn(reply: Reply): Promise<PlatformKeys> {
  if (reply.status !== 200) throw upstreamRefused('The key set of the learning platform', reply.status);
  const set = JwkSet.safeParse(jsonIn(reply));
  if (!set.success) throw unusableAnswer('The key set of the learning platform is not one.');
  const usable = await Promise.all(set.data.keys.slice(0, MOST_KEYS).map(usableKey));
  return new Map(usable.filter((entry) => entry !== undefined));
}

async function usableKey(listed: unknown): Promise<readonly [string, CryptoKey] | undefined> {
  const jwk = Jwk.safeParse(listed);
  if (!jwk.success) return undefined;
  const { kty, kid, n, e } = jwk.data;
  if (Buffer.from(n, 'base64url').length < SMALLEST_MODULUS_BYTES) return undefined;
  try {
    return [kid, await importJWK({ kty, n, e }, 'RS256')];
  } catch {
    return undefined;
  }
}
