import type { Knex } from 'knex';
import type { Organization, OrganizationStore } from '../../src/core/stores.js';
import { storable } from '../column-values.js';
import { now } from '../now.js';
import { orConflict } from '../unique-violation.js';

const COLUMNS = ['id', 'slug', 'name'] as const;

export function createOrganizationStore(db: Knex): OrganizationStore {
  return {
    async create({ slug, name, isSystem }) {
      const at = now();
      const row = {
        slug: storable(slug),
        name: storable(name),
        is_system: isSystem,
        created_at: at,
        updated_at: at,
      };
      const [created] = (await db('organizations')
        .insert(row, [...COLUMNS])
        .catch(orConflict(`An organisation "${slug}" exists already.`))) as [Organization];
      return created;
    },

    async bySlug(slug) {
      return db<Organization>('organizations')
        .where('slug', storable(slug))
        .first(...COLUMNS);
    },
  };
}
