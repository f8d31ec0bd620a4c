import sqlite3 from 'sqlite3';

/** The driver itself: knex gives a meaning to dots and question marks, and the names of tables here may have both. */
export interface SqliteFile {
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openSqliteFile(file: string): Promise<SqliteFile> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (fault) => {
      if (fault) reject(fault);
      else resolve(opened);
    });
  });
  return {
    all: <Row>(sql: string, values: readonly unknown[] = []) =>
      new Promise<Row[]>((resolve, reject) => {
        db.all<Row>(sql, values, (fault, rows) => {
          if (fault) reject(fault);
          else resolve(rows);
        });
      }),
    close: () =>
      new Promise<void>((resolve, reject) => {
        db.close((fault) => {
          if (fault) reject(fault);
          else resolve();
        });
      }),
  };
}
