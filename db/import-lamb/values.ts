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

export type JsonPath = readonly (string | number)[];

/**
 * Replaces values in the text of valid JSON and leaves every other character as it is. `rewrite` gets each text,
 * number and word as it is written, and where it stands; undefined keeps it.
 */
export function rewriteJson(
  json: string,
  rewrite: (path: JsonPath, raw: string) => string | undefined,
): string {
  const trail = createTrail();
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of tokensOf(json)) {
    const raw = json.slice(start, end);
    const written = trail.pass(raw) === 'value' ? rewrite(trail.path, raw) : undefined;
    if (written === undefined) continue;
    parts.push(json.slice(copied, start), written);
    copied = end;
  }
  return parts.join('') + json.slice(copied);
}

/** Where one stands in a text of which one token after the other is passed. */
function createTrail() {
  const path: (string | number)[] = [];
  const isList: boolean[] = [];
  let expectsKey = false;

  const pass = (token: string): 'value' | 'other' => {
    const here = path.length - 1;
    if (token === '{' || token === '[') {
      isList.push(token === '[');
      path.push(token === '[' ? 0 : '');
      expectsKey = token === '{';
    } else if (token === '}' || token === ']') {
      isList.pop();
      path.pop();
      expectsKey = false;
    } else if (token === ',') {
      if (isList.at(-1)) path[here] = Number(path[here]) + 1;
      else expectsKey = true;
    } else if (expectsKey) {
      path[here] = JSON.parse(token) as string;
      expectsKey = false;
    } else if (token !== ':') {
      return 'value';
    }
    return 'other';
  };
  return { path, pass };
}

const PUNCTUATION = new Set('{}[],:');
const BLANK = /\s/;

/** Walks by hand: a pattern for texts of any length would exhaust the stack. */
function* tokensOf(json: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = 0; at < json.length;) {
    const start = at;
    const first = json.charAt(at++);
    if (BLANK.test(first)) continue;
    if (first === '"') {
      while (json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
      at++;
    } else if (!PUNCTUATION.has(first)) {
      while (at < json.length && !PUNCTUATION.has(json.charAt(at)) && !BLANK.test(json.charAt(at))) at++;
    }
    yield { start, end: at };
  }
}
