import type { Knex } from 'knex';
import type { AssistantContent } from '../../../src/core/assistants/assistant.js';
import type { EnclosedRubric, KeptTemplate, TemplateStore } from '../../../src/core/assistants/template.js';
import type { Timestamp } from '../../../src/core/stores.js';
import {
  cellsOf,
  flag,
  json,
  jsonOrNull,
  number,
  numberOrNull,
  plain,
  type RowOf,
  valuesIn,
} from '../../query/columns.js';
import { isRowId, now } from '../../query/values.js';

const COLUMNS = {
  organizationId: number('organization_id'),
  ownerId: numberOrNull('owner_id'),
  assistant: json<AssistantContent>()('assistant'),
  rubric: jsonOrNull<EnclosedRubric>()('rubric'),
  isShared: flag('is_shared'),
  createdAt: plain<Timestamp>()('created_at'),
};
/** Its number, and the name of its organisation, which is looked up. */
const READ = { id: number('id'), organization: plain<string>()('organization'), ...COLUMNS };

export function createTemplateStore(db: Knex): TemplateStore {
  const rows = () => {
    const organization = db('organizations')
      .select('name')
      .whereRaw('organizations.id = assistant_templates.organization_id')
      .as('organization');
    return db('assistant_templates').select('assistant_templates.*', organization);
  };
  const found = async (query: Knex.QueryBuilder, limit: number): Promise<readonly KeptTemplate[]> => {
    const some = (await query.orderBy('id', 'desc').limit(limit)) as RowOf<typeof READ>[];
    return some.map((row) => valuesIn(READ, row));
  };
  const get = async (id: number) => (isRowId(id) ? (await found(rows().where({ id }), 1))[0] : undefined);

  return {
    get,

    async create({ id: ownerId, organizationId }, { assistant, rubric }) {
      const cells = cellsOf(COLUMNS, {
        ...{ organizationId, ownerId, assistant, rubric },
        ...{ isShared: false, createdAt: now() },
      });
      const [made] = (await db('assistant_templates').insert(cells, ['id'])) as [{ readonly id: number }];
      const template = await get(made.id);
      if (!template) throw new Error('A template vanished while it was being made.');
      return template;
    },

    async countOf(organizationId) {
      const where = { organization_id: organizationId };
      const [row] = await db('assistant_templates').where(where).count<{ n: number | string }[]>({ n: '*' });
      return Number(row?.n ?? 0);
    },

    of: (organizationId, limit) => found(rows().where('organization_id', organizationId), limit),

    sharedWith: (organizationId, limit) =>
      found(rows().where('is_shared', true).whereNot('organization_id', organizationId), limit),

    async share(id, isShared) {
      if (!isRowId(id)) return undefined;
      await db('assistant_templates').where({ id }).update({ is_shared: isShared });
      return await get(id);
    },

    async delete(id) {
      return isRowId(id) && (await db('assistant_templates').where({ id }).del()) > 0;
    },
  };
}
