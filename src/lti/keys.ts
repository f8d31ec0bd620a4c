import type { LtiKey, LtiKeyStore } from '../core/lti/launch-stores.js';
import type { SecretBox } from '../core/organizations/secret-box.js';
import type { NewKey, SigningKey } from './key-ring.js';

/** The key pairs by which platforms know this service. */
export interface OwnKeys {
  /** The one that signs. Made when there is none, and when it has signed for long enough. */
  signing(): Promise<SigningKey>;
  /** Those that platforms may still meet a signature of; as they are shown. */
  published(): Promise<readonly unknown[]>;
  /** The same, for those who look after them; newest first. None is made for it. */
  list(): Promise<readonly KeyFacts[]>;
  /** Another one signs from now on. */
  rotate(): Promise<void>;
}

export interface KeyFacts extends Pick<LtiKey, 'kid' | 'createdAt' | 'retiredAt'> {
  readonly signs: boolean;
}

interface Deps {
  readonly ltiKeys: LtiKeyStore;
  readonly box: SecretBox;
  readonly makeKey: () => Promise<NewKey>;
  /** Milliseconds. */
  readonly now: () => number;
}

const DAY_MS = 24 * 3_600_000;
const SIGNS_DAYS = 90;
/** What was signed last is long read by then, and what platforms remember of our keys long fetched anew. */
const SHOWN_AFTER_DAYS = 7;

export function createOwnKeys({ ltiKeys, box, makeKey, now }: Deps): OwnKeys {
  let making: Promise<void> | undefined;

  const rotate = () => {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };
  const make = async () => {
    const { kid, publicJwk, privateJwk } = await makeKey();
    await ltiKeys.add({ kid, publicJwk: JSON.stringify(publicJwk), privateKey: box.seal(privateJwk) });
    await ltiKeys.sweep(daysAgo(SHOWN_AFTER_DAYS));
  };
  const daysAgo = (days: number) => new Date(now() - days * DAY_MS).toISOString();
  const isFit = (key: LtiKey | undefined) => key !== undefined && key.createdAt > daysAgo(SIGNS_DAYS);

  const isShown = ({ retiredAt }: LtiKey) => retiredAt === null || retiredAt >= daysAgo(SHOWN_AFTER_DAYS);

  /** Two processes may each make one at once: both are published, and everybody signs with the newer. */
  const newest = async (): Promise<LtiKey> => {
    const known = signingIn(await ltiKeys.list());
    if (known && isFit(known)) return known;
    await rotate();
    const made = signingIn(await ltiKeys.list());
    if (!made) throw new Error('a key that was just made is gone');
    return made;
  };

  return {
    rotate,
    async signing() {
      const { kid, privateKey } = await newest();
      return { kid, privateJwk: box.open(privateKey) };
    },
    async published() {
      await newest();
      const keys = await ltiKeys.list();
      const shown = keys.filter(isShown);
      if (shown.length < keys.length) await ltiKeys.sweep(daysAgo(SHOWN_AFTER_DAYS));
      return shown.map(({ publicJwk }) => JSON.parse(publicJwk) as unknown);
    },
    async list() {
      const keys = (await ltiKeys.list()).filter(isShown);
      const signing = signingIn(keys)?.kid;
      return keys.map(({ kid, createdAt, retiredAt }) => ({
        ...{ kid, createdAt, retiredAt, signs: kid === signing },
      }));
    },
  };
}

/** Newest first. */
function signingIn(keys: readonly LtiKey[]): LtiKey | undefined {
  return keys.find(({ retiredAt }) => retiredAt === null);
}
