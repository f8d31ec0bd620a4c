import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { newIdOf } from './memory.js';
import { integerOf, textOf, timeOf } from './values.js';

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
