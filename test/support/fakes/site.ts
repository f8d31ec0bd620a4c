import { type Exchange, type Fake, sendJson } from './ledger-server.js';

/** What is at a path of a web site. */
export interface SitePage {
  readonly body: string | Buffer;
  readonly type?: string;
  /** Whoever has this one already is told so. */
  readonly etag?: string;
  readonly status?: number;
  readonly location?: string;
}

/** Pages that a test puts there, changes and takes away. Its ledger is kept by path. */
export const fakeSite = (pages: ReadonlyMap<string, SitePage>): Fake => ({
  subjectOf: (url) => url.pathname,
  answer: (exchange) => answer(exchange, pages.get(exchange.url.pathname)),
});

async function answer({ req, res, row }: Exchange, page: SitePage | undefined): Promise<void> {
  if (!page) return sendJson(res, 404, {});
  const { body, type = 'text/html; charset=utf-8', etag, status = 200, location } = page;
  const isKnown = etag !== undefined && req.headers['if-none-match'] === etag;
  row.outcome = isKnown ? 'not modified' : 'sent';
  res.writeHead(isKnown ? 304 : status, {
    'content-type': type,
    ...(etag === undefined ? {} : { etag }),
    ...(location === undefined ? {} : { location }),
  });
  await new Promise<void>((sent) => res.end(isKnown ? undefined : body, sent));
}

export const sitemapOf = (urls: readonly string[]): SitePage => ({
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc><lastmod>2026-01-01</lastmod></url>`)
    .join('')}</urlset>`,
});
