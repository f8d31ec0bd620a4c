import { type Request, type Response, Router } from 'express';
import { notFound } from '../../core/errors.js';
import { createWebFiles, type WebFile } from '../web-files.js';

/** Nothing runs or loads but what we built; nobody frames us; text never becomes markup but through the templates. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The second is the sanitiser's, which is the only way from a model's text to markup.
  'trusted-types svelte-trusted-html dompurify',
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
};

/** Its name tells its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';

/** The web UI. Every address of a page answers with the one page there is, which then finds out what to show. */
export function web({ webFolder }: { readonly webFolder: string }): Router {
  const read = createWebFiles(webFolder);
  const sending =
    (cache: string, pathOf: (req: Request) => string) => async (req: Request, res: Response) => {
      const file = (await read()).get(pathOf(req));
      if (!file) throw notFound(`The file ${req.path.slice(0, 200)}`);
      send(req, res.set({ ...HEADERS, 'Cache-Control': cache }), file);
    };
  const page = sending(ASK_EACH_TIME, () => 'index.html');
  const icon = sending(ASK_EACH_TIME, () => 'favicon.svg');

  return (
    Router()
      .get('/', page)
      .get('/sign-in', page)
      .get('/welcome', page)
      .get('/assistants{/*rest}', page)
      .get('/multi-tool-assistants{/*rest}', page)
      .get('/chat{/*rest}', page)
      .get('/knowledge{/*rest}', page)
      .get('/rubrics{/*rest}', page)
      .get('/files{/*rest}', page)
      .get('/runs{/*rest}', page)
      .get('/usage{/*rest}', page)
      .get('/admin{/*rest}', page)
      .get(
        '/assets/:name',
        sending(FOR_EVER, (req) => `assets/${String(req.params.name)}`),
      )
      .get(
        '/theme.js',
        sending(ASK_EACH_TIME, () => 'theme.js'),
      )
      .get('/favicon.svg', icon)
      // Some browsers ask for it under this name whatever the page says.
      .get('/favicon.ico', icon)
  );
}

function send(req: Request, res: Response, { mediaType, etag, ...bytes }: WebFile): void {
  res.set({ 'Content-Type': mediaType, ETag: etag });
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  const encoding = req.acceptsEncodings('br', 'gzip');
  const squeezed = encoding ? bytes[encoding as 'br' | 'gzip'] : undefined;
  if (squeezed) res.set('Content-Encoding', String(encoding));
  const body = squeezed ?? bytes.plain;
  res.set('Content-Length', String(body.length)).end(body);
}
