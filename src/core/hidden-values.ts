/** Values that must not be read in a text, in plain or in a usual encoding. */
export interface HiddenValues {
  add(value: string): void;
  hide(text: string): string;
}

export const MARK = '[redacted]';
/** Shorter values would blot out ordinary words. */
export const SHORTEST_SECRET = 6;

export function createHiddenValues(): HiddenValues {
  const hidden = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    add(value) {
      if (value.length < SHORTEST_SECRET || hidden.has(value)) return;
      for (const form of spellings(value)) hidden.add(form);
      longestFirst = [...hidden].sort((a, b) => b.length - a.length);
    },
    hide(text) {
      let shown = text;
      for (const value of longestFirst) {
        if (shown.includes(value)) shown = shown.replaceAll(value, MARK);
      }
      return shown;
    },
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
