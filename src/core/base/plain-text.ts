/** Longer than this is not looked at: whatever is said in it is said before. */
const LONGEST_READ = 20_000;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** HTML from elsewhere as words: no markup, no pictures, no scripts, at most so many characters. */
export function plainText(html: string, longest: number): string {
  const text = html
    // First, as one picture may be longer than all that is read.
    .replace(/data:[a-z0-9.+/-]*[;,][^\s"'<>)]*/gi, '')
    .slice(0, LONGEST_READ)
    .replace(/<(script|style)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^<>]*>/gi, '\n')
    // The last one may have been cut in the middle.
    .replace(/<[a-z/!?][^<>]*(?:>|$)/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, decoded);
  const lines = text.split('\n').map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
  return cut(lines.filter((line) => line !== '').join('\n'), longest);
}

function decoded(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : entity;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…`;
}
