import { randomUUID } from 'node:crypto';
import { isExternalId } from '../../src/core/knowledge/collection.js';
import { readMetadata } from '../metadata/canonical.js';
import { own, textIn } from '../metadata/json.js';
import { cellsOf } from '../query/columns.js';
import { TEMPLATE_CONTENT } from '../stores/prompt-templates.js';
import { type Kind, ofTable, type RowContext, skipped } from './kind.js';
import { newIdOf } from './memory.js';
import { organizationHere } from './organizations.js';
import { ownerHere } from './users.js';
import { flagOf, integerOf, type LambRow, textOf, timeOf, wordsOf } from './values.js';

/** A rubric keeps its id, so that assistants go on naming it. */
export const rubrics: Kind = {
  name: 'rubric',
  title: 'rubrics',
  ...ofTable('rubrics'),
  idOf: (row) => wordsOf(row['rubric_id']),
  exampleOf: (row) => wordsOf(row['title']) ?? wordsOf(row['rubric_id']) ?? `row ${textOf(row['id']) ?? '?'}`,

  async importRow(row, ctx) {
    const id = wordsOf(row['rubric_id']) ?? '';
    const text = wordsOf(row['rubric_data']);
    const { metadata: data, problem } = readMetadata(text ?? null);
    // Whatever reads rubrics reads them as JSON: one that is none would be in the way of the others.
    if (text === undefined || problem !== undefined) return skipped('its rubric_data is not a JSON object');
    if (await isTaken(id, ctx)) return skipped('a rubric with this id is here already');

    const organizationId = await organizationHere(ctx, row['organization_id']);
    const ownerId = await ownerHere(ctx, row['owner_email'], organizationId);
    if (ownerId === undefined) return skipped('it has no owner');
    const criteria = own(data, 'criteria');
    if (!Array.isArray(criteria) || criteria.length === 0) ctx.remark('it has no criteria: kept as it is');
    await ctx.trx('rubrics').insert({
      id,
      organization_id: organizationId,
      owner_id: ownerId,
      title: wordsOf(row['title']) ?? textIn(data, 'title') ?? id,
      description: textOf(row['description']) ?? '',
      data: text,
      is_public: flagOf(row['is_public']),
      created_at: timeOf(row['created_at']) ?? ctx.at,
      updated_at: timeOf(row['updated_at']) ?? ctx.at,
    });
    return { imported: id };
  },
};

async function isTaken(id: string, { trx }: RowContext): Promise<boolean> {
  return (await trx('rubrics').where({ id }).first('id')) !== undefined;
}

export const shares: Kind = {
  name: 'share',
  title: 'shares',
  ...ofTable('assistant_shares'),
  idOf: (row) => integerOf(row['id'])?.toString(),
  exampleOf: (row) =>
    `assistant ${textOf(row['assistant_id']) ?? '?'} with user ${textOf(row['shared_with_user_id']) ?? '?'}`,

  async importRow(row, ctx) {
    const assistantId = await newIdOf(ctx, 'assistant', integerOf(row['assistant_id']));
    if (assistantId === undefined) return skipped('its assistant did not come over');
    const userId = await newIdOf(ctx, 'user', integerOf(row['shared_with_user_id']));
    if (userId === undefined) return skipped('the user it is shared with did not come over');

    const sharedBy = await newIdOf(ctx, 'user', integerOf(row['shared_by_user_id']));
    await ctx
      .trx('assistant_shares')
      .insert({
        assistant_id: assistantId,
        user_id: userId,
        shared_by: sharedBy ?? (await ownerOf(assistantId, ctx)),
        created_at: timeOf(row['shared_at']) ?? ctx.at,
      })
      .onConflict(['assistant_id', 'user_id'])
      .ignore();
    return { imported: `${String(assistantId)}:${String(userId)}` };
  },
};

async function ownerOf(assistantId: number, { trx }: RowContext): Promise<number> {
  const row = await trx<{ id: number; owner_id: number }>('assistants')
    .where({ id: assistantId })
    .first('owner_id');
  return row?.owner_id ?? 0;
}

export const promptTemplates: Kind = {
  name: 'prompt_template',
  title: 'prompt templates',
  ...ofTable('prompt_templates'),
  idOf: (row) => integerOf(row['id'])?.toString(),
  exampleOf: (row) => wordsOf(row['name']) ?? `template ${textOf(row['id']) ?? '?'}`,

  async importRow(row, ctx) {
    const name = wordsOf(row['name']);
    if (name === undefined) return skipped('it has no name');
    const organizationId = await organizationHere(ctx, row['organization_id']);
    const ownerId = await ownerHere(ctx, row['owner_email'], organizationId);
    if (ownerId === undefined) return skipped('it has no owner');
    const namesake: unknown = await ctx
      .trx('prompt_templates')
      .where({ owner_id: ownerId, name })
      .first('id');
    if (namesake !== undefined) return skipped('its owner has a template of this name here already');

    const [made] = (await ctx.trx('prompt_templates').insert(
      {
        organization_id: organizationId,
        owner_id: ownerId,
        ...cellsOf(TEMPLATE_CONTENT, {
          name,
          description: textOf(row['description']) ?? '',
          systemPrompt: textOf(row['system_prompt']) ?? '',
          promptTemplate: textOf(row['prompt_template']) ?? '',
          isShared: flagOf(row['is_shared']),
        }),
        created_at: timeOf(row['created_at']) ?? ctx.at,
        updated_at: timeOf(row['updated_at']) ?? ctx.at,
      },
      ['id'],
    )) as [{ readonly id: number }];
    return { imported: made.id };
  },
};

/** Who owns which knowledge base of the server. The knowledge itself stays there, under the same id. */
export const kbRegistry: Kind = {
  name: 'kb',
  title: 'knowledge bases',
  ...ofTable('kb_registry'),
  idOf: (row) => wordsOf(row['kb_id']),
  exampleOf: (row) => `${wordsOf(row['kb_id']) ?? '?'} ${wordsOf(row['kb_name']) ?? ''}`.trim(),

  async importRow(row, ctx) {
    const id = wordsOf(row['kb_id']) ?? '';
    const ownerId = await newIdOf(ctx, 'user', integerOf(row['owner_user_id']));
    if (ownerId === undefined) return skipped('its owner did not come over');
    if (!isExternalId(id))
      return skipped('its id is neither a number nor a UUID, so no server can be asked for it');
    const organizationId = await organizationHere(ctx, row['organization_id']);
    const isThere = async (where: object) =>
      (await ctx.trx('collections').where(where).first('id')) as unknown;
    if ((await isThere({ organization_id: organizationId, external_id: id })) !== undefined)
      return skipped('a knowledge base with this id is here already');

    await ctx.trx('collections').insert({
      // One of another organisation's server may have the number already; assistants find theirs by the external id.
      id: (await isThere({ id })) === undefined ? id : randomUUID(),
      place: 'server',
      external_id: id,
      name: wordsOf(row['kb_name']) ?? id,
      organization_id: organizationId,
      owner_id: ownerId,
      is_shared: flagOf(row['is_shared']),
      metadata: metadataOf(row, ctx),
      created_at: timeOf(row['created_at']) ?? ctx.at,
      updated_at: timeOf(row['updated_at']) ?? ctx.at,
    });
    return { imported: id };
  },
};

function metadataOf(row: LambRow, { remark }: RowContext): string {
  const text = wordsOf(row['metadata']);
  if (text === undefined) return '{}';
  if (readMetadata(text).problem === undefined) return text;
  remark('its metadata is not a JSON object and was left out');
  return '{}';
}
