import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { TranscriptPolicy } from '../../src/core/lti/activity.js';
import { MOST_FOLDERS } from '../../src/core/runs/conversation.js';
import type {
  Conversation,
  ConversationChange,
  ConversationFilter,
  ConversationStore,
  ListedConversation,
  Speaker,
  Timestamp,
} from '../../src/core/stores.js';
import { byTime, pageOf } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { now, storable } from '../query/values.js';
import { createMessages, ownedBy } from './conversation-messages.js';

interface ConversationRow {
  readonly id: string;
  readonly user_id: number;
  readonly activity_id: number | null;
  readonly assistant_id: number;
  readonly title: string;
  readonly rewinds: number;
  readonly transcript_policy: TranscriptPolicy | null;
  readonly pinned_at: Timestamp | null;
  readonly folder: string | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/**
 * By last use, which changes: one that is used while somebody reads on goes to the top. So it is never seen twice, and
 * missed only by a reader who had not come to it yet, who finds it first when reading from the top.
 */
const LAST_USED_FIRST = byTime<ConversationRow>('updated_at', (row) => [row.updated_at, row.id]);

/** Searches go by the reader: they look at all that somebody ever said. */
export function createConversationStore(db: Knex, reader = db): ConversationStore {
  const one = (whose: Speaker, id: string) =>
    db<ConversationRow>('conversations').where({ id: storable(id), ...ownedBy(whose) });

  return {
    async create({ userId, activityId, assistantId, title, transcriptPolicy }) {
      const at = now();
      const row: ConversationRow = {
        id: randomUUID(),
        ...ownedBy({ userId, activityId }),
        assistant_id: assistantId,
        title: storable(title),
        rewinds: 0,
        transcript_policy: transcriptPolicy ?? null,
        ...{ pinned_at: null, folder: null },
        created_at: at,
        updated_at: at,
      };
      await db('conversations').insert(row);
      return toConversation(row);
    },

    async get(whose, id) {
      const row = await one(whose, id).first();
      return row && toConversation(row);
    },

    async list(whose, filter, page) {
      const from = filter.q === undefined ? db : reader;
      const mine = from('conversations').where(ownedBy(whose)).select('*');
      const { data, nextCursor } = await pageOf(onlyMatching(mine, filter, from), LAST_USED_FIRST, page);
      return { data: await counted(data, from), nextCursor };
    },

    async change(whose, id, change) {
      const changed = await one(whose, id).update(columnsOf(change));
      const row = changed > 0 ? await one(whose, id).first() : undefined;
      return row && (await counted([row], db))[0];
    },

    async folders(whose) {
      const rows: { name: string; conversations: number | string }[] = await db('conversations')
        .where(ownedBy(whose))
        .whereNotNull('folder')
        .groupBy('folder')
        .orderBy('folder')
        .limit(MOST_FOLDERS)
        .select('folder as name')
        .count({ conversations: '*' });
      return rows.map(({ name, conversations }) => ({ name, conversations: Number(conversations) }));
    },

    async delete(whose, id) {
      return (await one(whose, id).del()) > 0;
    },

    ...createMessages(db),
  };
}

function onlyMatching(
  query: Knex.QueryBuilder,
  { q, assistantId, isPinned, folder, isFiled }: ConversationFilter,
  db: Knex,
): Knex.QueryBuilder {
  if (assistantId !== undefined) query.where('assistant_id', assistantId);
  onlyWith(query, 'pinned_at', isPinned);
  // Both are said, so that the index of folders is found.
  onlyWith(query, 'folder', folder === undefined ? isFiled : true);
  if (folder !== undefined) query.where('folder', storable(folder));
  if (q === undefined) return query;
  // Messages are stored as JSON: what is looked for is spelt the same way.
  const spelt = JSON.stringify(storable(q)).slice(1, -1);
  const words = db.raw('coalesce(messages.words, messages.content)');
  const saying = db('messages').whereRaw('messages.conversation_id = conversations.id');
  return query.where((any) => {
    onlyContaining(any, ['conversations.title'], q);
    // Not as EXISTS: PostgreSQL would look through everybody's messages for it.
    any.orWhereRaw('? = 1', [onlyContaining(saying, [words], spelt).select(db.raw('1')).limit(1)]);
  });
}

function onlyWith(query: Knex.QueryBuilder, column: string, isThere: boolean | undefined): void {
  if (isThere === true) query.whereNotNull(column);
  if (isThere === false) query.whereNull(column);
}

function columnsOf({ title, isPinned, folder }: ConversationChange): Partial<ConversationRow> {
  return {
    ...(title === undefined ? {} : { title: storable(title) }),
    ...(isPinned === undefined ? {} : { pinned_at: isPinned ? now() : null }),
    ...(folder === undefined ? {} : { folder: folder && storable(folder) }),
  };
}

/** With the number of messages of each, asked for all of them at once. */
async function counted(rows: readonly ConversationRow[], db: Knex): Promise<ListedConversation[]> {
  if (rows.length === 0) return [];
  const counts = await db('messages')
    .whereIn(
      'conversation_id',
      rows.map(({ id }) => id),
    )
    .groupBy('conversation_id')
    .select<{ conversation_id: string; said: number | string }[]>(
      'conversation_id',
      db.raw('count(*) as said'),
    );
  const said = new Map(counts.map((row) => [row.conversation_id, Number(row.said)]));
  return rows.map((row) => ({ ...toConversation(row), messages: said.get(row.id) ?? 0 }));
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    userId: row.user_id,
    activityId: row.activity_id ?? undefined,
    assistantId: row.assistant_id,
    title: row.title,
    isPinned: row.pinned_at !== null,
    folder: row.folder,
    rewinds: row.rewinds,
    transcriptPolicy: row.transcript_policy ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
