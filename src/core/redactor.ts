/** Stands between everything the service says and whoever reads it. */
export interface Redactor {
  /** From now on this value is never shown, in plain or in a usual encoding. */
  protect(secret: string): void;
  redact(text: string): string;
}

const MARK = '[redacted]';
/** Shorter values would blot out ordinary words. */
const SHORTEST_SECRET = 6;

/** What looks like a secret or a person wherever it comes from. */
const PATTERNS: readonly RegExp[] = [
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|bw|bws)[-_][A-Za-z0-9_-]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"']+:[^\s/@"']+(?=@)/gi,
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g,
];

export function createRedactor(): Redactor {
  const hidden = new Set<string>();
  let longestFirst: readonly string[] = [];

  return {
    protect(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      for (const form of spellings(secret)) hidden.add(form);
      longestFirst = [...hidden].sort((a, b) => b.length - a.length);
    },
    redact(text) {
      let shown = text;
      for (const secret of longestFirst) {
        if (shown.includes(secret)) shown = shown.replaceAll(secret, MARK);
      }
      for (const pattern of PATTERNS) shown = shown.replace(pattern, MARK);
      return shown;
    },
  };
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
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
