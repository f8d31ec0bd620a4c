import type { Knex } from 'knex';
import type { TranscriptPolicy } from '../../../src/core/lti/activity.js';
import type { ActivityInsightStore, Readable, Transcript } from '../../../src/core/lti/activity-insight.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { storable } from '../../query/values.js';
import { byTime, pageOf } from '../../query/paging.js';
import { type MessageRow, toMessage } from '../conversation-messages.js';

interface TranscriptRow {
  readonly id: string;
  readonly title: string;
  readonly assistant_id: number;
  readonly transcript_policy: TranscriptPolicy;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly number: number;
  readonly name: string | null;
  readonly messages: number | string;
}

const LAST_USED_FIRST = byTime<TranscriptRow>('updated_at', (row) => [row.updated_at, row.id]);

/** Conversations as others may read them. */
export function createTranscripts(
  db: Knex,
): Pick<ActivityInsightStore, 'hasSpeakers' | 'transcripts' | 'transcript' | 'messagesOf'> {
  const readable = (of: Readable) => onlyReadable(db.from(ofLearners(db, of.activityId)), of);

  return {
    async hasSpeakers(atLeast, of) {
      const some = await readable(of).distinct('user_id').limit(atLeast);
      return some.length >= atLeast;
    },

    async transcripts(of, page) {
      const found = await pageOf(readable(of).select('*', counted(db)), LAST_USED_FIRST, page);
      return { ...found, data: found.data.map(toTranscript) };
    },

    async transcript(of, id) {
      const row: TranscriptRow | undefined = await readable(of)
        .where('id', storable(id))
        .first('*', counted(db));
      return row && toTranscript(row);
    },

    async messagesOf({ id }) {
      const rows = await db<MessageRow>('messages').where('conversation_id', id).orderBy('id');
      return rows.map(toMessage);
    },
  };
}

/** Of a question that brings `transcript_policy` and `agrees`. */
export function onlyReadable(
  rows: Knex.QueryBuilder,
  { begunUnder, onlyAgreed }: Readable,
): Knex.QueryBuilder {
  rows.whereIn('transcript_policy', begunUnder);
  return onlyAgreed ? rows.whereRaw(`(transcript_policy <> 'named' OR agrees = 1)`) : rows;
}

/** Conversations of learners with at least one message. */
function ofLearners(db: Knex, activityId: number): Knex.Raw {
  return db.raw(
    `(SELECT talk.*, student.number, student.name, CASE WHEN agreed.user_id IS NULL THEN 0 ELSE 1 END AS agrees
      FROM conversations AS talk
      JOIN lti_participants AS student
        ON student.activity_id = talk.activity_id AND student.user_id = talk.user_id AND student.role = 'learner'
      LEFT JOIN lti_consents AS agreed
        ON agreed.activity_id = talk.activity_id AND agreed.user_id = talk.user_id
      WHERE talk.activity_id = ? AND EXISTS (SELECT 1 FROM messages WHERE messages.conversation_id = talk.id)
     ) AS spoken`,
    [activityId],
  );
}

function counted(db: Knex): Knex.Raw {
  return db.raw('(SELECT count(*) FROM messages WHERE messages.conversation_id = spoken.id) AS messages');
}

function toTranscript(row: TranscriptRow): Transcript {
  return {
    id: row.id,
    title: row.title,
    assistantId: row.assistant_id,
    begunUnder: row.transcript_policy,
    number: row.number,
    name: row.name,
    messages: Number(row.messages),
    startedAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
