import type { Knex } from 'knex';

/** Every table there is, read off the database, so that one added later cannot be forgotten. */
async function tablesIn(db: Knex): Promise<readonly string[]> {
  if (db.client.config.client === 'pg') {
    return db('information_schema.tables').where('table_schema', 'public').pluck('table_name');
  }
  return db('sqlite_master').where('type', 'table').pluck('name');
}

/** Where any of these stands in any cell: as a number of its own, or anywhere in a text. By `table.column`. */
export async function tracesOf(db: Knex, needles: readonly (string | number)[]): Promise<string[]> {
  const traces: string[] = [];
  for (const table of await tablesIn(db)) {
    const rows = (await db(table).select('*')) as Record<string, unknown>[];
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (needles.some((needle) => holds(value, needle))) traces.push(`${table}.${column}`);
      }
    }
  }
  return traces.sort();
}

function holds(value: unknown, needle: string | number): boolean {
  if (Buffer.isBuffer(value)) return value.includes(String(needle));
  if (typeof value === 'string') return value.includes(String(needle));
  return Number(value) === needle;
}

/** Makes ids that stand nowhere by chance. */
export async function countUsersFrom(db: Knex, id: number): Promise<void> {
  if (db.client.config.client === 'pg') {
    await db.raw(`SELECT setval(pg_get_serial_sequence('users', 'id'), ?)`, [id]);
    return;
  }
  await db('sqlite_sequence').where('name', 'users').update({ seq: id });
}
