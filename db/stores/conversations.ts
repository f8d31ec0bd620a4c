import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { notFound } from '../../src/core/errors.js';
import type { Content } from '../../src/core/message.js';
import type { Conversation, ConversationStore, StoredMessage, Timestamp } from '../../src/core/stores.js';
import { storable, storableOrNull } from '../column-values.js';
import { insertInChunks } from '../insert-in-chunks.js';
import { now } from '../now.js';
import { byTime, pageOf } from '../paging.js';

interface ConversationRow {
  readonly id: string;
  readonly user_id: number;
  readonly assistant_id: number;
  readonly title: string;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

interface MessageRow {
  readonly role: StoredMessage['role'];
  /** JSON: a text, or parts. */
  readonly content: string;
  readonly run_id: string | null;
  readonly incomplete: boolean | number;
  readonly created_at: Timestamp;
}

/** By creation, which never changes: by last use, a conversation would jump over the reader's cursor. */
const NEWEST_FIRST = byTime<ConversationRow>('created_at', (row) => [row.created_at, row.id]);

export function createConversationStore(db: Knex): ConversationStore {
  const ofUser = (on: Knex, userId: number, id: string) =>
    on<ConversationRow>('conversations').where({ id: storable(id), user_id: userId });

  return {
    async create({ userId, assistantId, title }) {
      const at = now();
      const row: ConversationRow = {
        id: randomUUID(),
        user_id: userId,
        assistant_id: assistantId,
        title: storable(title),
        created_at: at,
        updated_at: at,
      };
      await db('conversations').insert(row);
      return toConversation(row);
    },

    async get(userId, id) {
      const row = await ofUser(db, userId, id).first();
      return row && toConversation(row);
    },

    async list(userId, page) {
      const mine = db('conversations').where('user_id', userId).select('*');
      const { data, nextCursor } = await pageOf(mine, NEWEST_FIRST, page);
      return { data: data.map(toConversation), nextCursor };
    },

    async messages(userId, id) {
      const rows = await db('messages')
        .join('conversations', 'conversations.id', 'messages.conversation_id')
        .where({ 'conversations.id': storable(id), 'conversations.user_id': userId })
        .orderBy('messages.id')
        .select<MessageRow[]>('messages.*');
      return rows.map(toMessage);
    },

    async append(userId, id, messages) {
      const at = now();
      await db.transaction(async (trx) => {
        // Holds the conversation's row until the end, so that two answers never interleave.
        const touched = await ofUser(trx, userId, id).update({ updated_at: at });
        if (touched === 0) throw notFound('The conversation');
        await insertInChunks(
          trx,
          'messages',
          messages.map((message) => ({
            conversation_id: id,
            role: message.role,
            content: JSON.stringify(message.content),
            run_id: storableOrNull(message.runId),
            incomplete: message.incomplete,
            created_at: at,
          })),
        );
      });
    },

    async delete(userId, id) {
      return (await ofUser(db, userId, id).del()) > 0;
    },
  };
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    userId: row.user_id,
    assistantId: row.assistant_id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toMessage(row: MessageRow): StoredMessage {
  return {
    role: row.role,
    content: JSON.parse(row.content) as Content,
    runId: row.run_id,
    incomplete: Boolean(row.incomplete),
    createdAt: row.created_at,
  };
}
