import type { Knex } from 'knex';
import { emailKey } from '../stores/users.js';

/** True when nobody administers the service and the first start will not make anybody: that address is taken. */
export async function lacksAdministrator(db: Knex, adminEmail: string): Promise<boolean> {
  const administrator: unknown = await db('users').where({ role: 'system_admin', enabled: true }).first('id');
  if (administrator !== undefined) return false;
  const namesake: unknown = await db('users')
    .where({ email: emailKey(adminEmail) })
    .first('id');
  return namesake !== undefined;
}
