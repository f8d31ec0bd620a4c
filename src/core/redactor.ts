import { createHiddenValues, MARK } from './hidden-values.js';

/** Stands between everything the service says and whoever reads it. */
export interface Redactor {
  /** From now on this value is never shown, in plain or in a usual encoding. */
  protect(secret: string): void;
  redact(text: string): string;
  /** The same value with every text in it redacted. Before it is put into JSON: escapes would hide what to look for. */
  redactIn(value: unknown): unknown;
  /** The same as JSON. */
  json(value: object): string;
}

/** What nests deeper is no fact of ours. */
const DEEPEST = 8;

/** What looks like a secret or a person wherever it comes from. Credentials in a URL come first: they may hold an e-mail. */
const PATTERNS: readonly RegExp[] = [
  /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']*:[^\s/?#"']*(?=@)/gi,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|bw|bws|bwl)[-_][A-Za-z0-9_-]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu,
];

/** No pattern fits a text without one of these. Nearly all texts are without, and one look must do for them. */
const SUSPECT = /@|bearer|eyJ|(?:sk|pk|bw|bws|bwl)[-_]/i;

export function createRedactor(): Redactor {
  const secrets = createHiddenValues();

  const redact = (text: string): string => {
    let shown = secrets.hide(text);
    if (SUSPECT.test(shown)) for (const pattern of PATTERNS) shown = shown.replace(pattern, MARK);
    // One thing hidden may lay another open; ordinary text stops here at once.
    return shown === text ? shown : redact(shown);
  };
  const redactIn = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return MARK;
    if (Array.isArray(value)) return value.map((item) => redactIn(item, depth + 1));
    const entries = Object.entries(value);
    const shown = entries.map(([, item]) => redactIn(item, depth + 1));
    if (shown.every((item, i) => item === entries[i]?.[1])) return value;
    return Object.fromEntries(entries.map(([key], i) => [key, shown[i]]));
  };

  return {
    protect: secrets.add,
    redact,
    redactIn: (value) => redactIn(value),
    json(value) {
      const text = JSON.stringify(value);
      // Without an escape every text stands there as it is, and one look at the whole is enough.
      const isClean = !text.includes('\\') && redact(text) === text;
      return isClean ? text : JSON.stringify(redactIn(value));
    },
  };
}
