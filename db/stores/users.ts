import type { Knex } from 'knex';
import type { Role } from '../../src/core/access/caller.js';
import type { User, UserStore } from '../../src/core/stores.js';
import { cellsOf, flag, number, plain, type RowOf, text, valuesIn } from '../query/columns.js';
import { byId, pageOf } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/refusals.js';
import { isRowId, now, storable } from '../query/values.js';

/** What an administrator may change. */
const CHANGEABLE = {
  name: text('name'),
  role: plain<Role>()('role'),
  enabled: flag('enabled'),
  passwordHash: plain<string | null>()('password_hash'),
};

const COLUMNS = {
  id: number('id'),
  organizationId: number('organization_id'),
  email: text('email'),
  ...CHANGEABLE,
};

type UserRow = RowOf<typeof COLUMNS>;

const toUser = (row: UserRow): User => valuesIn(COLUMNS, row);

export function createUserStore(db: Knex): UserStore {
  return {
    async create(user) {
      const at = now();
      const { organizationId, name, role, passwordHash } = user;
      const email = emailKey(user.email);
      const row = {
        ...cellsOf(COLUMNS, { organizationId, email, name, role, passwordHash }),
        ...{ created_at: at, updated_at: at },
      };
      const [created] = (await db('users')
        .insert(row, '*')
        .catch(orConflict('A user with this e-mail exists already.'))) as [UserRow];
      return toUser(created);
    },

    async byId(id) {
      if (!isRowId(id)) return undefined;
      const row = await db<UserRow>('users').where('id', id).first();
      return row && toUser(row);
    },

    async emails(ids) {
      const rows: Pick<UserRow, 'id' | 'email'>[] = await db('users')
        .whereIn('id', ids.filter(isRowId))
        .select('id', 'email');
      return new Map(rows.map(({ id, email }) => [id, email]));
    },

    async emailsIn(organizationId, emails) {
      const [wanted, known] = [[...emails].map(emailKey), new Set<string>()];
      for (let from = 0; from < wanted.length; from += VALUES_AT_ONCE) {
        const some = wanted.slice(from, from + VALUES_AT_ONCE);
        const found = await db('users')
          .where('organization_id', organizationId)
          .whereIn('email', some)
          .pluck<string[]>('email');
        for (const email of found) known.add(email);
      }
      return known;
    },

    async byEmail(email) {
      const row = await db<UserRow>('users').where('email', emailKey(email)).first();
      return row && toUser(row);
    },

    async setPassword(id, passwordHash) {
      await db('users').where('id', id).update({ password_hash: passwordHash, updated_at: now() });
    },

    async renewPassword(id, { from, to }) {
      await db('users').where({ id, password_hash: from }).update({ password_hash: to, updated_at: now() });
    },

    async list({ organizationId, q }, page) {
      const launched = db('lti_people').whereRaw('lti_people.user_id = users.id').select('id');
      const visiting = db('link_visits').whereRaw('link_visits.user_id = users.id').select('id');
      const found = db('users').select('*').whereNotExists(launched).whereNotExists(visiting);
      if (organizationId !== undefined) found.where('organization_id', organizationId);
      if (q !== undefined) onlyContaining(found, ['name', 'email'], q);
      const { data, nextCursor } = await pageOf(found, byId<UserRow>('id'), page);
      return { data: data.map(toUser), nextCursor };
    },

    async update(id, change) {
      if (!isRowId(id)) return undefined;
      return db.transaction(async (trx) => {
        const endsRule = change.enabled === false || (change.role ?? RULER) !== RULER;
        if (endsRule && (await isLastRuler(trx, id))) return 'last administrator';
        const [changed] = (await trx('users')
          .where('id', id)
          .update({ ...cellsOf(CHANGEABLE, change), updated_at: now() }, '*')) as UserRow[];
        if (change.enabled === false || change.passwordHash !== undefined) {
          const kept = change.keptSession ?? '';
          await trx('sessions').where('user_id', id).whereNot('hash', kept).del();
          await trx('oauth_grants').where('user_id', id).del();
        }
        return changed && toUser(changed);
      });
    },
  };
}

/** Few enough for a statement of either database. */
const VALUES_AT_ONCE = 500;

const RULER: Role = 'system_admin';

/** Holds the rows of all who administer the whole until the transaction ends: two cannot depose each other. */
async function isLastRuler(trx: Knex.Transaction, id: number): Promise<boolean> {
  await trx('users')
    .where('role', RULER)
    .update({ updated_at: trx.ref('updated_at') });
  const rulers = await trx<UserRow>('users').where({ role: RULER, enabled: true }).select('id');
  return rulers.length === 1 && rulers[0]?.id === id;
}

/** E-mails are one person's whatever the case they are typed in. */
export function emailKey(email: string): string {
  return storable(email.trim().toLowerCase());
}
