import type { Knex } from 'knex';
import type { Visibility } from '../../src/core/access/access.js';
import type { PromptTemplate, PromptTemplateContent } from '../../src/core/assistants/prompt-template.js';
import type { PromptTemplateStore, Timestamp } from '../../src/core/stores.js';
import { byId, pageOf, pageOfUnion } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/unique-violation.js';
import { isRowId, now, storable } from '../query/values.js';

interface TemplateRow {
  readonly id: number;
  readonly organization_id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly description: string;
  readonly system_prompt: string;
  readonly prompt_template: string;
  readonly is_shared: boolean | number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** The owner's e-mail, joined from users. */
  readonly owner: string;
}

const NEWEST_FIRST = byId<TemplateRow>('prompt_templates.id');
const nameIsTaken = orConflict('The owner has a prompt template of this name already. Choose another name.');

export function createPromptTemplateStore(db: Knex): PromptTemplateStore {
  const get = async (id: number) => {
    if (!isRowId(id)) return undefined;
    const row = (await withOwner(db).where('prompt_templates.id', id).first()) as TemplateRow | undefined;
    return row && toTemplate(row);
  };

  return {
    async create(owner, content) {
      const at = now();
      const row = {
        organization_id: owner.organizationId,
        owner_id: owner.id,
        ...columnsOf(content),
        created_at: at,
        updated_at: at,
      };
      const [created] = (await db('prompt_templates').insert(row, ['id']).catch(nameIsTaken)) as [
        { id: number },
      ];
      const made = await get(created.id);
      if (!made)
        throw new Error(`Prompt template ${String(created.id)} vanished while it was being written.`);
      return made;
    },

    get,

    async list(visibleTo, { q }, page) {
      const rows = withOwner(db);
      const branches = visibilityConditions(visibleTo)?.map((reason) =>
        matching(db('prompt_templates').where(reason), q),
      );
      const { data, nextCursor } = await (branches
        ? pageOfUnion({ rows, branches }, NEWEST_FIRST, page)
        : pageOf(matching(rows, q), NEWEST_FIRST, page));
      return { data: data.map(toTemplate), nextCursor };
    },

    async replace(id, content) {
      if (!isRowId(id)) return undefined;
      await db('prompt_templates')
        .where({ id })
        .update({ ...columnsOf(content), updated_at: now() })
        .catch(nameIsTaken);
      return get(id);
    },

    async delete(id) {
      return isRowId(id) && (await db('prompt_templates').where({ id }).del()) > 0;
    },
  };
}

function withOwner(db: Knex): Knex.QueryBuilder {
  return db('prompt_templates')
    .join('users', 'users.id', 'prompt_templates.owner_id')
    .select('prompt_templates.*', 'users.email as owner');
}

/** Each lets somebody see a template; undefined when they see all. */
function visibilityConditions(visibleTo: Visibility): readonly object[] | undefined {
  if (visibleTo.everything) return undefined;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  const ofOrganization = { organization_id: organizationId };
  return [{ owner_id: userId }, wholeOrganization ? ofOrganization : { ...ofOrganization, is_shared: true }];
}

function matching(query: Knex.QueryBuilder, text: string | undefined): Knex.QueryBuilder {
  if (text === undefined) return query;
  return onlyContaining(query, ['prompt_templates.name', 'prompt_templates.description'], text);
}

export function columnsOf(content: PromptTemplateContent) {
  return {
    name: storable(content.name),
    description: storable(content.description),
    system_prompt: storable(content.systemPrompt),
    prompt_template: storable(content.promptTemplate),
    is_shared: content.isShared,
  };
}

function toTemplate(row: TemplateRow): PromptTemplate {
  return {
    id: row.id,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    owner: row.owner,
    name: row.name,
    description: row.description,
    systemPrompt: row.system_prompt,
    promptTemplate: row.prompt_template,
    isShared: Boolean(row.is_shared),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
