import { z } from 'zod';

const LONGEST_LABEL = 120;

/** A name from anywhere as one short line: no control characters, so it cannot forge a frame or a log line. */
export function safeLabel(text: string): string {
  return oneLine(text, LONGEST_LABEL);
}

/** A text from anywhere on one line of at most so many characters, cut with a mark. */
export function oneLine(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  return `${cut.replace(/\p{Cs}$/u, '')}…`;
}

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

const LONGEST_ADDRESS = 2_000;

/** An address that an assistant's author may set. */
export const HttpAddress = z
  .string()
  .trim()
  .max(LONGEST_ADDRESS)
  .superRefine((text, ctx) => {
    const fault = faultOfAddress(text);
    if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault });
  });

export function faultOfAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http:// or https:// URL';
  if (url.username !== '' || url.password !== '') {
    return 'may not hold a user name or a password; send credentials in a header, as ${secret:NAME}';
  }
  return undefined;
}

/** What a model answered, without the fence that some put around JSON. */
export function withoutFence(answer: string): string {
  return /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(answer.trim())?.[1] ?? answer;
}
