/** Text from anywhere as it may be stored: one kind of line end, no NUL, no other control characters, whole characters. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(/\f/g, '\n\n')
      .replace(/[\v\u0085\u2028\u2029]/g, '\n')
      // Soft hyphens say where a word may be cut, and are no part of it.
      .replace(/[^\P{Cc}\n\t]|[\p{Cs}\uFEFF\uFFFE\uFFFF\u00AD]/gu, '')
      .normalize('NFC')
  );
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Without blanks at line ends, and with at most one empty line in a row. */
export function tidyLines(text: string): string {
  return (
    text
      .split('\n')
      // A regular expression would begin anew at each of a million blanks.
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .trimEnd()
  );
}

/**
 * Plain text as Markdown that reads the same. A backslash goes before what would begin a heading, underline one, or
 * open a code block, and before nothing else: words are quoted and searched as they stand.
 */
export function escapeBlocks(text: string): string {
  return text.replace(/^( {0,3})(?=#{1,6}(?:[ \t]|$)|={2,}[ \t]*$|-{2,}[ \t]*$|`{3}|~{3})/gm, '$1\\');
}

const RAISED = new Map(
  Array.from('0123456789+-−()n', (sign, at) => [sign, Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ')[at] ?? '']),
);

/** What stands above the line, so that 10²³ does not become 1023. Ordinals (1st) and marks of notes read as they are. */
export function raised(text: string): string {
  const signs = Array.from(text.trim());
  if (signs.every((sign) => RAISED.has(sign))) return signs.map((sign) => RAISED.get(sign)).join('');
  const isTerm = /^[\p{L}\d+\-−·/ ]+$/u.test(text) && /[+\-−/]|\d\p{L}$/u.test(text);
  return isTerm ? `^(${text.trim()})` : text;
}

/** How much is looked at to guess. */
const HEAD_BYTES = 65_536;
/** Of the bytes at even or at odd places, in text of mostly Latin letters. */
const MANY_NULS = 0.4;
const MOST_CONTROLS = 0.02;

/** By its byte order mark, by what it declares, by being UTF-8, else as Windows writes Western European. */
export function decodeText(bytes: Buffer, declared?: string): string {
  const encoding = encodingOf(bytes, declared);
  const own = ABOVE_ASCII[encoding];
  return own === undefined ? new TextDecoder(encoding).decode(bytes) : decodeSingleBytes(bytes, own);
}

interface UpperHalf {
  readonly first: number;
  /** What the bytes from the first on stand for; every other byte is the character of its number. */
  readonly characters: string;
}

/**
 * As https://encoding.spec.whatwg.org names them. Node 20 reads the first as if it were ISO 8859-1, where these bytes are
 * control characters, and no Node knows the second.
 */
const ABOVE_ASCII: Readonly<Record<string, UpperHalf>> = {
  'windows-1252': {
    first: 0x80,
    characters: '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ',
  },
  'iso-8859-16': {
    first: 0xa0,
    characters:
      '\xA0ĄąŁ€„Š§š©Ș«Ź\xADźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
  },
};

function decodeSingleBytes(bytes: Buffer, { first, characters }: UpperHalf): string {
  const last = first + characters.length - 1;
  const replaced = new RegExp(`[\\x${first.toString(16)}-\\x${last.toString(16)}]`, 'g');
  return bytes.toString('latin1').replace(replaced, (byte) => characters.charAt(byte.charCodeAt(0) - first));
}

/** Of a media type, or of what a file says about itself near its beginning. */
export function charsetIn(declaration = ''): string | undefined {
  return /charset\s*=\s*["']?([\w:.-]+)/i.exec(declaration)?.[1];
}

/** Whether bytes without a known signature can be text at all. A few stray NULs are no reason against it. */
export function looksLikeText(bytes: Buffer): boolean {
  if (encodingOf(bytes).startsWith('utf-16')) return true;
  const head = bytes.subarray(0, HEAD_BYTES);
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls += 1;
  return controls <= Math.max(2, head.length * MOST_CONTROLS);
}

function encodingOf(bytes: Buffer, declared?: string): string {
  const marked = byMark(bytes) ?? utf16WithoutMark(bytes);
  if (marked !== undefined) return marked;
  const called = encodingCalled(declared);
  // Bytes that can be read to say so are not in UTF-16: it was saved in another encoding since.
  if (called !== undefined && !called.startsWith('utf-16')) return called;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

function byMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function utf16WithoutMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  const nuls = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nuls.map((count) => count / (head.length / 2));
  if (odd > MANY_NULS && even < MOST_CONTROLS) return 'utf-16le';
  if (even > MANY_NULS && odd < MOST_CONTROLS) return 'utf-16be';
  return undefined;
}

/** One encoding has many labels; undefined for what is none. */
function encodingCalled(label = ''): string | undefined {
  const called = label.trim().toLowerCase();
  if (Object.hasOwn(ABOVE_ASCII, called)) return called;
  try {
    return new TextDecoder(called).encoding;
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
