import { readMetadata } from '../metadata/canonical.js';
import { own, textIn } from '../metadata/json.js';
import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { organizationHere } from './organizations.js';
import { ownerHere } from './users.js';
import { flagOf, textOf, timeOf, wordsOf } from './values.js';

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
