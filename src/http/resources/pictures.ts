import { Router } from 'express';
import { pictureFormat } from '../../core/base/picture-format.js';
import { MOST_PICTURE_BYTES } from '../../clients/gemini-images.js';
import { AppError, notFound } from '../../core/errors.js';
import type { FileStore } from '../../core/stores.js';
import type { PictureLinks } from '../../security/signed-links.js';

export interface PictureRouteDeps {
  readonly files: FileStore;
  readonly pictureLinks: PictureLinks;
}

/** Shows a picture to whoever has its link. The same answer for a forged link, an old one and a picture that is gone. */
export function pictures({ files, pictureLinks }: PictureRouteDeps): Router {
  return Router().get('/pictures/:token', async (req, res) => {
    const kept = pictureLinks.pictureAt(req.params.token);
    const bytes = kept && (await bytesOf(files, kept));
    const format = bytes && pictureFormat(bytes);
    if (!format) throw notFound('This picture');
    res
      .set({
        'Content-Type': format.mediaType,
        'Content-Disposition': 'inline',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      })
      .end(bytes);
  });
}

async function bytesOf(files: FileStore, { ownerId, path }: { ownerId: number; path: string }) {
  return files
    .ofOwner(ownerId)
    .readBytes(path, { maxBytes: MOST_PICTURE_BYTES })
    .catch((fault: unknown) => {
      if (fault instanceof AppError) return undefined;
      throw fault;
    });
}
