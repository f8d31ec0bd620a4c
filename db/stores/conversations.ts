import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { notFound } from '../../src/core/errors.js';
import type { Content } from '../../src/core/message.js';
import type { Conversation, ConversationStore, StoredMessage, Timestamp } from '../../src/core/stores.js';
import { storable } from '../column-values.js';
import { now } from '../now.js';
import {
  columnsOf,
  packedRow,
  packedRows,
  postgresValues,
  sqliteValues,
  type Field,
} from '../packed-rows.js';
import { byTime, pageOf } from '../paging.js';
import { prepareStatement, type StatementText } from '../prepared.js';

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

type NewMessage = Parameters<ConversationStore['append']>[2][number];

const MESSAGE_FIELDS: readonly Field<NewMessage>[] = [
  { column: 'role', type: 'text', value: ({ role }) => role },
  { column: 'content', type: 'text', value: ({ content }) => JSON.stringify(content) },
  { column: 'run_id', type: 'text', value: ({ runId }) => runId },
  { column: 'incomplete', type: 'boolean', value: ({ incomplete }) => incomplete },
];

const MESSAGE = `messages (conversation_id, created_at, ${columnsOf(MESSAGE_FIELDS)})`;

/** One statement, which holds the conversation's row until its end, so that two answers never interleave. */
const APPEND: StatementText = {
  name: 'append_messages',
  sqliteSetUp: `
    CREATE TEMP VIEW IF NOT EXISTS continued_conversation AS
      SELECT NULL AS id, NULL AS updated_at, NULL AS messages;
    CREATE TEMP TRIGGER IF NOT EXISTS continue_conversation INSTEAD OF INSERT ON continued_conversation BEGIN
      UPDATE conversations SET updated_at = NEW.updated_at WHERE id = NEW.id;
      INSERT INTO ${MESSAGE}
        SELECT NEW.id, NEW.updated_at, ${sqliteValues(MESSAGE_FIELDS, 'value')} FROM jsonb_each(NEW.messages);
    END;`,
  sqlite: `
    INSERT INTO continued_conversation
      SELECT id, ?, jsonb(?) FROM conversations WHERE id = ? AND user_id = ? RETURNING id`,
  postgres: `
    WITH touched AS (
      UPDATE conversations SET updated_at = $1 WHERE id = $3 AND user_id = $4 RETURNING id, updated_at
    ), said AS (
      INSERT INTO ${MESSAGE}
        SELECT id, updated_at, ${postgresValues(MESSAGE_FIELDS, 'message')}
        FROM touched, jsonb_array_elements($2::jsonb) WITH ORDINALITY AS packed (message, number)
        ORDER BY number
    )
    SELECT id FROM touched`,
};

/** By creation, which never changes: by last use, a conversation would jump over the reader's cursor. */
const NEWEST_FIRST = byTime<ConversationRow>('created_at', (row) => [row.created_at, row.id]);

export function createConversationStore(db: Knex): ConversationStore {
  const ofUser = (on: Knex, userId: number, id: string) =>
    on<ConversationRow>('conversations').where({ id: storable(id), user_id: userId });
  const append = prepareStatement(db, APPEND);

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
      const packed = packedRows(messages.map((message) => packedRow(MESSAGE_FIELDS, message)));
      const touched = await append(now(), packed, storable(id), userId);
      if (touched.length === 0) throw notFound('The conversation');
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
