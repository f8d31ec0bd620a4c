import type { Knex } from 'knex';
import type { KindName, RowContext } from './kind.js';

interface ImportedRow {
  readonly source_id: string;
  readonly target_id: string;
}

/**
 * The first statement of every transaction. A write before any read makes SQLite wait for its turn, and the row
 * it touches keeps a second import of the same installation out until this one's rows can be seen.
 */
export async function takeTurn(trx: Knex, source: string, at: string): Promise<void> {
  await trx('imported_rows')
    .insert({ source, kind: 'installation', source_id: '', target_id: '', created_at: at })
    .onConflict(['source', 'kind', 'source_id'])
    .merge(['target_id']);
}

/** What these became when they were imported; those that were not are missing. */
export async function alreadyImported(
  trx: Knex,
  source: string,
  kind: KindName,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await trx<ImportedRow & { source: string; kind: string }>('imported_rows')
    .where({ source, kind })
    .whereIn('source_id', sourceIds)
    .select('source_id', 'target_id');
  return new Map(rows.map((row) => [row.source_id, row.target_id]));
}

export async function remember(
  { trx, source, at }: Pick<RowContext, 'trx' | 'source' | 'at'>,
  kind: KindName,
  sourceId: string,
  targetId: string | number,
): Promise<void> {
  await trx('imported_rows').insert({
    source: source.identity,
    kind,
    source_id: sourceId,
    target_id: String(targetId),
    created_at: at,
  });
}

/** The id here of something that was numbered there. */
export async function newIdOf(
  { trx, source }: Pick<RowContext, 'trx' | 'source'>,
  kind: KindName,
  sourceId: number | undefined,
): Promise<number | undefined> {
  if (sourceId === undefined) return undefined;
  const id = String(sourceId);
  const target = (await alreadyImported(trx, source.identity, kind, [id])).get(id);
  return target === undefined ? undefined : Number(target);
}
