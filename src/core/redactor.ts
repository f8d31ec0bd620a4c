/** Stands between everything the service says and whoever reads it. */
export interface Redactor {
  /** From now on this value is never shown, in plain or in a usual encoding. */
  protect(secret: string): void;
  redact(text: string): string;
  /** The same value with every text in it redacted. Before it is put into JSON: escapes would hide what to look for. */
  redactIn(value: unknown): unknown;
}

const MARK = '[redacted]';
/** Shorter values would blot out ordinary words. */
const SHORTEST_SECRET = 6;
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
  const hidden = new Set<string>();
  let longestFirst: readonly string[] = [];

  const redact = (text: string): string => {
    let shown = text;
    for (const secret of longestFirst) {
      if (shown.includes(secret)) shown = shown.replaceAll(secret, MARK);
    }
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
    protect(secret) {
      if (secret.length < SHORTEST_SECRET || hidden.has(secret)) return;
      for (const form of spellings(secret)) hidden.add(form);
      longestFirst = [...hidden].sort((a, b) => b.length - a.length);
    },
    redact,
    redactIn: (value) => redactIn(value),
  };
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  const hex = bytes.toString('hex');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...[inUrl, inForm].flatMap((form) => [form, form.replace(/%../g, (escape) => escape.toLowerCase())]),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
}

/** Base64 differs with what stands before the secret: three offsets, less the characters neighbours touch. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor(shifted.length / 3) * 4;
    const core = shifted.toString('base64').slice(offset === 0 ? 0 : 4, whole);
    return core.length < SHORTEST_SECRET ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
