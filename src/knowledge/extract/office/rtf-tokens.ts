/** What Rich Text Format is made of, as its version 1.9.1 has it under "Basic Entities". */
export type Token =
  | { readonly kind: 'open' | 'close' }
  /** `\b0` is the word `b` with the value 0, `\~` the word `~`. */
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LINE_ENDS = new Set([0x0a, 0x0d, 0x00]);
const LONGEST_WORD = 64;
const WORD = /^([a-zA-Z]{1,32})(-?\d{1,10})? ?/;

export function* rtfTokens(bytes: Buffer): Generator<Token> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at += 1;
    } else if (LINE_ENDS.has(byte)) at += 1;
    else if (byte === BACKSLASH) {
      const { token, end } = controlAt(bytes, at + 1);
      if (token) yield token;
      at = end;
    } else {
      const end = endOfText(bytes, at);
      yield { kind: 'bytes', bytes: bytes.subarray(at, end) };
      at = end;
    }
  }
}

function endOfText(bytes: Buffer, start: number): number {
  let end = start;
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte === BACKSLASH || byte === OPEN || byte === CLOSE || LINE_ENDS.has(byte)) break;
  }
  return end;
}

interface Control {
  readonly token: Token | undefined;
  readonly end: number;
}

/** What follows a backslash. */
function controlAt(bytes: Buffer, at: number): Control {
  const text = bytes.toString('latin1', at, at + LONGEST_WORD);
  const word = WORD.exec(text);
  if (word) {
    const [whole, name = '', digits] = word;
    const value = digits === undefined ? undefined : Number(digits);
    const end = at + whole.length;
    // Followed by so many bytes that are no text, whatever they look like.
    if (name === 'bin') return { token: undefined, end: end + Math.max(0, value ?? 0) };
    return { token: { kind: 'control', word: name, value }, end };
  }
  const hex = /^'([0-9a-f]{2})/i.exec(text)?.[1];
  if (hex !== undefined) return { token: { kind: 'bytes', bytes: Buffer.from(hex, 'hex') }, end: at + 3 };
  const sign = text.charAt(0);
  if (/[\\{}]/.test(sign)) return { token: { kind: 'bytes', bytes: Buffer.from(sign) }, end: at + 1 };
  // A line end that is escaped ends a paragraph.
  const name = /[\r\n]/.test(sign) ? 'par' : sign;
  return { token: { kind: 'control', word: name, value: undefined }, end: at + 1 };
}
