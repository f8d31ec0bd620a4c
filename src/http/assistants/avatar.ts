import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { z } from 'zod';
import type { Avatars } from '../../assistants/avatars.js';
import { seenBy } from '../../core/assistants/served.js';
import { notFound } from '../../core/errors.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createAssistantLookup, idIn, type LookupDeps } from './lookup.js';

export interface AvatarRouteDeps extends LookupDeps {
  readonly avatars: Avatars;
}

export const PictureQuery = z.object({
  picture: z
    .string()
    .max(100)
    .optional()
    .describe('Another of its pictures, which an earlier version has; else that of today.'),
});

/** The picture of an assistant, for whoever may see it. */
export function assistantAvatar(deps: AvatarRouteDeps): Router {
  const find = createAssistantLookup(deps);

  return Router().get('/lamb/v1/assistants/:id/avatar', async (req, res) => {
    const caller = callerOf(res);
    const assistant = await seenBy(caller, await find.toSee(idIn(req.params), caller, 'read'), deps);
    const { picture } = parseWith(PictureQuery, req.query, 'The query');
    const attachment = await deps.avatars.find(assistant, picture);
    if (!attachment) throw notFound('A picture of this assistant');
    const etag = `"${attachment.sha256}"`;
    res.set({
      // Kept by whoever has it, and asked for again each time: a right that is withdrawn is gone at once.
      ETag: etag,
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    if (isKnown(etag, req.get('if-none-match'))) {
      res.status(304).end();
      return;
    }
    const file = await deps.avatars.open(attachment);
    if (!file) throw notFound('A picture of this assistant');
    res.set({
      'Content-Type': attachment.mediaType,
      'Content-Disposition': 'inline',
      'Content-Length': String(file.size),
    });
    if (req.method === 'HEAD') {
      await file.close();
      res.end();
      return;
    }
    await pipeline(file.bytes(), res).catch((fault: unknown) => {
      // Somebody who left in the middle is no fault of ours.
      if ((fault as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw fault;
    });
  });
}

/** RFC 9110, section 13.1.2. Not Express's `fresh`: that sends everything to clients that only want to be asked for again. */
function isKnown(etag: string, known = ''): boolean {
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
