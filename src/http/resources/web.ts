import { type NextFunction, type Request, type Response, Router } from 'express';
import { AREAS, SINGLE_PAGES } from '../contract/pages.js';
import { createWebFiles, sendWebFile, webHeaders } from './web-files.js';

/** Against clickjacking: no other site may show these pages in a frame. */
const HEADERS = webHeaders({ formAction: "form-action 'self'", frameAncestors: "frame-ancestors 'none'" });
/** Learning platforms show it beside the activities that open us, on pages of their own site. */
const ICON_HEADERS = { ...HEADERS, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Its name tells its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';

/**
 * The web UI. Every address of a page answers with the one page there is, which then finds out what to show;
 * an unknown one does as well, when a browser asks, with a status that says so.
 */
export function web({ webFolder }: { readonly webFolder: string }): Router {
  const read = createWebFiles(webFolder);
  const sending =
    (cache: string, pathOf: (req: Request) => string, headers: Readonly<Record<string, string>> = HEADERS) =>
    async (req: Request, res: Response, next: NextFunction) => {
      const file = (await read()).get(pathOf(req));
      if (!file) next();
      else sendWebFile(req, res.set({ ...headers, 'Cache-Control': cache }), file);
    };
  const page = sending(ASK_EACH_TIME, () => 'index.html');
  const icon = sending(ASK_EACH_TIME, () => 'favicon.svg', ICON_HEADERS);
  const pageToBrowsers = async (req: Request, res: Response, next: NextFunction) => {
    if (req.method !== 'GET' || !isFromBrowser(req)) next();
    else await page(req, res.status(404), next);
  };

  const router = Router();
  for (const path of ['/', ...SINGLE_PAGES, ...AREAS.map((area) => `${area}{/*rest}`)])
    router.get(path, page);
  return (
    router
      .get(
        '/assets/:name',
        sending(FOR_EVER, (req) => `assets/${String(req.params.name)}`),
      )
      .get(
        '/theme.js',
        sending(ASK_EACH_TIME, () => 'theme.js'),
      )
      // For those who install the pages as an app.
      .get(
        '/manifest.webmanifest',
        sending(ASK_EACH_TIME, () => 'manifest.webmanifest'),
      )
      .get(
        '/app-icons/:name',
        sending(ASK_EACH_TIME, (req) => `app-icons/${String(req.params.name)}`),
      )
      .get(
        '/docs',
        sending(ASK_EACH_TIME, () => 'docs.html'),
      )
      .get('/favicon.svg', icon)
      // Some browsers ask for it under this name whatever the page says.
      .get('/favicon.ico', icon)
      .use(pageToBrowsers)
  );
}

/** Somebody's address bar: a program that takes anything does not name what a page is written in. */
function isFromBrowser({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/** Alive as long as it answers; ready as long as it takes new work. */
export function health({ isReady }: { readonly isReady: () => Promise<boolean> }): Router {
  return Router()
    .get('/healthz', (_req, res) => {
      res.json({ status: 'ok' });
    })
    .get('/readyz', async (_req, res) => {
      const ready = await isReady();
      res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
    });
}
