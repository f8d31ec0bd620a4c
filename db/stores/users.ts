import type { Knex } from 'knex';
import type { Role } from '../../src/core/caller.js';
import type { User, UserStore } from '../../src/core/stores.js';
import { isRowId, storable } from '../column-values.js';
import { now } from '../now.js';
import { orConflict } from '../unique-violation.js';

interface UserRow {
  readonly id: number;
  readonly organization_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly enabled: boolean | number;
  readonly password_hash: string | null;
}

export function createUserStore(db: Knex): UserStore {
  return {
    async create(user) {
      const at = now();
      const row = {
        organization_id: user.organizationId,
        email: emailKey(user.email),
        name: storable(user.name),
        role: user.role,
        password_hash: user.passwordHash,
        created_at: at,
        updated_at: at,
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
  };
}

/** E-mails are one person's whatever the case they are typed in. */
export function emailKey(email: string): string {
  return storable(email.trim().toLowerCase());
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    name: row.name,
    role: row.role,
    enabled: Boolean(row.enabled),
    passwordHash: row.password_hash,
  };
}
