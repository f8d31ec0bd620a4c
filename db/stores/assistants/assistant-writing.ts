import type { Knex } from 'knex';
import { now } from '../../query/now.js';
import { isRowId } from '../../query/values.js';
import { existing } from './queries.js';
import { versionContent, type AssistantRow } from './rows.js';

/** What every change of an assistant is made of. */

export async function rowOf(db: Knex, id: number): Promise<AssistantRow | undefined> {
  if (!isRowId(id)) return undefined;
  return (await existing(db).where('assistants.id', id).first()) as AssistantRow | undefined;
}

export function living(db: Knex, id: number): Knex.QueryBuilder {
  return db('assistants').where('id', id).whereNull('deleted_at');
}

export function nextVersion(trx: Knex.Transaction) {
  return { version: trx.raw('?? + 1', ['version']), updated_at: now() };
}

/** Keeps the row as it is now as its newest version. */
export async function keepVersionRow(
  trx: Knex.Transaction,
  id: number,
  authorId: number,
): Promise<AssistantRow> {
  const row = await rowOf(trx, id);
  if (!row) throw new Error(`Assistant ${String(id)} vanished while it was being written.`);
  await insertVersion(trx, row, authorId);
  return row;
}

export async function insertVersion(
  trx: Knex.Transaction,
  row: AssistantRow,
  authorId: number,
): Promise<void> {
  await trx('assistant_versions').insert({
    assistant_id: row.id,
    version: row.version,
    ...versionContent(row),
    author_id: authorId,
    created_at: row.updated_at,
  });
}
