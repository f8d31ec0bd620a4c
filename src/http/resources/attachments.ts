import { Router } from 'express';
import { z } from 'zod';
import { denialOf } from '../../core/access/audit.js';
import type { Attachment, AttachmentIntake } from '../../core/attachments/attachment.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/resources.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export const NoFields = z.strictObject({});

type Deps = Pick<Stores, 'attachments' | 'audit'> & {
  readonly attachmentIntake: AttachmentIntake;
  readonly bodyLimitBytes: number;
};

/** What somebody sends along. It is theirs: nobody else can read it here, not even an administrator. */
export function attachmentRoutes({ attachments, audit, attachmentIntake, bodyLimitBytes }: Deps): Router {
  return Router()
    .post('/lamb/v1/attachments', async (req, res) => {
      const caller = callerOf(res);
      if (caller.role === 'student') {
        const resource = 'attachment';
        await audit.record(denialOf(caller, { action: 'create', resource, reason: 'a student' }));
        throw forbidden('Students cannot store files.');
      }
      // What reads forms is loaded with the first of them.
      const { receiveForm } = await import('../middleware/upload.js');
      const { files, fields } = await receiveForm(req, res, {
        limit: { bytes: bodyLimitBytes, setting: 'BODY_LIMIT' },
        mostFiles: 1,
        wanted: '"file" alone',
        take: (bytes) => attachmentIntake.store(bytes, bodyLimitBytes),
        undo: (stored) => attachmentIntake.discard(stored),
      });
      const [{ name: filename, taken }] = files;
      try {
        parseWith(NoFields, fields, 'The form');
      } catch (fault) {
        await attachmentIntake.discard(taken);
        throw fault;
      }
      const { userId: ownerId, organizationId } = caller;
      res.status(201).json(show(await attachmentIntake.keep(taken, { filename, ownerId, organizationId })));
    })
    .get('/lamb/v1/attachments/:id', async (req, res) => {
      const attachment = await attachments.get(req.params.id);
      if (attachment?.ownerId !== callerOf(res).userId) throw notFound('The attachment');
      res.json(show(attachment));
    });
}

function show({ id, filename, mediaType, bytes, status, error }: Attachment): wire.Attachment {
  return { id, filename, media_type: mediaType, bytes, status, ...(error === null ? {} : { error }) };
}
