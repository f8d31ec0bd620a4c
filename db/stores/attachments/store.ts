import type { Knex } from 'knex';
import type {
  Attachment,
  AttachmentStatus,
  AttachmentStore,
} from '../../../src/core/attachments/attachment.js';
import type { Timestamp } from '../../../src/core/stores.js';
import {
  cellsOf,
  number,
  numberOrNull,
  plain,
  type RowOf,
  text,
  textOrNull,
  valuesIn,
} from '../../query/columns.js';
import { now, storable } from '../../query/values.js';

const COLUMNS = {
  id: text('id'),
  ownerId: number('owner_id'),
  organizationId: number('organization_id'),
  filename: text('filename'),
  mediaType: text('media_type'),
  bytes: number('bytes'),
  sha256: text('sha256'),
  status: plain<AttachmentStatus>()('status'),
  error: textOrNull('error'),
  assistantId: numberOrNull('assistant_id'),
  createdAt: plain<Timestamp>()('created_at'),
};

type AttachmentRow = RowOf<typeof COLUMNS>;

/** SQLite takes no more variables in one statement than some thousands. */
const IDS_AT_ONCE = 500;

export function createAttachmentStore(db: Knex): AttachmentStore {
  const attachments = () => db<AttachmentRow>('attachments');
  return {
    async create(given) {
      const attachment: Attachment = { ...given, error: null, assistantId: null, createdAt: now() };
      await attachments().insert(cellsOf(COLUMNS, attachment));
      return attachment;
    },

    async get(id) {
      const row = (await db('attachments').where('id', storable(id)).first()) as AttachmentRow | undefined;
      return row && valuesIn(COLUMNS, row);
    },

    async unknown(ids) {
      const known = new Set<string>();
      for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
        const some = ids.slice(start, start + IDS_AT_ONCE);
        for (const id of await db('attachments').whereIn('id', some).pluck<string[]>('id')) known.add(id);
      }
      return ids.filter((id) => !known.has(id));
    },

    sweep: (before) => db('attachments').whereNull('assistant_id').where('created_at', '<', before).del(),
  };
}

/** Makes a picture that belongs to nothing yet the assistant's. */
export async function bindPicture(trx: Knex, picture: string, assistantId: number): Promise<void> {
  const ofAssistant = (column: string) => trx('assistants').where('id', assistantId).select(column);
  await trx('attachments')
    .where('id', storable(picture))
    .whereNull('assistant_id')
    .update({
      assistant_id: assistantId,
      owner_id: ofAssistant('owner_id'),
      organization_id: ofAssistant('organization_id'),
    });
}
