import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Request, Response } from 'express';

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
    "manifest-src 'self'",
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
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
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

/** One file of the web UI, as it was built. */
export interface WebFile {
  readonly mediaType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** By its path below the folder, with slashes: `assets/main-4f1c.js`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** Reads the whole folder, at most once: it is small, and what is not in it cannot be asked for. */
export function createWebFiles(folder: string): () => Promise<WebFiles> {
  let reading: Promise<WebFiles> | undefined;
  return () => {
    reading ??= readAll(folder).catch((fault: unknown) => {
      reading = undefined;
      throw fault;
    });
    return reading;
  };
}

async function readAll(folder: string): Promise<WebFiles> {
  const paths = await readdir(folder, { recursive: true });
  const built = paths.filter((path) => MEDIA_TYPES[extname(path)] !== undefined);
  const entries = built.map(
    async (path) => [path.split(sep).join('/'), await readOne(join(folder, path))] as const,
  );
  return new Map(await Promise.all(entries));
}

async function readOne(file: string): Promise<WebFile> {
  const [plain, br, gzip] = await Promise.all([readFile(file), twinOf(file, 'br'), twinOf(file, 'gz')]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { mediaType: MEDIA_TYPES[extname(file)] ?? '', etag, plain, br, gzip };
}

/** Written beside it by the build, when there is anything to gain. */
async function twinOf(file: string, ending: string): Promise<Buffer | undefined> {
  return readFile(`${file}.${ending}`).catch(() => undefined);
}
