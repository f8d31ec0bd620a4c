import { randomUUID } from 'node:crypto';
import { isExternalId } from '../../src/core/knowledge/collection.js';
import { readMetadata } from '../metadata/canonical.js';
import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { newIdOf } from './memory.js';
import { organizationHere } from './organizations.js';
import { flagOf, integerOf, timeOf, wordsOf, type LambRow } from './values.js';

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
