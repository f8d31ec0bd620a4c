import type { Request, Response } from 'express';
import type { WebFile } from './web-files-part-src-http.js';

/** The two directives in which our pages differ. */
export interface PagePolicy {
  readonly formAction: string;
  readonly frameAncestors: string;
}

/** Nothing runs or loads but what we built; text never becomes markup but through the templates. */
export function webHeaders({ formAction, frameAncestors }: PagePolicy) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    formAction,
    frameAncestors,
    "require-trusted-types-for 'script'",
    // The second is the sanitiser's, which is the only way from a model's text to markup.
    'trusted-types svelte-trusted-html dompurify',
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
  };
}

export function sendWebFile(req: Request, res: Response, { mediaType, etag, ...bytes }: WebFile): void {
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
