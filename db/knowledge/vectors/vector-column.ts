import type { Knex } from 'knex';
import { isPostgres } from '../../query/raw-rows.js';

/** Asked once, when first needed: the type of the column is settled when the table is made. */
export function hasPgvectorColumn(db: Knex): () => Promise<boolean> {
  if (!isPostgres(db)) return () => Promise.resolve(false);
  let known: Promise<boolean> | undefined;
  return () => {
    known ??= typeOfColumn(db).catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
    return known;
  };
}

async function typeOfColumn(db: Knex): Promise<boolean> {
  const column = await db('information_schema.columns')
    .where({ table_name: 'passage_vectors', column_name: 'vector' })
    .whereRaw('table_schema = ANY (current_schemas(false))')
    .first<{ readonly udt_name: string } | undefined>('udt_name');
  return column?.udt_name === 'vector';
}

/** How pgvector reads and writes a vector. */
export function pgvectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

export function fromPgvectorText(text: string): Float32Array {
  return Float32Array.from(text.slice(1, -1).split(','), Number);
}
