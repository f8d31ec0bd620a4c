import sqlite3 from 'sqlite3';

export interface Fts5 {
  add(documents: readonly Fts5Document[]): Promise<void>;
  /** The best first. */
  find(question: string, most: number): Promise<readonly Fts5Document[]>;
  close(): Promise<void>;
}

export interface Fts5Document {
  readonly id: string;
  readonly text: string;
}

const FIND = 'SELECT id, text FROM documents WHERE documents MATCH ? ORDER BY bm25(documents), rowid LIMIT ?';
const ADD = 'INSERT INTO documents (id, text) SELECT value ->> 0, value ->> 1 FROM json_each(?)';

/**
 * SQLite's full-text search as it comes: its own tokenizer, its own bm25(), every word of the question by OR. Nothing of
 * it is shared with the service.
 */
export async function openFts5(
  tokenizer: 'unicode61' | 'porter unicode61',
  file = ':memory:',
): Promise<Fts5> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (fault) => {
      if (fault) reject(fault);
      else resolve(opened);
    });
  });
  const done = (act: (callback: (fault: Error | null) => void) => unknown) =>
    new Promise<void>((resolve, reject) => {
      act((fault) => {
        if (fault) reject(fault);
        else resolve();
      });
    });
  await done((callback) => db.run('PRAGMA journal_mode = WAL', callback));
  const table = `CREATE VIRTUAL TABLE documents USING fts5(id UNINDEXED, text, tokenize = '${tokenizer}')`;
  await done((callback) => db.run(table, callback));
  const finding = db.prepare(FIND);
  return {
    add: (documents) =>
      done((callback) =>
        db.run(ADD, [JSON.stringify(documents.map(({ id, text }) => [id, text]))], callback),
      ),
    async find(question, most) {
      const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word}"`).join(' OR ');
      return await new Promise((resolve, reject) => {
        finding.all<Fts5Document>([match, most], (fault, rows) => {
          if (fault) reject(fault);
          else resolve(rows);
        });
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        finding.finalize(() => {
          resolve();
        });
      });
      await done((callback) => {
        db.close(callback);
      });
    },
  };
}
