import sqlite3 from 'sqlite3';
import type { TestDocument } from './beir.js';

export interface Fts5 {
  rank(question: string, most: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * SQLite's full-text search as it comes: its own tokenizer, its own bm25(), every word of the question by OR. Nothing of
 * it is shared with the service.
 */
export async function openFts5(
  documents: readonly TestDocument[],
  tokenizer: 'unicode61' | 'porter unicode61',
): Promise<Fts5> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(':memory:', (fault) => {
      if (fault) reject(fault);
      else resolve(opened);
    });
  });
  const all = (sql: string, values: readonly unknown[]) =>
    new Promise<readonly { readonly id: string }[]>((resolve, reject) => {
      db.all(sql, values, (fault, rows: { readonly id: string }[]) => {
        if (fault) reject(fault);
        else resolve(rows);
      });
    });
  await all(`CREATE VIRTUAL TABLE documents USING fts5(id UNINDEXED, text, tokenize = '${tokenizer}')`, []);
  await all(`INSERT INTO documents (id, text) SELECT value ->> 0, value ->> 1 FROM json_each(?)`, [
    JSON.stringify(documents.map(({ id, title, text }) => [id, `${title} ${text}`])),
  ]);
  return {
    async rank(question, most) {
      const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word}"`).join(' OR ');
      const rows = await all(
        'SELECT id FROM documents WHERE documents MATCH ? ORDER BY bm25(documents), rowid LIMIT ?',
        [match, most],
      );
      return rows.map(({ id }) => id);
    },
    close: () =>
      new Promise((resolve, reject) => {
        db.close((fault) => {
          if (fault) reject(fault);
          else resolve();
        });
      }),
  };
}
