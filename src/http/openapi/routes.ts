import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import { sendWebFile, type WebFile } from '../resources/web-files.js';

const squeeze = promisify(gzip);

/** The API's own description. It is the same for everybody and holds nothing of anybody, so that no key is asked for. */
export function openapi(): Router {
  let made: Promise<WebFile> | undefined;
  return Router().get('/openapi.json', async (req, res) => {
    made ??= make();
    const headers = {
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    };
    sendWebFile(req, res.set(headers), await made);
  });
}

/** Once, for the first who asks: what it is made of is loaded then. */
async function make(): Promise<WebFile> {
  const { describeApi } = await import('./document.js');
  const plain = Buffer.from(JSON.stringify(describeApi()));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const mediaType = 'application/json; charset=utf-8';
  return { mediaType, etag, plain, gzip: await squeeze(plain), br: undefined };
}
