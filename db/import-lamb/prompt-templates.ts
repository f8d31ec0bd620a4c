import { columnsOf } from '../stores/prompt-templates.js';
import { ofTable, skipped, type Kind } from './kind.js';
import { organizationHere } from './organizations.js';
import { ownerHere } from './users.js';
import { flagOf, integerOf, textOf, timeOf, wordsOf } from './values.js';

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
        ...columnsOf({
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
