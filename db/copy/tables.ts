import type { Knex } from 'knex';
import { isPostgres, rawRows } from '../query/raw-rows.js';

/** A table as a database has it. */
export interface FoundTable {
  readonly name: string;
  /** The type of each column, by its name. */
  readonly columns: ReadonlyMap<string, string>;
  readonly key: readonly string[];
  /** The tables that its foreign keys lead to. */
  readonly refersTo: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** From 1 on; 0 for those that are not in the key. */
  readonly place: number;
}

interface ReferenceRow {
  readonly table: string;
  readonly parent: string;
}

/** Every table that holds rows of its own: no view, no part of an index, and of a partitioned one the whole. */
export async function tablesIn(db: Knex): Promise<ReadonlyMap<string, FoundTable>> {
  const { columns, references } = isPostgres(db) ? POSTGRES : SQLITE;
  const found = await rawRows<ColumnRow>(db, columns, []);
  const parents = await rawRows<ReferenceRow>(db, references, []);
  const names = [...new Set(found.map(({ table }) => table))].sort();
  return new Map(
    names.map((name) => {
      const own = found.filter(({ table }) => table === name);
      const key = own.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
      return [
        name,
        {
          name,
          columns: new Map(own.map(({ column, type }) => [column, type])),
          key: key.map(({ column }) => column),
          refersTo: parents.filter(({ table }) => table === name).map(({ parent }) => parent),
        },
      ];
    }),
  );
}

const SQLITE = {
  columns: `
    SELECT tables.name AS "table", columns.name AS "column", columns.type, columns.pk AS place
    FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.type IN ('table', 'virtual') AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND columns.hidden = 0`,
  references: `
    SELECT DISTINCT tables.name AS "table", keys."table" AS parent
    FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name) AS keys
    WHERE tables.schema = 'main'`,
};

/** Columns that PostgreSQL generates are no columns to write, and partitions are rows of their parent. */
const POSTGRES = {
  columns: `
    SELECT tables.relname AS "table", columns.attname AS "column", format_type(columns.atttypid, NULL) AS type,
      coalesce((
        SELECT place FROM unnest(keys.indkey::int2[]) WITH ORDINALITY AS parts (number, place)
        WHERE number = columns.attnum
      ), 0)::integer AS place
    FROM pg_class AS tables
    JOIN pg_attribute AS columns ON columns.attrelid = tables.oid
    LEFT JOIN pg_index AS keys ON keys.indrelid = tables.oid AND keys.indisprimary
    WHERE tables.relnamespace = current_schema()::regnamespace
      AND tables.relkind IN ('r', 'p') AND NOT tables.relispartition
      AND columns.attnum > 0 AND NOT columns.attisdropped AND columns.attgenerated = ''
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = tables.oid AND deptype = 'e')`,
  references: `
    SELECT DISTINCT tables.relname AS "table", parents.relname AS parent
    FROM pg_constraint AS keys
    JOIN pg_class AS tables ON tables.oid = coalesce(pg_partition_root(keys.conrelid), keys.conrelid)
    JOIN pg_class AS parents ON parents.oid = coalesce(pg_partition_root(keys.confrelid), keys.confrelid)
    WHERE keys.contype = 'f' AND tables.relnamespace = current_schema()::regnamespace`,
};
