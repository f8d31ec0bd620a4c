import { isRecord, type JsonRecord, own } from '../base/json.js';
import { invalidConfiguration } from '../errors.js';
import { isSealed, type SecretBox } from './secret-box.js';

/** What is shown where a secret stands. Sent back, it means: as it was. */
export const MASK = '••••';

/** Whatever their case, with or without dashes: `api_key`, `apiKey`, `APIKEY`. */
const SECRET_KEYS = new Set([
  'apikey',
  'apitoken',
  'token',
  'accesstoken',
  'signupkey',
  'sharedsecret',
  'clientsecret',
  'secret',
  'secretkey',
  'privatekey',
  'password',
]);
const DEEPEST = 32;

/** The configuration with every secret sealed; a mask is none. */
export function sealSecrets(config: JsonRecord, box: SecretBox): JsonRecord {
  return changeSecrets(config, (secret) => box.seal(JSON.stringify(secret)));
}

/** The configuration in the clear. It must not leave the process. */
export function openSecrets(config: JsonRecord, box: SecretBox): JsonRecord {
  return changeSecrets(config, (secret) => openSecret(secret, box));
}

/** One value as stored. What somebody put into the database by hand, unsealed, is taken as it is. */
export function openSecret(stored: unknown, box: SecretBox): unknown {
  return isSealed(stored) ? (JSON.parse(box.open(stored)) as unknown) : stored;
}

/** The configuration as it may be shown. */
export function maskSecrets(config: JsonRecord): JsonRecord {
  return changeSecrets(config, () => MASK);
}

export function secretsIn(config: JsonRecord): readonly unknown[] {
  const found: unknown[] = [];
  changeSecrets(config, (secret) => found.push(secret));
  return found;
}

/** What was sent, with the stored secret wherever its mask came back. A mask of nothing is dropped. */
export function keepMasked(sent: JsonRecord, stored: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([key, value]) => {
      const before = own(stored, key);
      if (!isSecretKey(key) || value !== MASK) return [[key, keepWithin(value, before)]];
      return before === undefined ? [] : [[key, before]];
    }),
  );
}

/** Where two configurations differ, as paths without values. */
export function changedPaths(before: JsonRecord, after: JsonRecord, above = ''): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [was, is] = [own(before, key), own(after, key)];
    if (isRecord(was) && isRecord(is)) return changedPaths(was, is, `${above}${key}.`);
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [above + key];
  });
}

function keepWithin(sent: unknown, stored: unknown): unknown {
  if (Array.isArray(sent)) return keepInList(sent, Array.isArray(stored) ? stored : []);
  return isRecord(sent) ? keepMasked(sent, isRecord(stored) ? stored : {}) : sent;
}

/** An entry that moved is known by its looks; one that changed, by its place in a list of the same length. */
function keepInList(sent: readonly unknown[], stored: readonly unknown[]): unknown[] {
  const looks = stored.map(looksOf);
  const places = new Map(looks.map((look, i) => [look, i] as const).reverse());
  return sent.map((item, i) => {
    if (typeof item !== 'object' || item === null) return item;
    const look = JSON.stringify(item);
    const moved = looks[i] === look ? i : places.get(look);
    const place = moved ?? (sent.length === stored.length ? i : -1);
    return keepWithin(item, stored[place]);
  });
}

function looksOf(item: unknown): string {
  return JSON.stringify(changeWithin(item, () => MASK, TOP));
}

interface Place {
  readonly depth: number;
  /** Below `secrets` stand names that people chose: `API_KEY` there is no key that gives away what it holds. */
  readonly named: boolean;
}

const TOP: Place = { depth: 0, named: false };

function changeSecrets(config: JsonRecord, change: (secret: unknown) => unknown, place = TOP): JsonRecord {
  const { depth, named } = place;
  if (depth === DEEPEST) {
    throw invalidConfiguration(`A configuration may be at most ${String(DEEPEST)} levels deep.`);
  }
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isSecret(key, value) && !(named && isRecord(value))
        ? change(value)
        : changeWithin(value, change, { depth: depth + 1, named: key === 'secrets' }),
    ]),
  );
}

function changeWithin(value: unknown, change: (secret: unknown) => unknown, place: Place): unknown {
  if (isRecord(value)) return changeSecrets(value, change, place);
  if (!Array.isArray(value)) return value;
  return Object.values(changeSecrets(Object.fromEntries(value.entries()), change, place));
}

function isSecret(key: string, value: unknown): boolean {
  return isSecretKey(key) && value !== null && value !== undefined && value !== '' && value !== MASK;
}

function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key.toLowerCase().replace(/[-_ ]/g, ''));
}
