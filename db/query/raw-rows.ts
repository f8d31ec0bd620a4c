import type { Knex } from 'knex';

export function isPostgres(db: { readonly client?: unknown }): boolean {
  return (db.client as Knex.Client).config.client === 'pg';
}

/** The rows of a statement that the query builder has no words for. */
export async function rawRows<Row>(
  db: Knex,
  sql: string,
  bindings: readonly Knex.Value[],
): Promise<readonly Row[]> {
  const answer = await db.raw<readonly Row[] | { readonly rows: readonly Row[] }>(sql, bindings);
  return 'rows' in answer ? answer.rows : answer;
}
