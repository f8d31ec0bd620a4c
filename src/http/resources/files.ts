import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Response, Router } from 'express';
import { z } from 'zod';
import { denialOf } from '../../core/access/audit.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { FileFacts, FolderFacts, OpenFile } from '../../core/files.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/resources.js';
import { typeGuess } from '../middleware/download.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

export const ListQuery = PageQuery.extend({
  // A path goes into it, and that may be long.
  cursor: z.string().min(1).max(5_000).optional(),
  folder: z.string().max(1_024).optional(),
  q: z.string().max(200).optional(),
  /** Folders as rows of their own, and only what lies directly in this one. */
  shallow: z.enum(['true', 'false']).default('false'),
});

export const UploadFields = z.strictObject({ path: z.string().optional() });

type Deps = Pick<Stores, 'files' | 'audit'> & { readonly bodyLimitBytes: number };

/** One's own private files. Nobody else's can be named, not even by an administrator. */
export function fileRoutes({ files, audit, bodyLimitBytes }: Deps): Router {
  return Router()
    .get('/lamb/v1/files', async (req, res) => {
      const { limit, cursor, folder, q, shallow } = parseWith(ListQuery, req.query, 'The query');
      const own = files.ofOwner(callerOf(res).userId);
      const page = { limit, cursor };
      // A search goes through all folders below.
      const isShallow = shallow === 'true' && q === undefined;
      res.json(
        isShallow
          ? pageOf(await own.browse(folder, page), showEither)
          : pageOf(await own.list({ folder, q }, page), show),
      );
    })
    .post('/lamb/v1/files', async (req, res) => {
      const caller = callerOf(res);
      if (caller.role === 'student') {
        await audit.record(denialOf(caller, { action: 'create', resource: 'file', reason: 'a student' }));
        throw forbidden('Students cannot store files.');
      }
      const own = files.ofOwner(caller.userId);
      // What reads forms is loaded with the first of them.
      const { receiveUpload } = await import('../middleware/upload.js');
      const { file, name, fields } = await receiveUpload(req, res, {
        files: own,
        limitBytes: bodyLimitBytes,
      });
      try {
        const { path = name } = parseWith(UploadFields, fields, 'The form');
        res.status(201).json(show(await file.keep(path)));
      } finally {
        await file.discard();
      }
    })
    .get('/lamb/v1/files/*path', async (req, res) => {
      const file = await files.ofOwner(callerOf(res).userId).open(pathOf(req.params.path));
      await send(res, file, req.method === 'HEAD');
    })
    .delete('/lamb/v1/files/*path', async (req, res) => {
      const path = pathOf(req.params.path);
      if (!(await files.ofOwner(callerOf(res).userId).delete(path))) throw notFound(`File ${path}`);
      res.status(204).end();
    });
}

/** Decoded by Express, once; the store judges the whole, so an encoded slash is a slash and nothing more. */
function pathOf(segments: readonly string[]): string {
  return segments.join('/');
}

/** As something to be saved: whatever is in it, no browser takes it for a page of ours. */
async function send(res: Response, file: OpenFile, headOnly: boolean): Promise<void> {
  res.attachment(posix.basename(file.path));
  res.set({
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(file.size),
    'Last-Modified': new Date(file.updatedAt).toUTCString(),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  });
  if (headOnly) {
    await file.close();
    res.end();
    return;
  }
  await pipeline(file.bytes(), res).catch((fault: unknown) => {
    // Somebody who left in the middle is no fault of ours.
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw fault;
  });
}

function show({ path, size, updatedAt }: FileFacts): wire.StoredFile {
  return { path, size, type: typeGuess(path), updated_at: updatedAt };
}

function showEither(found: FileFacts | FolderFacts): wire.StoredFile | wire.Folder {
  return 'files' in found ? { path: found.path, type: 'folder', files: found.files } : show(found);
}
