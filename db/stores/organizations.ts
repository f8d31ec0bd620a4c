import type { Knex } from 'knex';
import type { Organization, OrganizationStore } from '../../src/core/stores.js';
import { recordIn } from '../query/columns.js';
import { byId, pageOf } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/refusals.js';
import { isRowId, now, storable } from '../query/values.js';

interface OrganizationRow extends Organization {
  readonly config: string;
  readonly updated_at: string;
}

const COLUMNS = ['id', 'slug', 'name'] as const;

export function createOrganizationStore(db: Knex): OrganizationStore {
  return {
    async create({ slug, name, isSystem, config = {} }) {
      const at = now();
      const row = {
        slug: storable(slug),
        name: storable(name),
        is_system: isSystem,
        config: JSON.stringify(config),
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

    async byId(id) {
      if (!isRowId(id)) return undefined;
      return db<Organization>('organizations')
        .where('id', id)
        .first(...COLUMNS);
    },

    async list({ q }, page) {
      const found = db('organizations').select(...COLUMNS);
      if (q !== undefined) onlyContaining(found, ['name', 'slug'], q);
      return pageOf(found, byId<Organization>('id'), page);
    },

    async update(id, { name }) {
      if (!isRowId(id)) return undefined;
      const change = { ...(name === undefined ? {} : { name: storable(name) }), updated_at: now() };
      const [changed] = await db<OrganizationRow>('organizations')
        .where('id', id)
        .update(change, [...COLUMNS]);
      return changed;
    },

    ...createConfigs(db),
  };
}

function createConfigs(db: Knex): Pick<OrganizationStore, 'withConfig' | 'changeConfig'> {
  return {
    async withConfig(id) {
      if (!isRowId(id)) return undefined;
      const row = await db<OrganizationRow>('organizations')
        .where('id', id)
        .first(...COLUMNS, 'config');
      return row && { ...row, config: recordIn(row.config) };
    },

    async changeConfig(id, change) {
      if (!isRowId(id)) return undefined;
      return db.transaction(async (trx) => {
        // Written first, so that the row is ours until the change is done.
        await trx('organizations').where('id', id).update({ updated_at: now() });
        const row = await trx<OrganizationRow>('organizations').where('id', id).first('config');
        if (!row) return undefined;
        const before = recordIn(row.config);
        const after = change(before);
        await trx('organizations')
          .where('id', id)
          .update({ config: JSON.stringify(after) });
        return { before, after };
      });
    },
  };
}
