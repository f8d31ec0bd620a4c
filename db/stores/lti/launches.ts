import type { Knex } from 'knex';
import type { Launch, LaunchStore, TicketStore } from '../../../src/core/lti/launch-stores.js';
import { now as at, storable } from '../../query/values.js';

interface LaunchRow {
  readonly id: string;
  readonly user_id: number;
  readonly platform_id: number;
  readonly activity_id: number | null;
  readonly role: Launch['role'];
  readonly course_id: string;
  readonly browser_hash: string;
  readonly token_hash: string;
  readonly facts: string;
  readonly expires_at: string;
}

export function createLaunchStore(db: Knex): LaunchStore {
  return {
    async open(launch) {
      const row: LaunchRow & { readonly created_at: string } = {
        id: launch.id,
        user_id: launch.userId,
        platform_id: launch.platformId,
        activity_id: launch.activityId,
        role: launch.role,
        course_id: storable(launch.courseId),
        browser_hash: launch.browserHash,
        token_hash: launch.tokenHash,
        facts: launch.facts,
        expires_at: launch.expiresAt,
        created_at: at(),
      };
      await db('lti_sessions').insert(row);
    },

    async get(id, now) {
      const row = await db<LaunchRow>('lti_sessions')
        .where('id', storable(id))
        .where('expires_at', '>', now)
        .first();
      return row && toLaunch(row);
    },

    async usersOf(browserHash, now) {
      return db('lti_sessions')
        .where('browser_hash', browserHash)
        .where('expires_at', '>', now)
        .distinct()
        .pluck<number[]>('user_id');
    },

    async endOfBrowser(browserHash) {
      await db('lti_sessions').where('browser_hash', browserHash).del();
    },

    async end(id) {
      await db('lti_sessions').where('id', storable(id)).del();
    },

    async sweep(now) {
      return db('lti_sessions').where('expires_at', '<=', now).del();
    },
  };
}

function toLaunch(row: LaunchRow): Launch {
  return {
    id: row.id,
    userId: row.user_id,
    platformId: row.platform_id,
    activityId: row.activity_id,
    role: row.role,
    courseId: row.course_id,
    browserHash: row.browser_hash,
    tokenHash: row.token_hash,
    facts: row.facts,
    expiresAt: row.expires_at,
  };
}

interface TicketRow {
  readonly purpose: string;
  readonly hash: string;
  readonly payload: string;
  readonly expires_at: string;
}

export function createTicketStore(db: Knex): TicketStore {
  return {
    async leave({ purpose, hash, payload, expiresAt }) {
      const left = (await db('one_time_tickets')
        .insert({ purpose, hash, payload, expires_at: expiresAt })
        .onConflict(['purpose', 'hash'])
        .ignore()
        .returning('hash')) as unknown[];
      return left.length > 0;
    },

    async take(purpose, hash, now) {
      const ticket = () => db('one_time_tickets').where({ purpose, hash });
      const found = await ticket().first<TicketRow | undefined>('payload', 'expires_at');
      // Of two who come at once both have read it, and one has torn it off.
      const isTorn = found !== undefined && (await ticket().del()) === 1;
      return isTorn && found.expires_at > now ? found.payload : undefined;
    },

    async sweep(now) {
      return db('one_time_tickets').where('expires_at', '<=', now).del();
    },
  };
}
