import type { Knex } from 'knex';
import type { Erasure, ErasureStore } from '../../../src/core/lti/erasure.js';
import { now } from '../../query/values.js';
import {
  createForgottenPeople,
  createForgottenRuns,
  eraseSubmissions,
  forgetSubmissions,
  ROWS_AT_ONCE,
  strayIn,
} from './erase-rows.js';

/** Their messages go with them, so fewer at once. */
const CONVERSATIONS_AT_ONCE = 20;

interface ErasureRow {
  readonly id: number;
  readonly activity_id: number;
  readonly user_id: number;
  readonly asked_at: string;
}

/** `reader` finds what is to go where everybody has to be looked at. */
export function createErasureStore(db: Knex, reader: Knex): ErasureStore {
  return {
    beginErasure: (activityId, userId) =>
      db.transaction((trx) => begin(trx, { activity_id: activityId, user_id: userId })),

    async erasures() {
      const rows = await db<ErasureRow>('lti_erasures').orderBy('id').limit(ROWS_AT_ONCE);
      return rows.map(toErasure);
    },

    eraseConversations: ({ activityId, userId }) =>
      deleteSome(db, db('conversations').where({ activity_id: outOfSight(activityId), user_id: userId })),

    endErasure: (erasure) => db.transaction((trx) => end(trx, erasure)),

    async retentions(after) {
      const rows: { readonly id: number; readonly retention_days: number }[] = await db('lti_activities')
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .select('id', 'retention_days');
      return rows.map((row) => ({ activityId: row.id, retentionDays: row.retention_days }));
    },

    forgetConversations: ({ activityId, before }) =>
      deleteSome(db, db('conversations').where('activity_id', activityId).where('updated_at', '<', before)),

    forgetStrayConversations: (activityId, since) =>
      deleteSome(db, strayIn(db, 'conversations', activityId).where('conversations.updated_at', '>=', since)),

    forgetSubmissions: (past) => forgetSubmissions(db, past),

    ...createForgottenRuns(db),
    ...createForgottenPeople(db, reader),
  };
}

/** An activity that nobody comes to: what was said there is nobody's to see, and waits to be deleted. */
const outOfSight = (activityId: number) => -activityId;

/** All at once, whatever there is to delete afterwards: nobody ever sees a half of it. */
async function begin(
  trx: Knex.Transaction,
  whose: { readonly activity_id: number; readonly user_id: number },
): Promise<Erasure> {
  const [row] = (await trx('lti_erasures').insert({ ...whose, asked_at: now() }, '*')) as [ErasureRow];
  await trx('conversations')
    .where(whose)
    .update({ activity_id: outOfSight(whose.activity_id) });
  for (const table of ['lti_sessions', 'lti_consents', 'lti_participants', 'handovers', 'resumable_runs'])
    await trx(table).where(whose).del();
  await eraseSubmissions(trx, whose);
  // Sent and not asked about yet: nobody knows in which activity.
  const unused = { owner_id: whose.user_id, conversation_id: null, assistant_id: null };
  await trx('attachments').where(unused).del();
  return toErasure(row);
}

/** Last of all the wish itself, by which whoever comes after a crash knows that something is left. */
async function end(trx: Knex.Transaction, { id, activityId, userId, askedAt }: Erasure): Promise<void> {
  await trx('usage_ledger')
    .where({ activity_id: activityId, user_id: userId })
    .where('created_at', '<=', askedAt)
    .update({ user_id: null });
  // Those who set up what others use stay answerable for it.
  const answerable = trx('lti_people').where('user_id', userId).whereNotNull('linked_user_id');
  const placed = trx('lti_activity_assistants').where('added_by', userId);
  await trx('audit')
    .where('user_id', userId)
    .where('created_at', '<=', askedAt)
    .whereNotExists(answerable)
    .whereNotExists(placed)
    .update({ user_id: null });
  await trx('lti_erasures').where({ id }).del();
}

/** Found and deleted in one statement: what is used meanwhile is not found. */
async function deleteSome(db: Knex, conversations: Knex.QueryBuilder): Promise<number> {
  const some = conversations.select('conversations.id').limit(CONVERSATIONS_AT_ONCE);
  return db('conversations').whereIn('id', some).del();
}

function toErasure(row: ErasureRow): Erasure {
  return { id: row.id, activityId: row.activity_id, userId: row.user_id, askedAt: row.asked_at };
}
