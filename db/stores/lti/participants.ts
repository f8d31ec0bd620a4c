import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Participant, ParticipantStore } from '../../../src/core/lti/activity.js';
import { now, storable } from '../../query/values.js';

interface ParticipantRow {
  readonly activity_id: number;
  readonly user_id: number;
  readonly number: number;
  readonly role: Participant['role'];
  readonly name: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

interface LearnerRow {
  readonly subject: string;
  readonly course_id: string;
  readonly line_item_url: string | null;
}

const MOST_LEARNERS = 50;

/** By chance: counted in the order they came, a number would tell who was first. */
const NUMBERS = { from: 1_000, to: 100_000 };
const MOST_TRIES = 20;

export function createParticipantStore(db: Knex): ParticipantStore {
  const find = async (activityId: number, userId: number) => {
    const row = (await one(db, 'lti_participants', activityId, userId).first()) as ParticipantRow | undefined;
    return row && toParticipant(row);
  };

  return {
    async join(activityId, userId, role) {
      const at = now();
      const again = await one(db, 'lti_participants', activityId, userId).update({ role, last_seen_at: at });
      for (let tries = 0; again === 0 && tries < MOST_TRIES; tries++) {
        const row: ParticipantRow = {
          activity_id: activityId,
          user_id: userId,
          number: randomInt(NUMBERS.from, NUMBERS.to),
          role,
          name: null,
          first_seen_at: at,
          last_seen_at: at,
        };
        // Somebody else's number, or the same person in two windows at once.
        await db('lti_participants').insert(row).onConflict().ignore();
        if (await find(activityId, userId)) break;
      }
      const joined = await find(activityId, userId);
      if (!joined) throw new Error('no number is left for a participant');
      return joined;
    },

    get: find,

    async instructorsOn(platformId, membershipsUrl) {
      const subjects = await db({ participant: 'lti_participants' })
        .join({ activity: 'lti_activities' }, 'activity.id', 'participant.activity_id')
        .join({ person: 'lti_people' }, 'person.user_id', 'participant.user_id')
        .where({ 'participant.role': 'instructor', 'activity.platform_id': platformId })
        .where('activity.memberships_url', storable(membershipsUrl))
        .pluck<string[]>('person.subject');
      return new Set(subjects);
    },

    async learnersFrom(platformIds, subject) {
      const rows = db({ participant: 'lti_participants' })
        .join({ activity: 'lti_activities' }, 'activity.id', 'participant.activity_id')
        .join({ person: 'lti_people' }, 'person.user_id', 'participant.user_id')
        .where('participant.role', 'learner')
        .whereIn('activity.platform_id', platformIds)
        .orderBy('participant.last_seen_at', 'desc')
        .limit(MOST_LEARNERS);
      if (subject !== undefined) void rows.where('person.subject', storable(subject));
      const found = await rows.select<LearnerRow[]>(
        ...['person.subject', 'activity.course_id', 'activity.line_item_url'],
      );
      return found.map((row) => ({
        subject: row.subject,
        courseId: row.course_id,
        hasColumn: row.line_item_url !== null,
      }));
    },

    async setName(activityId, userId, name) {
      await one(db, 'lti_participants', activityId, userId).update({ name });
    },

    async consentOf(activityId, userId) {
      return givenAt(one(db, 'lti_consents', activityId, userId));
    },

    async giveConsent(activityId, userId, name) {
      return db.transaction(async (trx) => {
        // Held to the end: whoever changes the policy meanwhile waits, and finds what is to be forgotten.
        const named = trx('lti_activities').where({ id: activityId, transcript_policy: 'named' });
        if (!(await named.forShare().first('id'))) return undefined;
        const consent = { activity_id: activityId, user_id: userId, given_at: now() };
        await trx('lti_consents').insert(consent).onConflict(['activity_id', 'user_id']).ignore();
        if (name !== undefined) await one(trx, 'lti_participants', activityId, userId).update({ name });
        return givenAt(one(trx, 'lti_consents', activityId, userId));
      });
    },

    async withdrawConsent(activityId, userId) {
      await db.transaction(async (trx) => {
        await one(trx, 'lti_consents', activityId, userId).del();
        await one(trx, 'lti_participants', activityId, userId).update({ name: null });
      });
    },
  };
}

function one(db: Knex, table: string, activityId: number, userId: number): Knex.QueryBuilder {
  return db(table).where({ activity_id: activityId, user_id: userId });
}

async function givenAt(consent: Knex.QueryBuilder): Promise<string | undefined> {
  const row = await consent.first<{ readonly given_at: string } | undefined>('given_at');
  return row?.given_at;
}

function toParticipant(row: ParticipantRow): Participant {
  return {
    activityId: row.activity_id,
    userId: row.user_id,
    number: row.number,
    role: row.role,
    name: row.name,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}
