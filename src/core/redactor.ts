import { createHiddenValues, MARK } from './hidden-values.js';

/** Stands between everything the service says and whoever reads it. */
export interface Redactor {
  /** From now on this value is never shown, in plain or in a usual encoding. */
  protect(secret: string): void;
  redact(text: string): string;
  /** The same value with every text in it redacted. Before it is put into JSON: escapes would hide what to look for. */
  redactIn(value: unknown): unknown;
}

/** What nests deeper is no fact of ours. */
const DEEPEST = 8;

/** What looks like a secret or a person wherever it comes from. Credentials in a URL come first: they may hold an e-mail. */
const PATTERNS: readonly RegExp[] = [
  /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']*:[^\s/?#"']*(?=@)/gi,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|bw|bws)[-_][A-Za-z0-9_-]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu,
];

export function createRedactor(): Redactor {
  const secrets = createHiddenValues();

  const redact = (text: string): string => {
    let shown = secrets.hide(text);
    for (const pattern of PATTERNS) shown = shown.replace(pattern, MARK);
    // One thing hidden may lay another open; ordinary text stops here at once.
    return shown === text ? shown : redact(shown);
  };
  const redactIn = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return MARK;
    if (Array.isArray(value)) return value.map((item) => redactIn(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactIn(item, depth + 1)]));
  };

  return {
    protect: secrets.add,
    redact,
    redactIn: (value) => redactIn(value),
  };
}
