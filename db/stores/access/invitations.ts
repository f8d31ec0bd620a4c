import type { Knex } from 'knex';
import type { Role } from '../../../src/core/access/caller.js';
import type { Invitation, InvitationStore } from '../../../src/core/access/invitation.js';
import { cellsOf, number, plain, type RowOf, text, valuesIn } from '../../query/columns.js';
import { byId, pageOf } from '../../query/paging.js';
import { isRowId, now as at } from '../../query/values.js';
import { createUserStore, emailKey } from '../users.js';

const NEW = {
  organizationId: number('organization_id'),
  email: text('email'),
  name: text('name'),
  role: plain<Role>()('role'),
  createdBy: number('created_by'),
  expiresAt: text('expires_at'),
};
const COLUMNS = { id: number('id'), ...NEW, createdAt: text('created_at') };
type InvitationRow = RowOf<typeof COLUMNS>;

const toInvitation = (row: InvitationRow): Invitation => valuesIn(COLUMNS, row);
/** SQLite takes some thousand values in one statement. */
const ROWS_AT_ONCE = 100;

export function createInvitationStore(db: Knex): InvitationStore {
  const invitations = (on: Knex = db) => on('invitations');

  return {
    create: (all) =>
      db.transaction(async (trx) => {
        const rows = all.map(({ tokenHash, email, ...invitation }) => ({
          ...cellsOf(NEW, { ...invitation, email: emailKey(email) }),
          ...{ token_hash: tokenHash, created_at: at() },
        }));
        for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
          await invitations(trx)
            .insert(rows.slice(from, from + ROWS_AT_ONCE))
            .onConflict(['organization_id', 'email'])
            .merge();
        }
      }),

    async list({ organizationId }, now, page) {
      const found = invitations().where('expires_at', '>', now).select('*');
      if (organizationId !== undefined) found.where('organization_id', organizationId);
      const { data, nextCursor } = await pageOf(found, byId<InvitationRow>('id'), page);
      return { data: data.map(toInvitation), nextCursor };
    },

    async get(id) {
      const row = isRowId(id)
        ? ((await invitations().where({ id }).first()) as InvitationRow | undefined)
        : undefined;
      return row && toInvitation(row);
    },

    async byToken(tokenHash, now) {
      const row = (await invitations()
        .where('token_hash', tokenHash)
        .where('expires_at', '>', now)
        .first()) as InvitationRow | undefined;
      return row && toInvitation(row);
    },

    accept: (tokenHash, now, account) =>
      db.transaction(async (trx) => {
        const open = () => invitations(trx).where('token_hash', tokenHash).where('expires_at', '>', now);
        const row = (await open().first()) as InvitationRow | undefined;
        // Of two who come at once both have read it, and one has taken it.
        if (!row || (await open().del()) !== 1) return undefined;
        const { organizationId, email, role } = toInvitation(row);
        // A conflict brings the invitation back.
        const { id } = await createUserStore(trx).create({ organizationId, email, role, ...account });
        return id;
      }),

    async delete(id) {
      return isRowId(id) && (await invitations().where({ id }).del()) > 0;
    },

    sweep: (now) => invitations().where('expires_at', '<=', now).del(),
  };
}
