import { setTimeout as delay } from 'node:timers/promises';
import type { SourceSettings } from '../../core/knowledge/source.js';
import { isTextDocument } from '../extract/format.js';
import { nameInAddress, nameOfFetched } from '../ingest/fetch-document.js';
import { failureOf, faultOf, refusal } from './faults.js';
import type { Brought, SourceReader, WantedItem } from './reader.js';
import { fetchOnHost, USER_AGENT } from './requests.js';
import { readRobots, type Robots } from './robots.js';
import { pagesIn } from './sitemap.js';

interface WebDeps {
  /** Through the guard. */
  readonly fetch: typeof fetch;
  readonly mostPages: number;
}

type Web = Extract<SourceSettings, { kind: 'web' }>;

const WANTED = 'text/html, application/pdf, text/markdown, text/plain, text/csv, */*;q=0.5';
const FORBIDDEN = faultOf('robots_forbid', 'The site does not want it to be read by machines (robots.txt).');

/** One page, or the pages of a site: at a polite rate, and only as far as its robots.txt allows. */
export function webReader({ url, sitemap }: Web, { fetch, mostPages }: WebDeps): SourceReader {
  let robots: Robots | undefined;
  const { origin } = new URL(url);

  return {
    async list(signal) {
      robots = await readRobots(origin, { fetch, signal });
      if (!sitemap) return { items: [itemAt(url)], skipped: 0 };
      const { pauseMs, sitemaps } = robots;
      const pause = () => delay(pauseMs, undefined, { signal });
      const { urls, hasMore } = await pagesIn(mapsOf(url, sitemaps), { fetch, signal, pause, mostPages });
      if (urls.length === 0) throw refusal('sitemap_empty', 'The sitemap names no page on its own host.');
      const message = `The site has more pages than the ${String(mostPages)} that are taken.`;
      const cut = faultOf('too_many_pages', message, mostPages);
      return { items: urls.map(itemAt), skipped: 0, ...(hasMore ? { cut } : {}) };
    },

    async *bring(wanted, signal) {
      robots ??= await readRobots(origin, { fetch, signal });
      for (const [n, item] of wanted.entries()) {
        if (!robots.allows(item.key)) {
          yield { item, outcome: 'failed', fault: FORBIDDEN };
          continue;
        }
        if (n > 0) await delay(robots.pauseMs, undefined, { signal });
        yield await page(item, fetch, signal);
      }
    },
  };
}

const itemAt = (url: string) => ({ key: url, name: nameInAddress(new URL(url)), url });

/** The address itself where it is one, else what the site's robots.txt names, else where they usually are. */
function mapsOf(url: string, named: readonly string[]): readonly string[] {
  const { pathname, origin } = new URL(url);
  if (/\.(xml|xml\.gz|gz|txt)$/i.test(pathname)) return [url];
  const own = named.filter((one) => URL.canParse(one) && new URL(one).origin === origin);
  return own.length > 0 ? own : [`${origin}/sitemap.xml`];
}

/** What tells one state of a page from another (RFC 9110, 8.8). */
interface Validators {
  readonly etag?: string;
  readonly modified?: string;
}

function validatorsIn(known: string | undefined): Record<string, string> {
  const { etag, modified } = known === undefined ? {} : (JSON.parse(known) as Validators);
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

function validatorsOf(headers: Headers): string | undefined {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  if (etag === null && modified === null) return undefined;
  return JSON.stringify({ ...(etag === null ? {} : { etag }), ...(modified === null ? {} : { modified }) });
}

async function page(item: WantedItem, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Brought> {
  try {
    const headers = { accept: WANTED, 'user-agent': USER_AGENT, ...validatorsIn(item.known) };
    const { response, url } = await fetchOnHost(fetch, item.key, { signal, headers });
    const { status, body } = response;
    if (status === 200 && body) {
      const name = nameOfFetched(new URL(url), response.headers);
      if (isTextDocument(name))
        return {
          ...{ item, outcome: 'brought', name, version: validatorsOf(response.headers) },
          bytes: body as unknown as AsyncIterable<Uint8Array>,
        };
    }
    await body?.cancel();
    if (status === 304) return { item, outcome: 'unchanged' };
    if (status === 404 || status === 410) return { item, outcome: 'gone' };
    const fault =
      status === 200
        ? faultOf('kind_not_taken', 'It is of a kind that cannot be taken in.')
        : faultOf('status', `The site answered with status ${String(status)}.`, status);
    return { item, outcome: 'failed', fault };
  } catch (fault) {
    signal.throwIfAborted();
    return { item, outcome: 'failed', fault: failureOf(fault) };
  }
}
