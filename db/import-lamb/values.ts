import { storable } from '../query/values.js';

/** One row of the file being imported, its columns in lower case. SQLite columns hold values of any type. */
export type LambRow = Readonly<Record<string, unknown>>;

const MAX_INTEGER = 2_147_483_647;
/** A time in seconds stays below this for thousands of years; one in milliseconds has been above it since 1973. */
const MOST_SECONDS = 1e11;
const LAST_YEAR = 9999;

/** The text of a column as it is; undefined for NULL. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Buffer.isBuffer(value)) return storable(value.toString('utf8'));
  return undefined;
}

/** A text that says something, trimmed. */
export function wordsOf(value: unknown): string | undefined {
  const words = textOf(value)?.trim();
  return words === '' ? undefined : words;
}

/** A whole number that a column of ours can hold. */
export function integerOf(value: unknown): number | undefined {
  const words = wordsOf(value);
  if (words === undefined || !/^-?\d+$/.test(words)) return undefined;
  const number = Number(words);
  return Math.abs(number) <= MAX_INTEGER ? number : undefined;
}

export function flagOf(value: unknown): boolean {
  return ['1', 'true'].includes(wordsOf(value)?.toLowerCase() ?? '');
}

/** Unix seconds, milliseconds or a written date, as ISO text. */
export function timeOf(value: unknown): string | undefined {
  const words = wordsOf(value);
  if (words === undefined) return undefined;
  const number = Number(words);
  const date = Number.isNaN(number)
    ? new Date(asUtc(words))
    : new Date(Math.abs(number) < MOST_SECONDS ? number * 1000 : number);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= LAST_YEAR ? date.toISOString() : undefined;
}

/** SQLite writes times without a zone and means UTC. */
function asUtc(words: string): string {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d+)?)?$/.test(words) ? `${words.replace(' ', 'T')}Z` : words;
}
