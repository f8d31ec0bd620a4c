import type { Knex } from 'knex';
import type {
  Attachment,
  AttachmentStatus,
  AttachmentStore,
} from '../../../src/core/attachments/attachment.js';
import { ofAnotherConversation } from '../../../src/core/attachments/refusals.js';
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
  errorCode: textOrNull('error_code'),
  assistantId: numberOrNull('assistant_id'),
  conversationId: textOrNull('conversation_id'),
  readingUntil: plain<Timestamp | null>()('reading_until'),
  characters: numberOrNull('characters'),
  tokens: numberOrNull('tokens'),
  createdAt: plain<Timestamp>()('created_at'),
};

type AttachmentRow = RowOf<typeof COLUMNS>;

/** SQLite takes no more variables in one statement than some thousands. */
const IDS_AT_ONCE = 500;

const UNUSED = {
  ...{ assistantId: null, conversationId: null },
  ...{ error: null, errorCode: null, characters: null, tokens: null },
};

export function createAttachmentStore(db: Knex): AttachmentStore {
  const attachments = () => db<AttachmentRow>('attachments');
  const one = (id: string) => db('attachments').where('id', storable(id));
  return {
    async create(given) {
      const attachment: Attachment = { ...given, ...UNUSED, createdAt: now() };
      await attachments().insert(cellsOf(COLUMNS, attachment));
      return attachment;
    },

    async get(id) {
      const row = (await one(id).first()) as AttachmentRow | undefined;
      return row && valuesIn(COLUMNS, row);
    },

    async ofOwner(ownerId, ids) {
      const rows = (await db('attachments')
        .where('owner_id', ownerId)
        .whereNull('assistant_id')
        .whereIn('id', ids.map(storable))) as AttachmentRow[];
      return rows.map((row) => valuesIn(COLUMNS, row));
    },

    async same({ ownerId, sha256, filename }) {
      const row = (await db('attachments')
        .where({ owner_id: ownerId, sha256, filename: storable(filename) })
        .whereNull('assistant_id')
        .whereNull('conversation_id')
        .whereNot('status', 'failed')
        .first()) as AttachmentRow | undefined;
      return row && valuesIn(COLUMNS, row);
    },

    async bytesUntil({ id, ownerId, createdAt }, since) {
      const sum = await db('attachments')
        .where('owner_id', ownerId)
        .where('created_at', '>=', since)
        // Of those that came in the same moment, some come first, and the same ones for everybody.
        .where((until) => {
          until.where('created_at', '<', createdAt).orWhere((same) => {
            same.where('created_at', createdAt).where('id', '<=', id);
          });
        })
        .whereNull('assistant_id')
        .sum<{ bytes: number | string | null }[]>({ bytes: 'bytes' })
        .first();
      return Number(sum?.bytes ?? 0);
    },

    async delete(id) {
      await one(id).del();
    },

    async claim(id, until, at) {
      const claimed = await one(id)
        .where('status', 'reading')
        .where('reading_until', '<=', at)
        .update({ reading_until: until });
      return claimed > 0;
    },

    async release(id, at) {
      await one(id).where('status', 'reading').update({ reading_until: at });
    },

    finish: (id, read) =>
      db.transaction(async (trx) => {
        const facts =
          'error' in read
            ? { status: 'failed', error: storable(read.error), error_code: read.errorCode }
            : {
                status: 'ready',
                media_type: read.mediaType,
                characters: read.text.length,
                tokens: read.tokens,
              };
        const row = { ...facts, reading_until: null };
        const found = await trx('attachments')
          .where({ id: storable(id), status: 'reading' })
          .update(row);
        if (found === 0 || 'error' in read) return;
        await trx('attachment_texts').insert({ attachment_id: id, text: storable(read.text) });
      }),

    async texts(wanted) {
      const found = new Map<string, string>();
      for (const [id, characters] of wanted) {
        const row = await db('attachment_texts')
          .where('attachment_id', storable(id))
          .first<{ text: string } | undefined>(db.raw('substr(text, 1, ?) as text', [characters]));
        if (row) found.set(id, row.text);
      }
      return found;
    },

    async isFree({ id }) {
      const found: unknown = await one(id).whereNotExists(saidWith(db)).first('id');
      return found !== undefined;
    },

    bind: (ids, conversationId) =>
      db.transaction(async (trx) => {
        const theirs = trx('attachments').whereIn('id', ids.map(storable)).whereNull('assistant_id');
        const bound = await theirs
          .where((free) => {
            free
              .whereNull('conversation_id')
              .orWhere('conversation_id', conversationId)
              .orWhereNotExists(saidWith(trx));
          })
          .update({ conversation_id: conversationId });
        if (bound !== new Set(ids).size) throw ofAnotherConversation();
      }),

    async unknown(ids) {
      const known = new Set<string>();
      for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
        const some = ids.slice(start, start + IDS_AT_ONCE);
        for (const id of await db('attachments').whereIn('id', some).pluck<string[]>('id')) known.add(id);
      }
      return ids.filter((id) => !known.has(id));
    },

    sweep: (before) =>
      db('attachments')
        .whereNull('assistant_id')
        .whereNull('conversation_id')
        .where('created_at', '<', before)
        .del(),
  };
}

/** A question that was refused leaves a conversation in which nothing is said. */
const saidWith = (db: Knex) =>
  db('messages').whereRaw('messages.conversation_id = attachments.conversation_id').select(db.raw('1'));

/** Makes a picture that belongs to nothing yet the assistant's. */
export async function bindPicture(trx: Knex, picture: string, assistantId: number): Promise<void> {
  const ofAssistant = (column: string) => trx('assistants').where('id', assistantId).select(column);
  await trx('attachments')
    .where('id', storable(picture))
    .whereNull('assistant_id')
    .whereNull('conversation_id')
    .update({
      assistant_id: assistantId,
      owner_id: ofAssistant('owner_id'),
      organization_id: ofAssistant('organization_id'),
    });
}
