import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { LinkStore } from '../../../src/core/access/link.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { cellsOf, number, plain, type RowOf, text, valuesIn } from '../../query/columns.js';
import { byId, pageOf } from '../../query/paging.js';
import { isRowId, now as at } from '../../query/values.js';
import { ROWS_AT_ONCE } from '../lti/erase-rows.js';

const NEW = {
  assistantId: number('assistant_id'),
  createdBy: number('created_by'),
  sealedToken: text('token_sealed'),
  budgetId: plain<string | null>()('budget_id'),
  expiresAt: plain<Timestamp | null>()('expires_at'),
};
const COLUMNS = { id: number('id'), ...NEW, createdAt: text('created_at') };
type LinkRow = RowOf<typeof COLUMNS>;

/** As runs and audit name them. */
const VISITOR = 'Public visitor';

export function createLinkStore(db: Knex): LinkStore {
  const links = () => db<LinkRow>('assistant_links');
  const visits = () => db('link_visits');

  return {
    async create({ tokenHash, ...link }) {
      const row = { ...cellsOf(NEW, link), token_hash: tokenHash, created_at: at() };
      const [made] = (await db('assistant_links').insert(row, '*')) as [LinkRow];
      return valuesIn(COLUMNS, made);
    },

    async get(id) {
      const row = isRowId(id) ? ((await links().where({ id }).first()) as LinkRow | undefined) : undefined;
      return row && valuesIn(COLUMNS, row);
    },

    async byToken(tokenHash, now) {
      const row = (await db('assistant_links')
        .where('token_hash', tokenHash)
        .where((still) => void still.whereNull('expires_at').orWhere('expires_at', '>', now))
        .first()) as LinkRow | undefined;
      return row && valuesIn(COLUMNS, row);
    },

    async list(assistantId, page) {
      const found = db('assistant_links').where('assistant_id', assistantId).select('*');
      const { data, nextCursor } = await pageOf(found, byId<LinkRow>('id'), page);
      return { data: data.map((row) => valuesIn(COLUMNS, row)), nextCursor };
    },

    async count(assistantId) {
      const found = await db('assistant_links').where('assistant_id', assistantId).pluck<number[]>('id');
      return found.length;
    },

    async delete(id) {
      if (!isRowId(id)) return false;
      return db.transaction(async (trx) => {
        await trx('link_visits')
          .where('link_id', id)
          .where('expires_at', '>', at())
          .update({ expires_at: at() });
        return (await trx('assistant_links').where({ id }).del()) > 0;
      });
    },

    async visits(ids, now) {
      const rows: { readonly link_id: number; readonly count: number | string }[] = await visits()
        .whereIn('link_id', [...ids])
        .where('expires_at', '>', now)
        .groupBy('link_id')
        .select('link_id')
        .count({ count: '*' });
      return new Map(rows.map(({ link_id, count }) => [link_id, Number(count)]));
    },

    beginVisit: ({ linkId, organizationId, tokenHash, expiresAt }) =>
      db.transaction(async (trx) => {
        const now = at();
        const account = {
          organization_id: organizationId,
          // No address of anybody's, and none that mail could reach.
          email: `${randomUUID()}@link.invalid`,
          ...{ name: VISITOR, role: 'student', created_at: now, updated_at: now },
        };
        const [user] = (await trx('users').insert(account, 'id')) as [{ readonly id: number }];
        await trx('link_visits').insert({
          ...{ link_id: linkId, user_id: user.id, token_hash: tokenHash },
          ...{ expires_at: expiresAt, created_at: now },
        });
        return user.id;
      }),

    async endVisit(userId, now) {
      await visits().where('user_id', userId).where('expires_at', '>', now).update({ expires_at: now });
    },

    visitorsToForget: (before) =>
      visits()
        .whereNull('forgotten_at')
        .where('expires_at', '<', before)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .pluck<number[]>('user_id'),

    forgetVisit: (userId, now) =>
      db.transaction(async (trx) => {
        for (const table of ['conversations', 'handovers', 'approvals'])
          await trx(table).where('user_id', userId).del();
        // What they sent and asked nothing about.
        await trx('attachments').where('owner_id', userId).del();
        await trx('link_visits').where('user_id', userId).update({ forgotten_at: now });
      }),

    forgottenVisitors: (before) =>
      visits()
        .where('forgotten_at', '<', before)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .pluck<number[]>('user_id'),

    async runsOf(userId) {
      const ids = await db('runs').where('user_id', userId).limit(ROWS_AT_ONCE).pluck<string[]>('id');
      return ids.map((id) => ({ id, userId }));
    },

    eraseVisitor: (userId) =>
      db.transaction(async (trx) => {
        for (const table of ['usage_ledger', 'audit'])
          await trx(table).where('user_id', userId).update({ user_id: null });
        for (const table of ['conversations', 'approvals', 'budget_accounts', 'budget_alerts'])
          await trx(table).where('user_id', userId).del();
        // The visit goes with it.
        await trx('users').where('id', userId).del();
      }),
  };
}
