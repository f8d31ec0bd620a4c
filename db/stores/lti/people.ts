import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { notFound } from '../../../src/core/errors.js';
import type { LtiPerson, LtiPersonStore } from '../../../src/core/lti/launch-stores.js';
import { isRowId, now, storable } from '../../query/values.js';

interface PersonRow {
  readonly platform_id: number;
  readonly subject: string;
  readonly user_id: number;
  readonly linked_user_id: number | null;
}

export function createLtiPersonStore(db: Knex): LtiPersonStore {
  const find = async (on: Knex, platformId: number, subject: string) => {
    const row = await on<PersonRow>('lti_people')
      .where({ platform_id: platformId, subject: storable(subject) })
      .first();
    return row && toPerson(row);
  };

  return {
    async findOrCreate({ id: platformId, organizationId }, subject) {
      const known = await find(db, platformId, subject);
      if (known) return known;
      const at = now();
      return db.transaction(async (trx) => {
        const [user] = (await trx('users').insert(
          {
            organization_id: organizationId,
            // No address of anybody's, and none that mail could reach.
            email: `${randomUUID()}@lti.invalid`,
            name: '',
            role: 'student',
            created_at: at,
            updated_at: at,
          },
          'id',
        )) as [{ readonly id: number }];
        const person = {
          platform_id: platformId,
          subject: storable(subject),
          user_id: user.id,
          created_at: at,
        };
        const [made] = (await trx('lti_people')
          .insert(person)
          .onConflict(['platform_id', 'subject'])
          .ignore()
          .returning('*')) as PersonRow[];
        if (made) return toPerson(made);
        // Somebody else was faster: theirs counts.
        await trx('users').where('id', user.id).del();
        const first = await find(trx, platformId, subject);
        if (!first) throw notFound('The person');
        return first;
      });
    },

    async byUser(userId) {
      const row = await db<PersonRow>('lti_people').where('user_id', userId).first();
      return row && toPerson(row);
    },

    async linkedTo(userId) {
      if (!isRowId(userId)) return [];
      const rows = await db<PersonRow>('lti_people').where('linked_user_id', userId).orderBy('id');
      return rows.map(toPerson);
    },

    async link(userId, linkedUserId) {
      await db('lti_people').where('user_id', userId).update({ linked_user_id: linkedUserId });
    },
  };
}

function toPerson(row: PersonRow): LtiPerson {
  return {
    platformId: row.platform_id,
    subject: row.subject,
    userId: row.user_id,
    linkedUserId: row.linked_user_id,
  };
}
