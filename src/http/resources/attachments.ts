import { Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import type { Attachment, AttachmentIntake } from '../../core/attachments/attachment.js';
import { notAllowed } from '../../core/attachments/refusals.js';
import { notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/resources.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export const NoFields = z.strictObject({});

type Deps = Pick<Stores, 'assistants' | 'attachments'> & { readonly attachmentIntake: AttachmentIntake };

/** Most are read by then, and a client need not ask again. */
const READ_WITHIN_MS = 2_000;
/** So long one that asks is kept waiting. */
const ASKED_WITHIN_MS = 1_000;

/** What somebody sends along. It is theirs: nobody else can read it here, not even an administrator. */
export function attachmentRoutes({ assistants, attachments, attachmentIntake: intake }: Deps): Router {
  /** Whom nobody knows leaves nothing where nobody reads it. */
  const mustBeWanted = async ({ link }: Caller) => {
    const assistant = link && (await assistants.get(link.assistantId));
    if (link && !assistant?.setup.attachments) throw notAllowed('file');
  };

  return Router()
    .post('/lamb/v1/attachments', async (req, res) => {
      const caller = callerOf(res);
      await mustBeWanted(caller);
      // What reads forms is loaded with the first of them.
      const { receiveForm } = await import('../middleware/upload.js');
      const { files, fields } = await receiveForm(req, res, {
        limit: { bytes: intake.limits.bytes, setting: 'ATTACHMENT_LIMIT' },
        mostFiles: 1,
        wanted: '"file" alone',
        take: (bytes) => intake.store(bytes),
        undo: (stored) => intake.discard(stored),
      });
      const [{ name: filename, taken }] = files;
      try {
        parseWith(NoFields, fields, 'The form');
      } catch (fault) {
        await intake.discard(taken);
        throw fault;
      }
      const { userId: ownerId, organizationId } = caller;
      const kept = await intake.keep(taken, { filename, ownerId, organizationId });
      res.status(201).json(show(await intake.settled(kept, { ms: READ_WITHIN_MS })));
    })
    .get('/lamb/v1/attachments/:id', async (req, res) => {
      const attachment = await attachments.get(req.params.id);
      if (attachment?.ownerId !== callerOf(res).userId) throw notFound('The attachment');
      res.json(show(await intake.settled(attachment, { ms: ASKED_WITHIN_MS })));
    });
}

function show({ mediaType, error, errorCode, ...attachment }: Attachment): wire.Attachment {
  const { id, filename, bytes, status } = attachment;
  return {
    ...{ id, filename, media_type: mediaType, bytes, status },
    ...(error === null ? {} : { error }),
    ...(errorCode === null ? {} : { error_code: errorCode }),
  };
}
