import type { Knex } from 'knex';
import { notFound } from '../../src/core/errors.js';
import { type ChatContent, textOf } from '../../src/core/message.js';
import type { AnswerDetails } from '../../src/core/runs/conversation.js';
import type {
  ConversationStore,
  NewMessage,
  Speaker,
  StoredMessage,
  Timestamp,
} from '../../src/core/stores.js';
import { createLastingWrite } from '../query/lasting-write.js';
import {
  columnsOf,
  type Field,
  packedRow,
  packedRows,
  postgresValues,
  prepareStatement,
  sqliteValues,
  type StatementText,
} from '../query/prepared.js';
import { now, storable } from '../query/values.js';

export interface MessageRow {
  readonly role: StoredMessage['role'];
  /** JSON: a text, or parts. */
  readonly content: string;
  readonly run_id: string | null;
  readonly incomplete: boolean | number;
  /** JSON. */
  readonly details: string | null;
  readonly created_at: Timestamp;
}

const MESSAGE_FIELDS: readonly Field<NewMessage>[] = [
  { column: 'role', type: 'text', value: ({ role }) => role },
  { column: 'content', type: 'text', value: ({ content }) => JSON.stringify(content) },
  { column: 'words', type: 'text', value: ({ content }) => wordsOf(content) },
  { column: 'run_id', type: 'text', value: ({ runId }) => runId },
  { column: 'incomplete', type: 'boolean', value: ({ incomplete }) => incomplete },
  { column: 'details', type: 'text', value: ({ details }) => (details ? JSON.stringify(details) : null) },
];

/** In the form of a content that is text, so that one search goes for both. */
function wordsOf(content: ChatContent): string | null {
  return typeof content === 'string' ? null : JSON.stringify(textOf(content));
}

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
      SELECT id, ?, jsonb(?) FROM conversations
      WHERE id = ? AND user_id = ? AND activity_id IS ? AND rewinds = coalesce(?, rewinds) RETURNING id`,
  postgres: `
    WITH touched AS (
      UPDATE conversations SET updated_at = $1
      WHERE id = $3 AND user_id = $4 AND activity_id IS NOT DISTINCT FROM $5::integer
        AND rewinds = coalesce($6::integer, rewinds) RETURNING id, updated_at
    ), said AS (
      INSERT INTO ${MESSAGE}
        SELECT id, updated_at, ${postgresValues(MESSAGE_FIELDS, 'message')}
        FROM touched, jsonb_array_elements($2::jsonb) WITH ORDINALITY AS packed (message, number)
        ORDER BY number
    )
    SELECT id FROM touched`,
};

/** What is said in conversations. */
export function createMessages(db: Knex): Pick<ConversationStore, 'messages' | 'append' | 'rewind'> {
  const append = prepareStatement(db, APPEND);
  const conversation = (on: Knex, whose: Speaker, id: string) =>
    on('conversations').where({ id: storable(id), ...ownedBy(whose) });
  const lasting = createLastingWrite();
  const keptOf = async ([first]: readonly NewMessage[], id: string, at: Timestamp) => {
    const said = { conversation_id: storable(id), run_id: first?.runId ?? null, created_at: at };
    const kept = await db('messages').where(said).pluck<number[]>('id');
    return kept.length > 0 ? kept : undefined;
  };

  return {
    async messages(whose, id) {
      const rows = await db('messages')
        // Not as IN: SQLite would sort what the index has in order.
        .where('conversation_id', conversation(db, whose, id).select('id'))
        .orderBy('id')
        .select<MessageRow[]>('*');
      return rows.map(toMessage);
    },

    async append(whose, id, messages, unlessRewoundSince) {
      const packed = packedRows(messages.map((message) => packedRow(MESSAGE_FIELDS, message)));
      const { userId, activityId = null } = whose;
      const since = unlessRewoundSince ?? null;
      const at = now();
      const touched = await lasting<readonly unknown[]>({
        write: () => append(at, packed, storable(id), userId, activityId, since),
        find: () => keptOf(messages, id, at),
        isUnique: false,
      });
      if (touched.length > 0) return true;
      if (await conversation(db, whose, id).first('id')) return false;
      throw notFound('The conversation');
    },

    async rewind(whose, id, keep) {
      return db.transaction(async (trx) => {
        // First of all, and held to the end: whoever appends meanwhile waits, and then sees it.
        const found = await conversation(trx, whose, id).increment('rewinds', 1);
        if (found === 0) return false;
        const said = () => trx('messages').where('conversation_id', id);
        await said().whereNotIn('id', said().orderBy('id').limit(keep).select('id')).del();
        return true;
      });
    },
  };
}

/** Without an activity only what is of none is meant. */
export function ownedBy({ userId, activityId }: Speaker): { user_id: number; activity_id: number | null } {
  return { user_id: userId, activity_id: activityId ?? null };
}

export function toMessage(row: MessageRow): StoredMessage {
  return {
    role: row.role,
    content: JSON.parse(row.content) as ChatContent,
    runId: row.run_id,
    incomplete: Boolean(row.incomplete),
    details: row.details === null ? null : (JSON.parse(row.details) as AnswerDetails),
    createdAt: row.created_at,
  };
}
