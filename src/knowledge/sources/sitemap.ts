import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { refusal } from './faults.js';
import { fetchOnHost, isSameHost, USER_AGENT, wholeBody } from './requests.js';

const MOST_BYTES = 10 * 1024 * 1024;
/** An index may name 50,000 of them. */
const MOST_SITEMAPS = 20;

interface SitemapDeps {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly pause: () => Promise<void>;
  readonly mostPages: number;
}

export interface SitePages {
  readonly urls: readonly string[];
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean;
}

/** The pages that a site's maps name, as far as they are on the same host (sitemaps.org). */
export async function pagesIn(first: readonly string[], deps: SitemapDeps): Promise<SitePages> {
  const waiting = [...first];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let isFirst = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const at = next;
    if (seen.has(at)) continue;
    if (seen.size === MOST_SITEMAPS) return { urls: [...pages], hasMore: true };
    seen.add(at);
    if (!isFirst) await deps.pause();
    isFirst = false;
    const { locations, isIndex } = await readSitemap(at, deps);
    for (const url of locations.filter((one) => isSameHost(new URL(at), new URL(one)))) {
      if (isIndex) waiting.push(url);
      else if (pages.size < deps.mostPages) pages.add(url);
      else if (!pages.has(url)) return { urls: [...pages], hasMore: true };
    }
  }
  return { urls: [...pages], hasMore: false };
}

async function readSitemap(url: string, { fetch, signal }: SitemapDeps) {
  const { response } = await fetchOnHost(fetch, url, { signal, headers: { 'user-agent': USER_AGENT } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw refusal(
      'sitemap_missing',
      `There is no sitemap at ${url}: the site answered with status ${String(response.status)}.`,
      ...[url, response.status],
    );
  }
  const text = (await unpacked(await wholeBody(response, MOST_BYTES))).toString('utf8');
  // Reads no entities but those of XML itself, and nothing from elsewhere.
  const { load } = await import('cheerio');
  const xml = load(text, { xml: true });
  const root = xml.root().children().filter('urlset, sitemapindex');
  if (root.length === 0) throw refusal('sitemap_wrong', `What is at ${url} is no sitemap.`, url);
  const locations = root
    .children('url, sitemap')
    .children('loc')
    .toArray()
    .map((element) => xml(element).text().trim())
    .filter((one) => /^https?:/i.test(one) && URL.canParse(one))
    .map((one) => withoutFragment(one));
  return { locations, isIndex: root.is('sitemapindex') };
}

function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** By its bytes, whatever it is called. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES });
  } catch {
    throw refusal('sitemap_damaged', 'The sitemap is damaged, or unpacks to more than can be taken.');
  }
}
