import type { Knex } from 'knex';
import { importLamb } from '../../../db/import-lamb/import-lamb.js';
import type { ImportOptions } from '../../../db/import-lamb/kind.js';
import type { ImportReport, KindReport } from '../../../db/import-lamb/report.js';
import { openLamb } from '../../../db/import-lamb/source.js';
import { scenarioHash } from '../../../src/scenarios/hashes.js';
import { catalogue } from '../fixtures.js';

/** Stands in for what hides secrets. */
const seal = (config: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, typeof value === 'object' ? 'sealed' : value]),
  );

export async function importFile(
  db: Knex,
  file: string,
  demonstrations: ImportOptions['demonstrations'] = [],
): Promise<ImportReport> {
  const source = await openLamb(file);
  try {
    return await importLamb({
      db,
      source,
      options: { catalogue, seal, scenarioHash, sealRemark: 'was sealed', demonstrations },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  } finally {
    await source.close();
  }
}

export function of(report: ImportReport, title: string): KindReport {
  const found = report.find((kind) => kind.title === title);
  if (!found) throw new Error(`Nothing is reported about ${title}.`);
  return found;
}

/** `imported / already there / skipped` of every kind. */
export const countsIn = (report: ImportReport): Record<string, string> =>
  Object.fromEntries(
    report.map(({ title, imported, present, skipped }) => [title, [imported, present, skipped].join('/')]),
  );

const TABLES: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id'],
  users: ['id'],
  assistants: ['id'],
  assistant_versions: ['id'],
  assistant_shares: ['assistant_id', 'user_id'],
  rubrics: ['id'],
  prompt_templates: ['id'],
  collections: ['id'],
  scenarios: ['id'],
  usage_ledger: ['id'],
  imported_rows: ['kind', 'source_id'],
  audit: ['id'],
};

/** All that an import can touch. */
export async function dump(db: Knex): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const [table, order] of Object.entries(TABLES)) tables[table] = await db(table).orderBy([...order]);
  return tables;
}

/** What this assistant of theirs is called here. */
export async function newId(db: Knex, oldId: number): Promise<number> {
  const row = await db<{ kind: string; source_id: string; target_id: string }>('imported_rows')
    .where({ kind: 'assistant', source_id: String(oldId) })
    .first('target_id');
  return Number(row?.target_id);
}

/** Any row of ours; the columns that tests do more with than compare have their types. */
export interface Row {
  readonly id: number;
  readonly assistant_id: number;
  readonly owner_id: number;
  readonly content: string;
  readonly metadata: string;
  readonly config: string;
  readonly run_id: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly [column: string]: unknown;
}

export async function rowsOf(db: Knex, table: string, where: object = {}, order = 'id'): Promise<Row[]> {
  return db(table).where(where).orderBy(order).select<Row[]>('*');
}
