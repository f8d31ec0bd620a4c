import type { Reply } from './exchange.js';

const LONGEST_HEADER = 8_000;

interface Paging {
  readonly first: string;
  readonly most: number;
  readonly read: (url: string) => Promise<Reply>;
}

/** One page after the other; those that lead in a circle end it too. Returns whether that was all of them. */
export async function* pages({ first, most, read }: Paging): AsyncGenerator<Reply, boolean> {
  const seen = new Set<string>();
  let url: string | undefined = first;
  while (url !== undefined && !seen.has(url)) {
    if (seen.size >= most) return false;
    seen.add(url);
    const reply = await read(url);
    yield reply;
    url = nextPage(reply.headers, first);
  }
  return true;
}

/**
 * Where the next page is, by the header `Link`. Read leniently: Moodle writes some of them with `&amp;` and curly
 * quotes. Only on the origin of the first page, as the token goes along.
 */
function nextPage(headers: Headers, first: string): string | undefined {
  const header = (headers.get('link') ?? '').slice(0, LONGEST_HEADER);
  for (const [, target = '', facts = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=[^a-z,;]*next(?![a-z-])/i.test(facts))
      return sameOrigin(target.replaceAll('&amp;', '&'), first);
  }
  return undefined;
}

/** An address, possibly relative to another, when it leads to the same origin. */
export function sameOrigin(target: string, base: string): string | undefined {
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && url.origin === new URL(base).origin ? url.href : undefined;
}
