import { existsSync } from 'node:fs';

/** Enough to see what kind of damage it is. */
const MOST_FAULTS = 20;
/** What SQLite says of a file in which it cannot even look. */
const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/**
 * What is wrong with the file, in SQLite's words; empty when it is whole, or not there yet. `quick` reads every page and
 * every row, once; `whole` also compares each index with its table and each reference with its row.
 */
export async function faultsOfSqlite(file: string, depth: 'quick' | 'whole'): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const db = await openFile(file);
  try {
    const check = depth === 'quick' ? 'quick_check' : 'integrity_check';
    const found = (await db.rows(`PRAGMA ${check}(${String(MOST_FAULTS)})`)).map((row) => String(row[check]));
    const faults = found.filter((fault) => fault !== 'ok');
    return depth === 'quick' || faults.length > 0
      ? faults
      : (await db.rows('PRAGMA foreign_key_check')).map(orphan);
  } catch (fault) {
    const { code = '', message } = fault as { readonly code?: string; readonly message: string };
    if (DAMAGED.has(code)) return [message];
    throw fault;
  } finally {
    await db.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** May write: what a killed process left in the log beside the file is part of it, and is put in its place. */
async function openFile(file: string) {
  const { default: sqlite3 } = await import('sqlite3');
  const db = new sqlite3.Database(file, sqlite3.OPEN_READWRITE);
  return {
    rows: (question: string) =>
      new Promise<Row[]>((resolve, reject) => {
        db.all<Row>(question, (error, rows) => {
          if (error) reject(error);
          else resolve(rows);
        });
      }),
    close: () =>
      new Promise<void>((resolve) => {
        db.close(() => {
          resolve();
        });
      }),
  };
}

function orphan({ table, rowid, parent }: Row): string {
  return `row ${String(rowid)} of ${String(table)} refers to a row of ${String(parent)} that is not there`;
}
