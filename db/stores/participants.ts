import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Participant, ParticipantStore } from '../../src/core/activity.js';
import { now } from '../now.js';

interface ParticipantRow {
  readonly activity_id: number;
  readonly user_id: number;
  readonly number: number;
  readonly role: Participant['role'];
  readonly name: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** By chance: counted in the order they came, a number would tell who was first. */
const NUMBERS = { from: 1_000, to: 100_000 };
const MOST_TRIES = 20;

export function createParticipantStore(db: Knex): ParticipantStore {
  const one = (table: string, activityId: number, userId: number) =>
    db(table).where({ activity_id: activityId, user_id: userId });
  const find = async (activityId: number, userId: number) => {
    const row = (await one('lti_participants', activityId, userId).first()) as ParticipantRow | undefined;
    return row && toParticipant(row);
  };

  return {
    async join(activityId, userId, role) {
      const at = now();
      const again = await one('lti_participants', activityId, userId).update({ role, last_seen_at: at });
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

    async setName(activityId, userId, name) {
      await one('lti_participants', activityId, userId).update({ name });
    },

    async consentOf(activityId, userId) {
      const row: { readonly given_at: string } | undefined = await one(
        'lti_consents',
        activityId,
        userId,
      ).first('given_at');
      return row?.given_at;
    },

    async giveConsent(activityId, userId) {
      const at = now();
      const consent = { activity_id: activityId, user_id: userId, given_at: at };
      await db('lti_consents').insert(consent).onConflict(['activity_id', 'user_id']).ignore();
      return at;
    },

    async withdrawConsent(activityId, userId) {
      await one('lti_consents', activityId, userId).del();
      await one('lti_participants', activityId, userId).update({ name: null });
    },
  };
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
