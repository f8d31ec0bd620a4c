import type { Knex } from 'knex';
import type { AssistantSharing, Share } from '../../../src/core/assistants/history.js';
import { byId, pageOf } from '../../query/paging.js';
import { isRowId, now } from '../../query/values.js';

interface ShareRow {
  /** The user's. */
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
}

interface CountRow {
  readonly assistant_id: number;
  /** PostgreSQL counts in text. */
  readonly people: number | string;
}

const NEWEST_USER_FIRST = byId<ShareRow>('assistant_shares.user_id');

export function createSharing(db: Knex): AssistantSharing {
  return {
    async share(id, userId, sharedBy) {
      await db('assistant_shares')
        .insert({ assistant_id: id, user_id: userId, shared_by: sharedBy, created_at: now() })
        .onConflict(['assistant_id', 'user_id'])
        .ignore();
    },

    async unshare(id, userId) {
      if (!isRowId(id)) return false;
      return (await db('assistant_shares').where({ assistant_id: id, user_id: userId }).del()) > 0;
    },

    async isSharedWith(id, userId) {
      if (!isRowId(id)) return false;
      const share: unknown = await db('assistant_shares')
        .where({ assistant_id: id, user_id: userId })
        .first('user_id');
      return share !== undefined;
    },

    async isReachable(id) {
      if (!isRowId(id)) return false;
      const found: unknown[] = await Promise.all([
        db('assistants').where({ id, published: true }).first('id'),
        ...['assistant_shares', 'assistant_links', 'lti_activity_assistants'].map((table) =>
          db(table).where('assistant_id', id).first('assistant_id'),
        ),
      ]);
      return found.some((row) => row !== undefined);
    },

    async shareCounts(ids) {
      const known = ids.filter(isRowId);
      if (known.length === 0) return new Map();
      const rows = await db('assistant_shares')
        .whereIn('assistant_id', known)
        .groupBy('assistant_id')
        .select<CountRow[]>('assistant_id', db.raw('count(*) as people'));
      return new Map(rows.map(({ assistant_id, people }) => [assistant_id, Number(people)]));
    },

    async shares(id, page) {
      const found = db('assistant_shares')
        .join('users', 'users.id', 'assistant_shares.user_id')
        .where('assistant_shares.assistant_id', isRowId(id) ? id : 0)
        .select('users.id', 'users.email', 'users.name', 'assistant_shares.created_at');
      const { data, nextCursor } = await pageOf(found, NEWEST_USER_FIRST, page);
      return { data: data.map(toShare), nextCursor };
    },
  };
}

function toShare({ email, name, created_at }: ShareRow): Share {
  return { email, name, createdAt: created_at };
}
