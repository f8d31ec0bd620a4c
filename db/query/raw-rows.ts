import type { Knex } from 'knex';

export function isPostgres(db: { readonly client?: unknown }): boolean {
  return (db.client as Knex.Client).config.client === 'pg';
}

/** The rows of a statement that the query builder has no words for; by this connection, if one is named. */
export async function rawRows<Row>(
  db: Knex,
  sql: string,
  bindings: readonly Knex.Value[],
  connection?: unknown,
): Promise<readonly Row[]> {
  const statement = db.raw<readonly Row[] | { readonly rows: readonly Row[] }>(sql, bindings);
  const answer = await (connection === undefined ? statement : statement.connection(connection));
  return 'rows' in answer ? answer.rows : answer;
}

/**
 * The rows of a query as lists of their cells, brought as one JSON text. Drivers make an object of each row, cell by
 * cell, which for thousands of rows takes several times as long as finding them.
 */
export async function rowsAtOnce(
  db: Knex,
  query: Knex.QueryBuilder,
  columns: readonly string[],
): Promise<readonly (readonly unknown[])[]> {
  const isPostgres = (db.client as Knex.Client).config.client === 'pg';
  const [collect, list] = isPostgres ? ['json_agg', 'json_build_array'] : ['json_group_array', 'json_array'];
  const cells = columns.map(() => '??').join(', ');
  const found = await db
    .from(query.as('found'))
    .first<{ readonly rows: unknown }>(db.raw(`${collect}(${list}(${cells})) AS rows`, columns));
  // PostgreSQL's driver has read the JSON already, and has null for no rows.
  const rows: unknown = typeof found.rows === 'string' ? JSON.parse(found.rows) : found.rows;
  return (rows ?? []) as readonly (readonly unknown[])[];
}
