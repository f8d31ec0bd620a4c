import type { Knex } from 'knex';
import { scoped, splitTerms, tsvectorOf } from '../knowledge/terms.js';
import { isPostgres } from '../query/raw-rows.js';
import type { Cell } from './cells.js';

/**
 * What is not copied, and why. Everything else that a schema has is, so that a new table or column is copied without
 * anybody thinking of it; one that only one of the engines has stops a copy until it is named here.
 */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  knex_migrations: 'each database has its own record of what was done to its schema',
  knex_migrations_lock: 'each database has its own lock',
  unfinished_copy: 'says how far the copy itself has come',
  generations: 'counts changes for processes that remember rows, and nobody remembers any of the copy yet',
  rate_limits: 'counts what was let through within a minute, which is over when the copy is in use',
  passage_index: 'SQLite: made anew from the words of the passages',
  passage_places: 'SQLite: a view of passage_index',
  halfvec_indexes: 'PostgreSQL with pgvector: the service makes its indexes anew from the vectors',
  halfvec_editions: 'PostgreSQL with pgvector: says what is in those indexes',
  passage_halfvecs: 'PostgreSQL with pgvector: those indexes themselves',
  'passages.lexemes': 'PostgreSQL: made anew from the words of the passages',
};

/** Names of files whose bytes are in object storage. They are copied with the bytes, unless those stay where they are. */
export const NAMES_OF_FILES: readonly string[] = ['files', 'file_blobs', 'file_backups'];

/** A row as it is copied, by the names of its columns. */
export type NamedCells = (column: string) => Cell;

interface DerivedColumn {
  readonly name: string;
  readonly value: (row: NamedCells) => string | null;
}

/** Columns of PostgreSQL alone, each made from the others of its row. */
const POSTGRES_COLUMNS: Readonly<Record<string, readonly DerivedColumn[]>> = {
  passages: [
    {
      name: 'lexemes',
      value: (row) =>
        row('off') === 'true'
          ? null
          : tsvectorOf(Number(row('collection_seq')), splitTerms(String(row('terms')))),
    },
  ],
};

export const derivedColumns = (table: string): readonly DerivedColumn[] => POSTGRES_COLUMNS[table] ?? [];

/** What stands beside a table of SQLite, for the rows that were just written: in their transaction. */
export async function writeDerivedRows(trx: Knex, table: string, rows: readonly NamedCells[]): Promise<void> {
  if (table !== 'passages' || isPostgres(trx)) return;
  const indexed = rows
    .filter((row) => row('off') === 'false')
    .map((row) => {
      const terms = splitTerms(String(row('terms')));
      return [row('id'), terms.map((term) => scoped(Number(row('collection_seq')), term)).join(' ')];
    });
  await trx.raw(
    `INSERT INTO passage_index (rowid, terms)
     SELECT CAST(value ->> 0 AS integer), value ->> 1 FROM json_each(?)`,
    [JSON.stringify(indexed)],
  );
}
